// A clock for tests: time passes when the test lets it. No test waits, and none depends on how fast it runs.

import type { Clock } from './clock.ts'

type Sleeper = { readonly ms: number; readonly untilMs: number; wake(): void }

export type TestClock = Clock & {
  /** Resolves when somebody sleeps for that long. */
  asleep(ms: number): Promise<void>
  advance(ms: number): void
  /** How long everybody slept who was woken by time, in order. */
  readonly slept: number[]
  readonly sleeperCount: () => number
}

export function createTestClock(startMs = Date.parse('2026-03-01T12:00:00.000Z')): TestClock {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  const waiting: { ms: number; resolve: () => void }[] = []
  const slept: number[] = []
  return {
    now: () => nowMs,
    slept,
    sleeperCount: () => sleepers.size,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason)
        const onAbort = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        const sleeper = {
          ms,
          untilMs: nowMs + ms,
          wake: () => {
            signal?.removeEventListener('abort', onAbort)
            slept.push(ms)
            resolve()
          },
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        sleepers.add(sleeper)
        for (const each of waiting.filter((waiter) => waiter.ms === ms)) each.resolve()
      }),
    asleep: (ms) => {
      if ([...sleepers].some((sleeper) => sleeper.ms === ms)) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ ms, resolve }))
    },
    advance: (ms) => {
      nowMs += ms
      for (const sleeper of [...sleepers]) {
        if (sleeper.untilMs > nowMs) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
    },
  }
}
