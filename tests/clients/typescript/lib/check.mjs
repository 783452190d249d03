// What the checks share: where the streams are, and how a difference is told.
import { deepStrictEqual } from "node:assert"

const base = process.env.WADI_STREAMS
if (!base) throw new Error("WADI_STREAMS must be the URL below which streams are created")

/** The URL of a stream. */
export const url = (name) => `${base}/${name}`

/** Fails unless `actual` is `expected`; says what was checked otherwise. */
export function same(what, actual, expected) {
  deepStrictEqual(actual, expected, what)
  console.log(`ok ${what}`)
}

/** Fails unless `action` throws an error that `matches` accepts. */
export async function fails(what, action, matches) {
  try {
    await action()
  } catch (error) {
    if (!matches(error)) throw error
    console.log(`ok ${what}`)
    return
  }
  throw new Error(`${what}: it did not fail`)
}

/** Bytes that repeat only after 251: every byte value, and no accidental alignment. */
export const bytes = (length, start = 0) => Uint8Array.from({ length }, (_, at) => (start + at * 7) % 251)
