// Two ways of having too much to do. A prediction waits in the event loop and nowhere else, so the loop's delay is how long a caller waits;
// and bodies that are still coming in take memory before anything is computed.

import type { IncomingMessage, ServerResponse } from 'node:http'

export type LoopWatch = { isOverloaded: () => boolean; stop: () => void }

const SAMPLE_EVERY_MS = 100
/** Twice the slowest single answer the spec allows (§8: 500 ms). One full batch of 1000 with history stays below it. */
const OVERLOADED_FROM_MS = 1000

export function watchEventLoop(monotonicMs: () => number): LoopWatch {
  let expectedAtMs = monotonicMs() + SAMPLE_EVERY_MS
  let delayMs = 0
  const timer = setInterval(() => {
    delayMs = Math.max(0, monotonicMs() - expectedAtMs)
    expectedAtMs = monotonicMs() + SAMPLE_EVERY_MS
  }, SAMPLE_EVERY_MS)
  timer.unref()
  return {
    isOverloaded: () => delayMs >= OVERLOADED_FROM_MS || monotonicMs() - expectedAtMs >= OVERLOADED_FROM_MS,
    stop: () => clearInterval(timer),
  }
}

/** A dozen of the largest batches at once, or thousands of single predictions: each byte of JSON becomes several in memory. */
const MAX_OPEN_BODY_BYTES = 192 * 1024 * 1024

export type BodyBudget = {
  /** Whether another body of this request's size fits; if so it is counted until its answer is out or its caller gone. */
  readonly take: (request: IncomingMessage, response: ServerResponse, maxBodyBytes: number) => boolean
  readonly openBytes: () => number
}

export function createBodyBudget(maxOpenBytes = MAX_OPEN_BODY_BYTES): BodyBudget {
  let openBytes = 0
  return {
    openBytes: () => openBytes,
    take: (request, response, maxBodyBytes) => {
      // A body that does not declare its length may be as long as the route takes.
      const saidBytes = Number(request.headers['content-length'] ?? maxBodyBytes)
      const bytes = Math.min(Number.isFinite(saidBytes) ? saidBytes : maxBodyBytes, maxBodyBytes)
      if (openBytes > 0 && openBytes + bytes > maxOpenBytes) return false
      openBytes += bytes
      response.on('close', () => {
        openBytes -= bytes
      })
      return true
    },
  }
}
