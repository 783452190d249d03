"""Follows a JSON stream and prints every value, through connections that are cut off at any place:
a session that breaks is begun anew at the offset after the last values that came whole.

Arguments: the stream's URL, `long-poll` or `sse`, and how many values to wait for.
"""

import json
import sys

import httpx
from durable_streams import stream

URL, LIVE, WANTED = sys.argv[1], sys.argv[2], int(sys.argv[3])

offset, seen = "-1", 0
while seen < WANTED:
    try:
        with stream(URL, live=LIVE, offset=offset) as session:
            for event in session.iter_events(mode="json"):
                for value in event.data:
                    print(json.dumps(value, separators=(",", ":")))
                seen += len(event.data)
                offset = event.next_offset
                if seen >= WANTED:
                    break
    except httpx.TransportError as error:
        print(f"a session broke at {offset}: {error!r}", file=sys.stderr)
