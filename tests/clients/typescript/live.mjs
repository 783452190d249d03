// Live reads: what is appended while a reader waits arrives, and closing the stream ends the reader.
import { DurableStream, stream } from "@durable-streams/client"
import { bytes, same, url } from "./lib/check.mjs"

const values = Array.from({ length: 20 }, (_, number) => ({ number }))

/** Reads a stream to its end while another handle appends and closes it. */
async function follow(name, contentType, live, parts, read) {
  const handle = await DurableStream.create({ url: url(name), contentType, batching: false })
  await handle.append(parts[0])
  const reading = stream({ url: url(name), live }).then(read)
  for (const part of parts.slice(1)) await handle.append(part)
  await handle.close()
  return reading
}

async function collect(source) {
  const items = []
  for await (const item of source) items.push(item)
  return items
}

for (const live of ["long-poll", "sse", true]) {
  const json = values.map((value) => JSON.stringify(value))
  const items = await follow(`live-json-${live}`, "application/json", live, json, (read) => collect(read.jsonStream()))
  same(`JSON values followed with ${live}`, items, values)

  const lines = values.map(({ number }) => `line ${number} – grüße 🌊\n`)
  const text = await follow(`live-text-${live}`, "text/plain", live, lines, (read) => collect(read.textStream()))
  same(`text followed with ${live}`, text.join(""), lines.join(""))

  const parts = [bytes(1000), bytes(50_000, 3), bytes(7, 5)]
  const type = "application/octet-stream"
  const chunks = await follow(`live-bytes-${live}`, type, live, parts, (read) => collect(read.bodyStream()))
  same(`bytes followed with ${live}`, Buffer.concat(chunks), Buffer.concat(parts))
}
