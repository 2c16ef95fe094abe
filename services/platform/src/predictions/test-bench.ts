// For tests only: a reseller whose vehicles report and are scored, with an engine at the edge and a clock held by hand.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { newId } from '@roadworthy/service-kit/text/ids'
import { recordAlertsAcrossResellers } from '../alerts/record-alerts.ts'
import { recordUseAcrossResellers } from '../maintenance/record-use.ts'
import { createReading, type Reading, type ReadingContent } from '../readings/reading.ts'
import { insertReseller, storeReadings } from '../test-support.ts'
import { createEngineClient } from './engine/engine-client.ts'
import { type FakeEngine, startFakeEngine } from './engine/test-engine.ts'
import { type ScoringDeps, type ScoringSettings, scoreDueVehicles } from './scoring/score-due-vehicles.ts'

export const START_MS = Date.parse('2026-11-20T12:00:00.000Z')
export const benchSettings: ScoringSettings = { intervalMs: 10_000, claimLimit: 50, batchSize: 10 }
/** A test does what it does before the engine answers, also on a machine with much to do. */
const PATIENCE = { singleTimeoutMs: 60_000, batchTimeoutMs: 60_000 }
export const never = new AbortController().signal

export type Bench = {
  readonly resellerId: string
  /** Asked unless another engine's address was given. */
  readonly engine: FakeEngine
  readonly deps: ScoringDeps
  /** What scoring logged. */
  readonly logged: string[]
  readonly clock: { nowMs: number }
  /** Has the database's clock, by which vehicles are held, follow the one held by hand. A round does it by itself. */
  letTimePass(): Promise<void>
  /** One round; answers how many vehicles were scored. */
  score(): Promise<number>
  addVehicle(more?: { vehicleId?: string; externalRef?: string; subClientId?: string; year?: number }): Promise<string>
  addSubClient(subClientId: string): Promise<string>
  /** A committed reading, by ingest's own statement. */
  report(
    vehicleId: string | undefined,
    content: Partial<ReadingContent>,
    about?: { sourceId?: string; subClientId?: string },
  ): Promise<Reading>
  /** Vehicles with something new. */
  due(): Promise<string[]>
}

/** Nothing due of another test is left behind. */
export async function startBench(t: CleanUp, database: Database, { engineUrl }: { engineUrl?: string } = {}): Promise<Bench> {
  const pool = database.systemPool
  await pool.query('update latest_states set due = false')
  const resellerId = await insertReseller(database, `r-${newId('x').slice(2, 14)}`)
  const engine = await startFakeEngine()
  t.after(engine.stop)
  const clock = { nowMs: START_MS }
  const logged: string[] = []
  const deps: ScoringDeps = {
    database,
    engine: createEngineClient({ engineUrl: engineUrl ?? engine.url, random: () => 0, retryDelayMs: 1, ...PATIENCE }),
    recorders: [recordUseAcrossResellers, recordAlertsAcrossResellers],
    now: () => new Date(clock.nowMs),
    log: { warn: (_details, message) => logged.push(message), error: (_details, message) => logged.push(message) },
  }
  let passedMs = clock.nowMs
  const letTimePass = async () => {
    const ms = clock.nowMs - passedMs
    passedMs = clock.nowMs
    if (ms === 0) return
    const ago = 'make_interval(secs => $2::float8 / 1000)'
    await pool.query(`update scoring_claims set held_until = held_until - ${ago} where reseller_id = $1`, [resellerId, ms])
    const { rows: waiting } = await pool.query<{ source_id: string; vehicle_key: string; at: string }>(
      `select source_id, vehicle_key, (score_after - ${ago})::text as at from latest_states where reseller_id = $1 and score_after > now()`,
      [resellerId, ms],
    )
    await pool.query(
      `update latest_states l set score_after = w.at from unnest($1::text[], $2::text[], $3::timestamptz[]) w (source_id, vehicle_key, at)
        where l.source_id = w.source_id and l.vehicle_key = w.vehicle_key`,
      [waiting.map((row) => row.source_id), waiting.map((row) => row.vehicle_key), waiting.map((row) => row.at)],
    )
  }
  return {
    resellerId,
    engine,
    deps,
    logged,
    clock,
    letTimePass,
    score: async () => {
      await letTimePass()
      return (await scoreDueVehicles(deps, benchSettings, never)).scored
    },
    addVehicle: async ({ vehicleId = newId('veh'), externalRef, subClientId, year } = {}) => {
      await pool.query(
        'insert into vehicles (reseller_id, vehicle_id, external_ref, sub_client_id, year, created_at) values ($1, $2, $3, $4, $5, $6)',
        [resellerId, vehicleId, externalRef ?? null, subClientId ?? null, year ?? null, new Date(clock.nowMs)],
      )
      return vehicleId
    },
    addSubClient: async (subClientId) => {
      await pool.query('insert into sub_clients (reseller_id, sub_client_id, name) values ($1, $2, $2)', [resellerId, subClientId])
      return subClientId
    },
    report: async (vehicleId, content, { sourceId = vehicleId ?? '', subClientId } = {}) => {
      const deviceId = sourceId.startsWith('dev-') ? sourceId.split('.')[0] : undefined
      const whole = { recordedAtMs: clock.nowMs, position: undefined, signals: {}, attributes: {}, implausible: [], ...content }
      const reading = createReading(whole, {
        ...{ kind: 'telemetry', resellerId, sourceId, deviceId, vehicleId, subClientId },
        receivedAtMs: clock.nowMs,
      })
      await storeReadings(database, [reading])
      return reading
    },
    due: async () => {
      const { rows } = await pool.query<{ vehicle_id: string }>(
        'select vehicle_id from latest_states where reseller_id = $1 and due and vehicle_id is not null order by 1',
        [resellerId],
      )
      return rows.map((row) => row.vehicle_id)
    },
  }
}
