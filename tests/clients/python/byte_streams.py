"""Byte streams: what is appended is read back, byte for byte."""

from concurrent.futures import ThreadPoolExecutor

from durable_streams import DurableStream, stream

from lib import pattern, same, url

PARTS = [pattern(1), pattern(1000, 3), b"\x00\xff\n\r\x00", pattern(200_000, 5)]
WHOLE = b"".join(PARTS)

with DurableStream.create(url("bytes"), content_type="application/octet-stream") as handle:
    offsets = [handle.append(part).next_offset for part in PARTS]
    same("the tail is what the last append said", handle.head().offset, offsets[-1])
same("offsets sort as they come", sorted(offsets), offsets)

with stream(url("bytes"), live=False) as read:
    same("bytes come back exactly", read.read_bytes(), WHOLE)
with stream(url("bytes"), live=False) as read:
    same("bytes come back as chunks", b"".join(read), WHOLE)
with stream(url("bytes"), live=False, offset=offsets[1]) as read:
    same("reading on from an offset", read.read_bytes(), b"".join(PARTS[2:]))
with stream(url("bytes"), live=False, offset=offsets[-1]) as read:
    same("nothing follows the tail", read.read_bytes(), b"")

# Appends made by several threads while one is under way travel together.
LINES = [f"line {number} – grüße 🌊\n" for number in range(50)]
with DurableStream.create(url("text"), content_type="text/plain") as handle:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(handle.append, LINES))
    with handle.stream(live=False) as read:
        same("text of several threads", sorted(read.read_text().splitlines(True)), sorted(LINES))
