// The idempotent producer: batches under way at once, a new epoch, and closing.
import { DurableStream, IdempotentProducer, StaleEpochError, stream } from "@durable-streams/client"
import { same, url } from "./lib/check.mjs"

const errors = []
const onError = (error) => errors.push(error)
const read = async (name) => (await stream({ url: url(name), live: false })).json()

const events = Array.from({ length: 200 }, (_, number) => ({ number, text: `event ${number}` }))
const handle = await DurableStream.create({ url: url("producer"), contentType: "application/json" })
const producer = new IdempotentProducer(handle, "orders-1", { lingerMs: 0, maxBatchBytes: 256, onError })
for (const event of events) producer.append(JSON.stringify(event))
await producer.flush()
same("no batch failed", errors, [])
same("it made many batches", producer.nextSeq > 10, true)
same("all events are there once, in order", await read("producer"), events)
same("the last offset is the tail", producer.lastSuccessfulOffset, (await handle.head()).offset)

// Another process with the same identity takes over: the next epoch, by itself.
const successor = new IdempotentProducer(handle, "orders-1", { epoch: 1, onError })
successor.append(JSON.stringify({ successor: 1 }))
await successor.flush()
const stale = []
producer.append(JSON.stringify({ zombie: true }))
await producer.flush().catch(() => {})
same("the one before is fenced off", errors.map((error) => error.name), [StaleEpochError.name])
const claimer = new IdempotentProducer(handle, "orders-1", { autoClaim: true, onError: (error) => stale.push(error) })
claimer.append(JSON.stringify({ claimer: 2 }))
await claimer.flush()
same("claiming the identity works", [stale, claimer.epoch], [[], 2])

const { finalOffset } = await claimer.close(JSON.stringify({ last: true }))
const closed = await handle.head()
same("the producer closed the stream", [closed.streamClosed, closed.offset], [true, finalOffset])
const last = [{ successor: 1 }, { claimer: 2 }, { last: true }]
same("nothing of the one fenced off is there", await read("producer"), [...events, ...last])

const bytes = await DurableStream.create({ url: url("producer-text"), contentType: "text/plain" })
const writer = new IdempotentProducer(bytes, "writer", { lingerMs: 0, maxBatchBytes: 64, onError: (error) => stale.push(error) })
const lines = Array.from({ length: 100 }, (_, number) => `line ${number}\n`)
for (const line of lines) writer.append(line)
await writer.flush()
await writer.detach()
same("text of a producer", [stale, await (await bytes.stream({ live: false })).text()], [[], lines.join("")])
