"""JSON streams: values come back as they were, one by one, however they were sent."""

import json

from durable_streams import DurableStream, stream

from lib import same, url

VALUES = [
    {"type": "message", "text": 'Grüße 🌊 \x00 " \\ \n'},
    [1, [2, [3]]],
    [],
    {},
    None,
    True,
    "text",
    "",
    -0.5,
    12345678901234567890,
    {"nested": {"deep": [{"a": None}]}, "": "empty key"},
]


def values(name: str, offset: str | None = None) -> list[object]:
    """All values of a stream after an offset."""
    with stream(url(name), live=False, offset=offset) as read:
        return read.read_json()


for name, batching in [("json", False), ("json-batched", True)]:
    with DurableStream.create(url(name), content_type="application/json", batching=batching) as handle:
        offsets = [handle.append(value).next_offset for value in VALUES]
        same(f"{name}: values appended one by one", values(name), VALUES)
        same(f"{name}: values after an offset", values(name, offsets[4]), VALUES[5:])
        same(f"{name}: no values after the tail", values(name, offsets[-1]), [])
        with handle.stream(live=False) as read:
            same(f"{name}: values by iteration", list(read.iter_json()), VALUES)

with DurableStream.create(url("json-initial"), content_type="application/json", body=json.dumps(VALUES)):
    same("values given at creation", values("json-initial"), VALUES)
with DurableStream.create(url("json-empty"), content_type="application/json"):
    same("an empty JSON stream", values("json-empty"), [])
