// Large batches, one after another and each in slices: probes and single predictions come in between, and never wait for a batch to end.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Computing between two looks at what else has come in. */
const SLICE_MS = 10
/** As for single answers: twice the slowest that the spec allows (§8: 500 ms). */
const BEHIND_FROM_MS = 1000

export type BatchTurns = {
  /** Maps every item when those before are done; stops early, with what there is, once nobody wants the answer any more. */
  readonly map: <Item, Result>(items: readonly Item[], toResult: (item: Item) => Result, isWanted: () => boolean) => Promise<Result[]>
  /** Whether a batch waits for longer than a caller should: then no further one is taken on. */
  readonly isBehind: () => boolean
}

/** `monotonicMs` is never set back. */
export function createBatchTurns(monotonicMs: () => number): BatchTurns {
  const waitingSinceMs: number[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    map: (items, toResult, isWanted) => {
      waitingSinceMs.push(monotonicMs())
      const results = last.then(() => {
        waitingSinceMs.shift()
        return mapInSlices(items, toResult, isWanted, monotonicMs)
      })
      // The caller gets the error; the next one begins all the same.
      last = results.catch(() => undefined)
      return results
    },
    isBehind: () => waitingSinceMs[0] !== undefined && monotonicMs() - waitingSinceMs[0] >= BEHIND_FROM_MS,
  }
}

async function mapInSlices<Item, Result>(
  items: readonly Item[],
  toResult: (item: Item) => Result,
  isWanted: () => boolean,
  monotonicMs: () => number,
): Promise<Result[]> {
  const results: Result[] = []
  let sliceEndsAtMs = monotonicMs() + SLICE_MS
  for (const item of items) {
    if (monotonicMs() >= sliceEndsAtMs) {
      await nextTurn()
      sliceEndsAtMs = monotonicMs() + SLICE_MS
      if (!isWanted()) break
    }
    results.push(toResult(item))
  }
  return results
}
