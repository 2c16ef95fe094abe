/** A prediction waits in the event loop and nowhere else, so the loop's delay is how long a caller waits. */
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
