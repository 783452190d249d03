"""Appends with producer headers, and the asynchronous client.

This client has no producer of its own: the headers are given with the handle.
"""

import asyncio

from durable_streams import AsyncDurableStream, DurableStream, DurableStreamError, SeqConflictError, astream

from lib import fails, same, url


def keyed(name: str, epoch: int, seq: int, value: object) -> None:
    """One append of a producer."""
    headers = {"Producer-Id": "orders-1", "Producer-Epoch": str(epoch), "Producer-Seq": str(seq)}
    with DurableStream(url(name), content_type="application/json", headers=headers) as handle:
        handle.append(value)


async def values(name: str) -> list[object]:
    """All values of a stream."""
    async with astream(url(name), live=False) as read:
        return await read.read_json()


async def appended_at_once() -> None:
    """Appends made while one is under way travel together."""
    events = [{"number": number} for number in range(100)]
    async with await AsyncDurableStream.create(url("async"), content_type="application/json") as handle:
        await asyncio.gather(*(handle.append(event) for event in events))
        same("JSON values appended at once", await values("async"), events)
        same("the content type", (await handle.head()).content_type, "application/json")
        await handle.delete()


DurableStream.create(url("producer"), content_type="application/json").close()
for number in range(10):
    keyed("producer", 0, number, {"number": number})
    keyed("producer", 0, number, {"number": number})
fails("a gap is refused", SeqConflictError, lambda: keyed("producer", 0, 11, {"gap": True}))
keyed("producer", 1, 0, {"epoch": 1})
fails("the epoch before is fenced off", DurableStreamError, lambda: keyed("producer", 0, 10, {"zombie": True}))
expected = [{"number": number} for number in range(10)] + [{"epoch": 1}]
same("repeated appends are there once", asyncio.run(values("producer")), expected)
asyncio.run(appended_at_once())
