// One round of scoring: vehicles that reported something new → the engine → health, predictions and whatever else hangs on a score, in one
// transaction. Several workers may run rounds at once and any of them may die at any point.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { traced } from '@roadworthy/service-kit/telemetry/tracing'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Reach } from '../../cluster/reach.ts'
import { clearDueAcrossResellers, postponeDueAcrossResellers, type SourceVersion } from '../../readings/due.sql.ts'
import { selectSourcesAcrossResellers } from '../../readings/vehicle-sources.sql.ts'
import { type EngineAlert, type EngineAnswer, EngineKeyRefused, type EnginePrediction } from '../engine/engine-answer.ts'
import type { EngineClient } from '../engine/engine-client.ts'
import { currentSignals } from '../engine/engine-input.ts'
import { maintenancePredictionsOf } from '../maintenance-predictions.ts'
import { statusOf } from '../status-of.ts'
import { type VehicleKey, vehicleKeyText } from '../vehicle-key.ts'
import { batchByNodes } from './batch-by-nodes.ts'
import { claimVehicles } from './claim-vehicles.ts'
import { lockClaimsAcrossResellers, releaseVehiclesAcrossResellers, renewClaimsAcrossResellers } from './claims.sql.ts'
import { type LoadedSubject, loadSubjectsAcrossResellers } from './load-subjects.ts'
import { publishScoresAcrossResellers } from './publish-scores.ts'
import {
  insertHealthHistoryAcrossResellers,
  replacePredictionsAcrossResellers,
  upsertVehicleHealthAcrossResellers,
  type VehicleScore,
} from './scoring.sql.ts'
import { ScoreTraces } from './trace-scores.ts'

/** A score as those who hang on it see it. */
export type Score = VehicleScore & {
  /** Recorded time of the newest reading that was scored. */
  readonly readingAt: Date
  /** Signals the vehicle reported as of then; about the others the score shows nothing new. */
  readonly currentSignals: ReadonlySet<string>
  readonly alerts: readonly EngineAlert[]
  /** What findings with one cause are together, where the engine reports it. */
  readonly incidents: EnginePrediction['incidents']
  readonly sources: readonly SourceVersion[]
}

/** Stores what follows from a batch of scores, in the transaction of the scores. Other slices bring theirs: alerts. */
export type ScoreRecorder = (db: Db, scores: readonly Score[]) => Promise<void>

export type ScoringLog = {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export type ScoringDeps = {
  readonly database: Database
  readonly engine: EngineClient
  readonly recorders: readonly ScoreRecorder[]
  readonly now: () => Date
  readonly log: ScoringLog
  /** While a node of a cluster is away: vehicles of the others are scored. */
  readonly reach?: Reach | undefined
}

export type ScoringSettings = {
  /** A vehicle is scored at most once in this time. */
  readonly intervalMs: number
  /** Most vehicles claimed in one round, and most sent to the engine in one request. */
  readonly claimLimit: number
  readonly batchSize: number
  /** For so long a claim holds without being renewed. */
  readonly leaseMs?: number
}

/**
 * 1000 vehicles with 120 earlier readings each take about 2 s on two cores whether asked about 20 or 200 at a time, but the API in the same
 * process then stands still for at most 15 ms or for up to 200.
 */
export const defaultScoringSettings: ScoringSettings = { intervalMs: 10_000, claimLimit: 500, batchSize: 25 }

/** A worker that dies gives its vehicles back after this. One that lives renews its lease, three times in it. */
export const LEASE_MS = 60_000
/** A vehicle the engine will not or cannot answer about stays due and is asked about again after this. */
export const SET_ASIDE_MS = 60_000

/** SQLSTATE of a statement that ran into `statement_timeout`. */
const QUERY_CANCELED = '57014'

export type ScoringRound = {
  readonly claimed: number
  readonly scored: number
  /** Where the next round goes on: the reseller after which it looks. */
  readonly after: string
}

/** Rejects when the engine or the database is away, having given back what it could; every vehicle not scored is still due. */
export async function scoreDueVehicles(
  deps: ScoringDeps,
  settings: ScoringSettings,
  signal: AbortSignal,
  from = '',
): Promise<ScoringRound> {
  const { claimLimit: limit, leaseMs = LEASE_MS } = settings
  const claimId = newId('clm')
  const { vehicles, after } = await claimVehicles(deps.database, { claimId, after: from, leaseMs, limit, reach: deps.reach })
  let left: readonly VehicleKey[] = vehicles
  const lease = keepLease(deps, claimId, leaseMs, () => left)
  let scored = 0
  try {
    const batches = await batchByNodes(deps.database.systemPool, vehicles, settings.batchSize)
    left = batches.flat()
    for (const batch of batches) {
      scored += await scoreBatch(deps, settings, claimId, batch, signal)
      left = left.slice(batch.length)
    }
  } catch (error) {
    await giveBack(deps, claimId, left)
    throw error
  } finally {
    await lease.stop()
  }
  return { claimed: vehicles.length, scored, after }
}

/** Renews the lease on what is left to be scored, for as long as that takes: an engine may be slow, and its client asks again. */
function keepLease({ database, log }: ScoringDeps, claimId: string, leaseMs: number, left: () => readonly VehicleKey[]) {
  let renewing: Promise<void> | undefined
  const renew = async () => {
    try {
      await renewClaimsAcrossResellers(database.systemPool, claimId, left(), leaseMs)
    } catch (error) {
      log.warn({ err: error }, 'the lease on claimed vehicles could not be renewed; what it does not hold any more is not stored')
    }
    renewing = undefined
  }
  const timer = setInterval(() => (renewing ??= renew()), leaseMs / 3)
  return {
    stop: async () => {
      clearInterval(timer)
      await renewing
    },
  }
}

/** Scores a batch; if something about one vehicle makes the whole fail, the halves are tried, so that it fails alone. */
async function scoreBatch(
  deps: ScoringDeps,
  settings: ScoringSettings,
  claimId: string,
  vehicles: readonly VehicleKey[],
  signal: AbortSignal,
): Promise<number> {
  try {
    const subjects = await deps.database.system(async (db) =>
      loadSubjectsAcrossResellers(db, vehicles, await selectKnownSources(db, deps, vehicles)),
    )
    const found = new Set(subjects.map(vehicleKeyText))
    const gone = vehicles.filter((vehicle) => !found.has(vehicleKeyText(vehicle)))
    if (gone.length > 0) await setAside(deps, claimId, gone)
    if (subjects.length === 0) return 0
    const traces = await ScoreTraces.open(deps.database.systemPool, subjects)
    return await traces.follow(async () => {
      const answers = await deps.engine.predictBatch(
        subjects.map(({ input }) => input),
        signal,
      )
      return await storeAnswers({ ...deps, traces }, settings, claimId, subjects, answers)
    })
  } catch (error) {
    signal.throwIfAborted()
    if (isAway(error) && !tookTooLong(error)) throw error
    const [first] = vehicles
    if (vehicles.length === 1 && first !== undefined) {
      deps.log.error({ err: error, ...first }, 'a vehicle could not be scored; it is set aside and stays due')
      await setAside(deps, claimId, [first])
      return 0
    }
    const half = Math.ceil(vehicles.length / 2)
    const scored = await scoreBatch(deps, settings, claimId, vehicles.slice(0, half), signal)
    return scored + (await scoreBatch(deps, settings, claimId, vehicles.slice(half), signal))
  }
}

type StoreDeps = ScoringDeps & { readonly traces: ScoreTraces }

async function storeAnswers(
  deps: StoreDeps,
  settings: ScoringSettings,
  claimId: string,
  subjects: readonly LoadedSubject[],
  answers: readonly EngineAnswer[],
): Promise<number> {
  const scoredAt = deps.now()
  const scores: Score[] = []
  const refused: VehicleKey[] = []
  subjects.forEach((subject, index) => {
    const answer = answers[index]
    if (answer?.kind === 'prediction') scores.push(toScore(subject, answer.prediction, scoredAt))
    else {
      refused.push(subject)
      deps.log.warn({ vehicleId: subject.vehicleId, refusal: answer }, 'the engine refused a vehicle; it is set aside and stays due')
    }
  })
  if (refused.length > 0) await setAside(deps, claimId, refused)
  return await storeScores(deps, claimId, scores, settings.intervalMs)
}

async function storeScores(deps: StoreDeps, claimId: string, scores: readonly Score[], holdMs: number): Promise<number> {
  if (scores.length === 0) return 0
  const store = async (db: Db) => {
    const held = new Set((await lockClaimsAcrossResellers(db, claimId, scores)).map(vehicleKeyText))
    const ours = scores.filter((score) => held.has(vehicleKeyText(score)))
    await upsertVehicleHealthAcrossResellers(db, ours)
    await insertHealthHistoryAcrossResellers(db, ours)
    await replacePredictionsAcrossResellers(db, ours, () => newId('prd'))
    await publishScoresAcrossResellers(db, ours)
    // Alerts are written here: with the score or not at all.
    for (const record of deps.recorders) await record(db, ours)
    await deps.traces.close(db, ours)
    await releaseVehiclesAcrossResellers(db, claimId, ours, holdMs)
    // Last, because from here to the commit ingest waits for the rows this takes.
    await clearDueAcrossResellers(
      db,
      ours.flatMap(({ sources }) => sources),
      holdMs,
    )
    return ours.length
  }
  return await traced({ name: 'store scores', kind: 'client', attributes: { 'db.system.name': 'postgresql' } }, () =>
    deps.database.system(store),
  )
}

function toScore(subject: LoadedSubject, prediction: EnginePrediction, scoredAt: Date): Score {
  const { healthScore, maintenanceProbability, anomalyScore, confidence } = prediction.predictions
  return {
    resellerId: subject.resellerId,
    vehicleId: subject.vehicleId,
    scoredAt,
    readingAt: subject.readingAt,
    currentSignals: new Set(currentSignals(subject.input)),
    healthScore,
    ...statusOf(prediction, subject.previousStatus),
    maintenanceProbability,
    anomalyScore,
    confidence,
    result: prediction,
    components: prediction.predictions.components,
    maintenance: maintenancePredictionsOf(prediction),
    alerts: prediction.alerts,
    incidents: prediction.incidents,
    sources: subject.sources,
  }
}

async function setAside(deps: ScoringDeps, claimId: string, vehicles: readonly VehicleKey[]): Promise<void> {
  await deps.database.system(async (db) => {
    await releaseVehiclesAcrossResellers(db, claimId, vehicles, SET_ASIDE_MS)
    await postponeDueAcrossResellers(db, vehicles, SET_ASIDE_MS, await selectKnownSources(db, deps, vehicles))
  })
}

/** Where a node is away: a statement that does not name the sources asks all nodes. */
async function selectKnownSources(db: Db, { reach }: ScoringDeps, vehicles: readonly VehicleKey[]): Promise<string[] | undefined> {
  if (reach === undefined) return undefined
  return (await selectSourcesAcrossResellers(db, vehicles)).map(({ sourceId }) => sourceId)
}

async function giveBack(deps: ScoringDeps, claimId: string, vehicles: readonly VehicleKey[]): Promise<void> {
  try {
    await deps.database.system((db) => releaseVehiclesAcrossResellers(db, claimId, vehicles, 0))
  } catch (error) {
    // They come back by themselves when the lease ends; the caller's own error is the one to report.
    deps.log.warn({ err: error }, 'claimed vehicles could not be given back')
  }
}

/** The database is there and gave up on a statement. Half the vehicles take half the time; a vehicle that takes too long alone is set aside. */
function tookTooLong(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === QUERY_CANCELED
}

/** Whether nothing is wrong with the vehicles: the engine or the database is away, or what is in front of the engine lets nothing through. */
export function isAway(error: unknown): boolean {
  return (error instanceof Problem && error.code === 'unavailable') || error instanceof EngineKeyRefused || isOutage(error)
}
