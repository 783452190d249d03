import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["suite.test.mjs"],
    // Some of its tests wait for a long-poll to end by itself, which takes 20 s.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
