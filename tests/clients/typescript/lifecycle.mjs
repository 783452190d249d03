// A stream's life: create, ask, close, delete, and what is refused on the way.
import { DurableStream, stream } from "@durable-streams/client"
import { fails, same, url } from "./lib/check.mjs"

const at = url("life")
const handle = await DurableStream.create({ url: at, contentType: "text/plain", body: "first " })
const created = await handle.head()
same("a created stream exists", created.exists, true)
same("its content type", created.contentType, "text/plain")
same("it is open", created.streamClosed, false)
same("a stream that is not there", await DurableStream.head({ url: url("absent") }), { exists: false })

await DurableStream.create({ url: at, contentType: "text/plain" })
same("creating it again changes nothing", (await handle.head()).offset, created.offset)
await fails(
  "creating it again with another type is refused",
  () => DurableStream.create({ url: at, contentType: "application/json" }),
  (error) => error.status === 409
)
await fails(
  "reading a stream that is not there is refused",
  () => stream({ url: url("absent"), live: false }),
  (error) => error.status === 404
)

await handle.append("second ", { seq: "0001" })
await fails(
  "a writer's sequence does not go back",
  () => handle.append("stale ", { seq: "0001" }),
  (error) => error.status === 409
)
const { finalOffset } = await handle.close({ body: "last" })
const closed = await handle.head()
same("a closed stream says so", closed.streamClosed, true)
same("it ends where the close said", closed.offset, finalOffset)
same("closing it again is no error", (await handle.close()).finalOffset, finalOffset)

const read = await stream({ url: at, live: false })
same("a closed stream is read to its end", await read.text(), "first second last")
same("the reader knows that it is closed", read.streamClosed, true)
await fails(
  "a closed stream takes no more",
  () => handle.append("late"),
  (error) => error.status === 409
)

await DurableStream.create({ url: url("life-short"), contentType: "text/plain", body: "all", closed: true })
const short = await stream({ url: url("life-short"), live: false })
same("a stream created closed", [await short.text(), short.streamClosed], ["all", true])

await handle.delete()
same("a deleted stream is gone", await DurableStream.head({ url: at }), { exists: false })
