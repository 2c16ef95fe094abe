// Statements of the scoring worker. It works across resellers, in batches, and takes no lock that ingest could wait for.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { HealthStatus } from '@roadworthy/signals/health-bands'
import type { SourceVersion } from '../../readings/due.sql.ts'
import { stateKeyText } from '../../readings/locked-states.sql.ts'
import { type DescriptionRow, descriptionFromRow } from '../described-vehicles.read.sql.ts'
import type { DescribedVehicle, PastReading, SourceState } from '../engine/engine-input.ts'
import type { MaintenancePrediction } from '../maintenance-predictions.ts'
import { keyColumns, type VehicleKey, vehicleKeyText } from '../vehicle-key.ts'

export type ScoringSubject = VehicleKey &
  DescribedVehicle & {
    readonly previousStatus: HealthStatus | undefined
    readonly modelYear: number | undefined
    readonly sources: readonly (SourceState & SourceVersion)[]
  }

/**
 * What is known of each vehicle now. Vehicles that no source reports for any more are left out, and retired ones. `sourceIds`: of the vehicles, where only the nodes
 * that have them can be asked.
 */
export async function selectScoringSubjectsAcrossResellers(
  db: Db,
  vehicles: readonly VehicleKey[],
  sourceIds?: readonly string[],
): Promise<ScoringSubject[]> {
  const { rows } = await db.query<SourceRow>(
    `with source_states as materialized (
       select reseller_id, vehicle_id, source_id, xmin::text as version, recorded_at, signals, states, fix_recorded_at, latitude, longitude
         from latest_states
        where vehicle_id = any ($2) and (reseller_id, vehicle_id) in (select * from unnest($1::text[], $2::text[]))
              ${sourceIds === undefined ? '' : 'and source_id = any ($3)'}
     )
     select s.*, v.year, v.vehicle_class, v.fuel_type, v.drivetrain, v.battery_nominal_v, v.vin, h.health_status
       from source_states s
       join vehicles v on v.reseller_id = s.reseller_id and v.vehicle_id = s.vehicle_id and v.status = 'active'
       left join vehicle_health h on h.reseller_id = s.reseller_id and h.vehicle_id = s.vehicle_id`,
    [...keyColumns(vehicles), ...(sourceIds === undefined ? [] : [sourceIds])],
  )
  return subjectsFromRows(rows)
}

/**
 * Assumption: a vehicle has a device or two, and a few gateways may name it. Each source costs a look-up of its own, and the statement is for
 * vehicles of all resellers: one that a thousand devices name must not make the others wait.
 */
const MAX_SOURCES_OF_HISTORY = 16

/**
 * Lamps, codes and what is implausible take less as PostgreSQL stores them. A reading may have a megabyte that only its sender understands: opened for each of a hundred readings, it would
 * make all vehicles of the statement wait, or come to more than a process can hold.
 */
const isSmall = (attributes: string) => `pg_column_size(${attributes}) <= 4096`

export type HistoryWanted = VehicleKey & {
  readonly before: Date
  readonly sources: readonly { readonly sourceId: string; readonly recordedAtMs: number }[]
}

/**
 * Readings of each vehicle before the given time, the newest `limit` of them, oldest first, by key of `vehicleKeyText`. Found by the
 * sources that reported for the vehicle last and the readings' primary key; those a source reported while it was in another vehicle are not
 * this vehicle's. The window keeps the search to a few partitions, most often one. `isOfSomeNodes`: only the nodes that have the sources can be asked; Citus does not
 * see by the state that readings are of the same shards.
 */
export async function selectHistoriesAcrossResellers(
  db: Db,
  vehicles: readonly HistoryWanted[],
  { limit, windowMs, isOfSomeNodes = false }: { limit: number; windowMs: number; isOfSomeNodes?: boolean },
): Promise<Map<string, PastReading[]>> {
  const wanted = vehicles.flatMap((vehicle) =>
    vehicle.sources
      .filter(({ recordedAtMs }) => recordedAtMs >= vehicle.before.getTime() - windowMs)
      .sort((a, b) => b.recordedAtMs - a.recordedAtMs)
      .slice(0, MAX_SOURCES_OF_HISTORY)
      .map(({ sourceId }) => ({ sourceId, vehicleId: vehicle.vehicleId, before: vehicle.before })),
  )
  if (wanted.length === 0) return new Map()
  const beforeMs = wanted.map(({ before }) => before.getTime())
  // From the state to its readings, which a cluster has on one shard: a join of anything else with the newest of each source it would not plan.
  const { rows } = await db.query<HistoryRow>(
    `select reseller_id, vehicle_id, recorded_at, signals, case when ${isSmall('attributes')} then attributes - 'extra' end as attributes
       from (select l.reseller_id, l.vehicle_id, n.recorded_at, n.signals, n.attributes,
                    row_number() over (partition by l.reseller_id, l.vehicle_id order by n.recorded_at desc) as nth
               from latest_states l
              cross join lateral (
                select r.recorded_at, r.signals, r.attributes
                  from readings r
                 where r.source_id = l.source_id and r.reseller_id = l.reseller_id and r.vehicle_id = l.vehicle_id
                   and r.recorded_at < ($3::timestamptz[])[array_position($2::text[], l.source_id || ' ' || l.vehicle_key)]
                   and r.recorded_at >= ($3::timestamptz[])[array_position($2::text[], l.source_id || ' ' || l.vehicle_key)] - $4::interval
                   ${isOfSomeNodes ? 'and r.source_id = any ($1)' : ''}
                   -- of all of them, for the planner to leave the other partitions alone
                   and r.recorded_at < $6 and r.recorded_at >= $7
                   and (r.signals is not null or (${isSmall('r.attributes')} and r.attributes ?| array['lamps', 'dtcCodes']))
                 order by r.recorded_at desc
                 limit $5
              ) n
              where l.source_id = any ($1) and l.source_id || ' ' || l.vehicle_key = any ($2)) ranked
      where nth <= $5
      order by recorded_at`,
    [
      wanted.map(({ sourceId }) => sourceId),
      wanted.map(stateKeyText),
      wanted.map(({ before }) => before),
      ...[`${windowMs} milliseconds`, limit],
      ...[new Date(Math.max(...beforeMs)), new Date(Math.min(...beforeMs) - windowMs)],
    ],
  )
  return historiesFromRows(rows)
}

export type VehicleScore = VehicleKey & {
  readonly scoredAt: Date
  readonly healthScore: number
  readonly healthStatus: HealthStatus
  readonly riskLevel: string
  readonly maintenanceProbability: number
  readonly anomalyScore: number
  readonly confidence: number
  /** The engine's whole answer. */
  readonly result: object
  /** Health of each component. */
  readonly components: Readonly<Record<string, number>>
  readonly maintenance: readonly MaintenancePrediction[]
}

export async function upsertVehicleHealthAcrossResellers(db: Db, scores: readonly VehicleScore[]): Promise<void> {
  await db.query(
    `insert into vehicle_health (reseller_id, vehicle_id, health_score, health_status, risk_level, maintenance_probability, anomaly_score,
                                 confidence, result, scored_at)
     select * from unnest($1::text[], $2::text[], $3::float8[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::float8[],
                          $9::jsonb[], $10::timestamptz[])
     on conflict (reseller_id, vehicle_id) do update
        set health_score = excluded.health_score, health_status = excluded.health_status, risk_level = excluded.risk_level,
            maintenance_probability = excluded.maintenance_probability, anomaly_score = excluded.anomaly_score,
            confidence = excluded.confidence, result = excluded.result, scored_at = excluded.scored_at`,
    [
      ...keyColumns(scores),
      scores.map(({ healthScore }) => healthScore),
      scores.map(({ healthStatus }) => healthStatus),
      scores.map(({ riskLevel }) => riskLevel),
      scores.map(({ maintenanceProbability }) => maintenanceProbability),
      scores.map(({ anomalyScore }) => anomalyScore),
      scores.map(({ confidence }) => confidence),
      scores.map(({ result }) => JSON.stringify(result)),
      scores.map(({ scoredAt }) => scoredAt),
    ],
  )
}

/** A point of history where the score moved by a point, the status changed, or an hour passed since the last one. */
export async function insertHealthHistoryAcrossResellers(db: Db, scores: readonly VehicleScore[]): Promise<void> {
  await db.query(
    `insert into health_history (reseller_id, vehicle_id, scored_at, health_score, health_status, components, sub_client_id)
     select s.reseller_id, s.vehicle_id, s.scored_at, s.health_score, s.health_status, s.components, coalesce(v.sub_client_id, '')
       from unnest($1::text[], $2::text[], $3::timestamptz[], $4::float8[], $5::text[], $6::jsonb[])
            s (reseller_id, vehicle_id, scored_at, health_score, health_status, components)
       join vehicles v on v.reseller_id = s.reseller_id and v.vehicle_id = s.vehicle_id
       left join lateral (
         select h.scored_at, h.health_score, h.health_status
           from health_history h
          where h.reseller_id = s.reseller_id and h.vehicle_id = s.vehicle_id
            -- Of one from longer ago nothing is asked; this leaves the partitions of other weeks alone.
            and h.scored_at > s.scored_at - interval '1 hour'
          order by h.scored_at desc
          limit 1
       ) last on true
      where last.scored_at is null or abs(s.health_score - last.health_score) >= 1 or s.health_status <> last.health_status
         or s.scored_at >= last.scored_at + interval '1 hour'
     on conflict (reseller_id, vehicle_id, scored_at) do nothing`,
    [
      ...keyColumns(scores),
      scores.map(({ scoredAt }) => scoredAt),
      scores.map(({ healthScore }) => healthScore),
      scores.map(({ healthStatus }) => healthStatus),
      scores.map(({ components }) => JSON.stringify(components)),
    ],
  )
}

/** One row per component, kept as long as the engine gives it a remaining life; rows that would not change are not written. */
export async function replacePredictionsAcrossResellers(
  db: Db,
  scores: readonly VehicleScore[],
  newPredictionId: () => string,
): Promise<void> {
  const rows = scores.flatMap((score) => score.maintenance.map((prediction) => ({ score, prediction })))
  const keys = keyColumns(rows.map(({ score }) => score))
  await db.query(
    `delete from predictions p
      using unnest($1::text[], $2::text[]) s (reseller_id, vehicle_id)
      where p.reseller_id = s.reseller_id and p.vehicle_id = s.vehicle_id
        and not exists (select from unnest($3::text[], $4::text[], $5::text[]) k (reseller_id, vehicle_id, component)
                         where k.reseller_id = p.reseller_id and k.vehicle_id = p.vehicle_id and k.component = p.component)`,
    [...keyColumns(scores), ...keys, rows.map(({ prediction }) => prediction.component)],
  )
  await db.query(
    `insert into predictions as kept (reseller_id, vehicle_id, prediction_id, component, issue, rul_days, rul_p10_days, rul_p90_days,
                                      confidence, severity, created_at, updated_at)
     select u.*, u.at from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::float8[], $8::float8[],
                                  $9::float8[], $10::text[], $11::timestamptz[])
            u (reseller_id, vehicle_id, prediction_id, component, issue, rul_days, rul_p10_days, rul_p90_days, confidence, severity, at)
     on conflict on constraint predictions_component_key do update
        set issue = excluded.issue, rul_days = excluded.rul_days, rul_p10_days = excluded.rul_p10_days,
            rul_p90_days = excluded.rul_p90_days, confidence = excluded.confidence, severity = excluded.severity,
            updated_at = excluded.updated_at
      where (kept.issue, kept.rul_days, kept.rul_p10_days, kept.rul_p90_days, kept.confidence, kept.severity)
            is distinct from (excluded.issue, excluded.rul_days, excluded.rul_p10_days, excluded.rul_p90_days, excluded.confidence,
                              excluded.severity)`,
    [
      ...keys,
      rows.map(() => newPredictionId()),
      rows.map(({ prediction }) => prediction.component),
      rows.map(({ prediction }) => prediction.issue),
      rows.map(({ prediction }) => prediction.rulDays),
      rows.map(({ prediction }) => prediction.rulP10Days),
      rows.map(({ prediction }) => prediction.rulP90Days),
      rows.map(({ prediction }) => prediction.confidence),
      rows.map(({ prediction }) => prediction.severity),
      rows.map(({ score }) => score.scoredAt),
    ],
  )
}

type VehicleRow = { reseller_id: string; vehicle_id: string }

type SourceRow = VehicleRow &
  DescriptionRow & {
    year: number | null
    health_status: HealthStatus | null
    source_id: string
    version: string
    recorded_at: Date
    signals: SourceState['signals']
    states: SourceState['states']
    fix_recorded_at: Date | null
    latitude: number | null
    longitude: number | null
  }

type HistoryRow = VehicleRow & { recorded_at: Date; signals: PastReading['signals']; attributes: PastReading['attributes'] }

function vehicleKeyFromRow(row: VehicleRow): VehicleKey {
  return { resellerId: row.reseller_id, vehicleId: row.vehicle_id }
}

function subjectsFromRows(rows: readonly SourceRow[]): ScoringSubject[] {
  const byVehicle = Map.groupBy(rows, (row) => vehicleKeyText(vehicleKeyFromRow(row)))
  return [...byVehicle.values()].flatMap((ofVehicle) => {
    const [first] = ofVehicle
    if (first === undefined) return []
    return [
      {
        ...vehicleKeyFromRow(first),
        previousStatus: first.health_status ?? undefined,
        modelYear: first.year ?? undefined,
        ...descriptionFromRow(first),
        sources: ofVehicle.map(sourceFromRow),
      },
    ]
  })
}

function sourceFromRow(row: SourceRow): SourceState & SourceVersion {
  const { latitude, longitude, fix_recorded_at: fixRecordedAt } = row
  const hasFix = latitude !== null && longitude !== null && fixRecordedAt !== null
  return {
    sourceId: row.source_id,
    vehicleId: row.vehicle_id,
    version: row.version,
    recordedAtMs: row.recorded_at.getTime(),
    signals: row.signals,
    states: row.states,
    fix: hasFix ? { latitude, longitude, recordedAtMs: fixRecordedAt.getTime() } : undefined,
  }
}

function historiesFromRows(rows: readonly HistoryRow[]): Map<string, PastReading[]> {
  const histories = new Map<string, PastReading[]>()
  for (const row of rows) {
    const key = vehicleKeyText(vehicleKeyFromRow(row))
    const readings = histories.get(key) ?? []
    readings.push({ recordedAtMs: row.recorded_at.getTime(), signals: row.signals, attributes: row.attributes })
    histories.set(key, readings)
  }
  return histories
}
