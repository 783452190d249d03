// Follows a JSON stream and prints every value, through connections that are cut off at any place:
// a session that breaks is begun anew at the offset after the last values that came whole.
//
// Arguments: the stream's URL, `long-poll` or `sse`, and how many values to wait for.
import { stream } from "@durable-streams/client"

const [url, live, wanted] = process.argv.slice(2)
let offset = "-1"
let seen = 0

async function follow() {
  const session = await stream({ url, live, offset, json: true })
  session.subscribeJson((batch) => {
    for (const item of batch.items) console.log(JSON.stringify(item))
    seen += batch.items.length
    offset = batch.offset
    if (seen >= Number(wanted)) session.cancel()
  })
  await session.closed
}

while (seen < Number(wanted)) {
  try {
    await follow()
  } catch (error) {
    console.error(`a session broke at ${offset}: ${error}`)
  }
}
process.exit(0)
