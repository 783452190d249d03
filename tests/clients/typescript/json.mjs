// JSON streams: values come back as they were, one by one, however they were sent.
import { DurableStream, stream } from "@durable-streams/client"
import { same, url } from "./lib/check.mjs"

const values = [
  { type: "message", text: "Grüße 🌊 \u0000 \" \\ \n" },
  [1, [2, [3]]],
  [],
  {},
  null,
  true,
  "text",
  "",
  -0.5,
  12345678901234,
  { nested: { deep: [{ a: null }] }, "": "empty key" },
]

const handle = await DurableStream.create({ url: url("json"), contentType: "application/json", batching: false })
for (const value of values) await handle.append(JSON.stringify(value))
const read = async (name, offset) => (await stream({ url: url(name), live: false, offset })).json()
same("JSON values appended one by one", await read("json"), values)

const batched = await DurableStream.create({ url: url("json-batched"), contentType: "application/json" })
await Promise.all(values.map((value) => batched.append(JSON.stringify(value))))
same("JSON values appended in batches", await read("json-batched"), values)

const { offset } = await batched.head()
await batched.append(JSON.stringify({ last: true }))
same("JSON values after an offset", await read("json-batched", offset), [{ last: true }])
same("no JSON values after the tail", await read("json-batched", (await batched.head()).offset), [])

await DurableStream.create({ url: url("json-initial"), contentType: "application/json", body: JSON.stringify(values) })
same("JSON values given at creation", await read("json-initial"), values)

const items = []
for await (const item of (await stream({ url: url("json"), live: false })).jsonStream()) items.push(item)
same("JSON values as a stream", items, values)

await DurableStream.create({ url: url("json-empty"), contentType: "application/json" })
same("an empty JSON stream", await read("json-empty"), [])
