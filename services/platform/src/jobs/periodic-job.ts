import type { JobKind } from './job.ts'

export type PeriodicWork = {
  readonly kind: string
  /** Wait after the end of a round, unless the round answers how long. A round that fails is repeated after a wait that doubles. */
  readonly everyMs: number
  /** Rounds that may be under way at once in all workers together. A worker does one of them at a time. Default 1. */
  readonly slots?: number
  /** One round; it may answer how long to wait for the next, in ms. */
  readonly run: (signal: AbortSignal) => Promise<number | undefined>
}

/** Work of the installation that is due again and again: a round is done by one worker, whichever is free. */
export function periodicJob({ kind, everyMs, slots = 1, run }: PeriodicWork, now: () => Promise<Date>): JobKind {
  return {
    kind,
    concurrency: 1,
    perReseller: 1,
    periodicKeys: Array.from({ length: slots }, (_, nth) => String(nth)),
    run: async (_job, signal) => {
      const waitMs = (await run(signal)) ?? everyMs
      return { againAt: new Date((await now()).getTime() + waitMs) }
    },
  }
}

/** Several pieces of periodic work of one kind, each with a row, a failure count and a wait of its own: `everyMs`, unless it has another. */
export function periodicSteps(
  kind: string,
  everyMs: number,
  steps: readonly {
    readonly name: string
    readonly everyMs?: number | undefined
    readonly run: (signal: AbortSignal) => Promise<unknown>
  }[],
  now: () => Promise<Date>,
): JobKind {
  const stepOf = new Map(steps.map((step) => [step.name, step]))
  return {
    kind,
    concurrency: 1,
    perReseller: 1,
    periodicKeys: steps.map(({ name }) => name),
    run: async ({ key }, signal) => {
      // A step of another release is left to workers of that release.
      const step = stepOf.get(key)
      await step?.run(signal)
      return { againAt: new Date((await now()).getTime() + (step?.everyMs ?? everyMs)) }
    },
  }
}
