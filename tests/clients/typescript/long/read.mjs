// Reads a closed stream from its start to its end, page by page, and prints how many bytes it has, their SHA-256 in
// hex, and how many GETs the service sent to the bucket for it, by what its answers tell.
//
// Arguments: the stream's URL.
import { createHash } from "node:crypto"
import { stream } from "@durable-streams/client"

const [url] = process.argv.slice(2)
const digest = createHash("sha256")
let bytes = 0
let gets = 0

async function counted(...request) {
  const answer = await fetch(...request)
  gets += Number(/get=(\d+)/.exec(answer.headers.get("server-timing"))[1])
  return answer
}

// Without `live` the client takes one page and stops; with it, it stops at the end of a closed stream.
const session = await stream({ url, live: true, offset: "-1", fetch: counted })
for await (const piece of session.bodyStream()) {
  bytes += piece.length
  digest.update(piece)
}
console.log(bytes)
console.log(digest.digest("hex"))
console.log(gets)
