"""A stream's life: create, ask, close, delete, and what is refused on the way."""

from durable_streams import (
    DurableStream,
    SeqConflictError,
    StreamExistsError,
    StreamNotFoundError,
    stream,
)

from lib import fails, same, url

AT = url("life")

with DurableStream.create(AT, content_type="text/plain", body="first ") as handle:
    created = handle.head()
    same("its content type", created.content_type, "text/plain")
    DurableStream.create(AT, content_type="text/plain").close()
    same("creating it again changes nothing", handle.head().offset, created.offset)
    fails(
        "creating it again with another type is refused",
        StreamExistsError,
        lambda: DurableStream.create(AT, content_type="application/json"),
    )
    fails("a stream that is not there", StreamNotFoundError, lambda: DurableStream.head_static(url("absent")))
    fails("reading a stream that is not there", StreamNotFoundError, lambda: stream(url("absent"), live=False))

    handle.append("second ", seq="0001")
    fails("a writer's sequence does not go back", SeqConflictError, lambda: handle.append("stale ", seq="0001"))

# This client has no call for closing: its header goes with an append.
with DurableStream(AT, content_type="text/plain", headers={"Stream-Closed": "true"}) as closer:
    final = closer.append("last").next_offset
with DurableStream.connect(AT) as handle:
    same("it ends where the close said", handle.head().offset, final)
    with handle.stream(live=False) as read:
        same("a closed stream is read to its end", read.read_text(), "first second last")
        same("the reader is told that it is closed", read.headers.get("stream-closed"), "true")
    fails("a closed stream takes no more", SeqConflictError, lambda: handle.append("late"))

    handle.delete()
    fails("a deleted stream is gone", StreamNotFoundError, handle.head)
