// Runs scoring rounds until it is stopped. When the engine or the database is away it waits, reports that, and goes on by itself.

import { setTimeout as delay } from 'node:timers/promises'
import { isAway, type ScoringDeps, type ScoringSettings, scoreDueVehicles } from './score-due-vehicles.ts'

export type ScoringWorker = {
  /** What `/readyz` reports: whether the engine answers and the last round went through. */
  checkReadiness(): Promise<{ ok: boolean; detail: string }>
  /** Ends after the current batch at the latest; what was claimed and not scored is given back. */
  stop(): Promise<void>
}

/** Between rounds that found nothing: the delay from a reading to its first score is about this and the engine's time. */
const IDLE_MS = 500
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000

/** So many readings waiting at once are a burst: 40 callers with one reading each bring a service to its limit (`bench/scenarios/one-point.ts`). */
const BURST_READINGS = 32
const LOOK_EVERY_MS = 50
/** Half of the interval in which a vehicle is scored once. Assumption: a health score may be that much older while a service is at its limit. */
const LONGEST_YIELD_MS = 5_000

export type ScoringWorkerDeps = ScoringDeps & {
  readonly random: () => number
  /** The most readings that waited for their commit since it was asked last. Absent where the process takes no readings. */
  readonly takeMostQueued?: (() => number) | undefined
}

export function startScoringWorker(
  deps: ScoringWorkerDeps,
  settings: ScoringSettings,
  { idleMs = IDLE_MS, firstRetryMs = FIRST_RETRY_MS, longestYieldMs = LONGEST_YIELD_MS } = {},
): ScoringWorker {
  const stopping = new AbortController()
  const { signal } = stopping
  let failure: string | undefined
  let failures = 0
  /** Claims go round the resellers. */
  let from = ''

  async function runRound(): Promise<number> {
    try {
      const { claimed, after } = await scoreDueVehicles(deps, settings, signal, from)
      from = after
      if (failure !== undefined) deps.log.warn({}, 'scoring goes on')
      failure = undefined
      failures = 0
      // More may be waiting of those it looked at, or it has not looked at all.
      return claimed >= settings.claimLimit / 2 || after !== '' ? 0 : idleMs
    } catch (error) {
      if (signal.aborted) return 0
      if (failure === undefined) deps.log.error({ err: error }, 'scoring waits; vehicles stay due')
      failure = isAway(error) ? (error as Error).message : 'the last scoring round failed; see the log'
      return Math.min(MAX_RETRY_MS, firstRetryMs * 2 ** Math.min(failures++, 10)) * (0.5 + deps.random() / 2)
    }
  }

  /**
   * A device waits for the commit of its readings, and nobody waits for a score. Devices that connect again send all they kept: scored at once, a vehicle
   * would be scored in the middle of them, and once more after them.
   */
  async function letBurstPass(): Promise<void> {
    const { takeMostQueued } = deps
    if (takeMostQueued === undefined) return
    for (let waitedMs = 0; waitedMs < longestYieldMs && !signal.aborted; waitedMs += LOOK_EVERY_MS) {
      if (takeMostQueued() < BURST_READINGS) return
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await letBurstPass()
      if (signal.aborted) return
      const waitMs = await runRound()
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    checkReadiness: async () => {
      if (!(await deps.engine.isHealthy())) return { ok: false, detail: 'the prediction engine is away; vehicles wait to be scored' }
      return failure === undefined ? { ok: true, detail: 'scoring' } : { ok: false, detail: failure }
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
