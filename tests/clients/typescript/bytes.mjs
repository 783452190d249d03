// Byte streams: what is appended is read back, byte for byte.
import { DurableStream, stream } from "@durable-streams/client"
import { bytes, same, url } from "./lib/check.mjs"

const parts = [bytes(1), bytes(1000, 3), new Uint8Array([0, 255, 10, 13, 0]), bytes(200_000, 5)]
const whole = Buffer.concat(parts)

const handle = await DurableStream.create({ url: url("bytes"), contentType: "application/octet-stream" })
const offsets = []
for (const part of parts) {
  await handle.append(part)
  offsets.push((await handle.head()).offset)
}

const read = await stream({ url: url("bytes"), live: false })
same("bytes come back exactly", Buffer.from(await read.body()), whole)
same("the reader ends at the tail", read.offset, offsets.at(-1))
same("offsets sort as they come", [...offsets].sort(), offsets)

const rest = await stream({ url: url("bytes"), live: false, offset: offsets[1] })
same("reading on from an offset", Buffer.from(await rest.body()), Buffer.concat(parts.slice(2)))
const tail = await stream({ url: url("bytes"), live: false, offset: offsets.at(-1) })
same("nothing follows the tail", (await tail.body()).length, 0)

const chunks = []
for await (const chunk of (await stream({ url: url("bytes"), live: false })).bodyStream()) chunks.push(chunk)
same("bytes come back as a stream of chunks", Buffer.concat(chunks), whole)

// Appends made while one is under way travel together.
await DurableStream.create({ url: url("batched"), contentType: "text/plain" })
const batched = await DurableStream.connect({ url: url("batched") })
const lines = Array.from({ length: 50 }, (_, number) => `line ${number} – grüße 🌊\n`)
await Promise.all(lines.map((line) => batched.append(line)))
same("text appended in batches", await (await stream({ url: url("batched"), live: false })).text(), lines.join(""))

const single = await DurableStream.create({ url: url("unbatched"), contentType: "text/plain", batching: false })
for (const line of lines.slice(0, 5)) await single.append(line)
const text = await (await single.stream({ live: false })).text()
same("text appended one by one", text, lines.slice(0, 5).join(""))

const streamed = await DurableStream.create({ url: url("streamed"), contentType: "application/octet-stream" })
await streamed.appendStream((async function* () { yield* parts })())
same("a streamed body", Buffer.from(await (await streamed.stream({ live: false })).body()), whole)
