// Runs scoring rounds until it is stopped. When the engine or the database is away it waits, reports that, and goes on by itself.

import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isStorageError } from '@roadworthy/service-kit/postgres/db'
import { ClusterReach } from '../../cluster/reach.ts'
import { EngineKeyRefused } from '../engine/engine-answer.ts'
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

export type ScoringWorkerDeps = Omit<ScoringDeps, 'reach'> & {
  /** Of the process, so that all its work looks once. */
  readonly reached?: ClusterReach
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
  const { reached = new ClusterReach(deps.database) } = deps
  let failure: string | undefined
  let isPartly = false
  let failures = 0
  /** Claims go round the resellers. */
  let from = ''

  async function runRound(): Promise<number> {
    try {
      const { claimed, after } = await reached.run((reach) => {
        if (reach !== undefined && !isPartly) deps.log.error({ away: reach.away.map(addressOf) }, NODE_AWAY)
        isPartly = reach !== undefined
        return scoreDueVehicles({ ...deps, reach }, settings, signal, from)
      })
      from = after
      if (failure !== undefined && !isPartly) deps.log.warn({}, 'scoring goes on')
      failure = isPartly ? NODE_AWAY : undefined
      failures = 0
      // More may be waiting of those it looked at, or it has not looked at all.
      return claimed >= settings.claimLimit / 2 || after !== '' ? 0 : idleMs
    } catch (error) {
      if (signal.aborted) return 0
      if (failure === undefined || failure === NODE_AWAY) deps.log.error({ err: error }, 'scoring waits; vehicles stay due')
      failure = describeFailure(error)
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
      if (failure !== KEY_REFUSED && !(await deps.engine.isHealthy()))
        return { ok: false, detail: 'the prediction engine is away; vehicles wait to be scored' }
      return failure === undefined ? { ok: true, detail: 'scoring' } : { ok: false, detail: failure }
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

const NODE_AWAY = 'a node of the cluster is away; vehicles whose readings it has wait to be scored'
const addressOf = ({ host, port }: { host: string; port: number }) => `${host}:${port}`

const KEY_REFUSED = 'a proxy in front of the prediction engine refuses ENGINE_KEY; vehicles wait to be scored'

/** For `/readyz`, which anybody may read: what a library reports may hold addresses, and stays in the log. */
function describeFailure(error: unknown): string {
  if (!isAway(error)) return 'the last scoring round failed; see the log'
  if (error instanceof EngineKeyRefused) return KEY_REFUSED
  if (isStorageError(error)) return 'the database cannot write; vehicles wait to be scored'
  return error instanceof Problem ? error.message : 'the database does not answer; vehicles wait to be scored'
}
