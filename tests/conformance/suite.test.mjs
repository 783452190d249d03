// The published suite as it is, against the server that tests/tests/conformance.rs starts.
import { runConformanceTests } from "@durable-streams/server-conformance-tests"

const baseUrl = process.env.WADI_SERVER
if (!baseUrl) throw new Error("WADI_SERVER must be the URL of the server to test")

runConformanceTests({ baseUrl })
