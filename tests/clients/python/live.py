"""Live reads: what is appended while a reader waits arrives.

This client knows nothing of closed streams, so each reader stops after what it expects; and it
asks for the start of a stream in a live mode only when it is given the offset `-1`.
"""

import threading
from itertools import islice

from durable_streams import DurableStream, stream

from lib import same, url

VALUES = [{"number": number} for number in range(20)]
LINES = [f"line {number} – grüße 🌊\n" for number in range(20)]


def follow(name: str, content_type: str, parts: list, read) -> object:
    """Reads a stream while another thread appends to it."""
    with DurableStream.create(url(name), content_type=content_type) as handle:
        handle.append(parts[0])
        writer = threading.Thread(target=lambda: [handle.append(part) for part in parts[1:]])
        writer.start()
        try:
            return read()
        finally:
            writer.join()


def values(name: str, live: str) -> list:
    """As many values as are expected."""
    with stream(url(name), live=live, offset="-1") as read:
        return list(islice(read.iter_json(), len(VALUES)))


def text(name: str, live: str) -> str:
    """Text up to the last line that is expected."""
    found = ""
    with stream(url(name), live=live, offset="-1") as read:
        for part in read.iter_text():
            found += part
            if LINES[-1] in found:
                break
    return found


for live in ["long-poll", "sse"]:
    name = f"live-json-{live}"
    same(f"JSON values with {live}", follow(name, "application/json", VALUES, lambda: values(name, live)), VALUES)
    name = f"live-text-{live}"
    same(f"text with {live}", follow(name, "text/plain", LINES, lambda: text(name, live)), "".join(LINES))
