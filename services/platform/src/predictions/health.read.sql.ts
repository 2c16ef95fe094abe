// Vehicles with their health, the health of one, and its history.

import assert from 'node:assert/strict'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { HealthStatus, RiskLevel } from '@roadworthy/signals/health-bands'
import { isOfServedDevice } from '../devices/connections.read.sql.ts'
import type { VehicleFields } from '../fleet/vehicle.ts'
import { type VehicleRow, vehicleFieldsFromRow } from '../fleet/vehicle-row.ts'
import type { TimeRange } from '../readings/time-range.ts'
import { selectSourcesOfVehicles } from '../readings/vehicle-sources.sql.ts'
import type { EnginePrediction } from './engine/engine-answer.ts'

export type JudgedVehicle = VehicleFields & {
  /** Of the device linked last; looked up only where a vehicle has neither name nor plate to be shown by. */
  readonly deviceName: string | undefined
  readonly health:
    | { readonly score: number; readonly status: HealthStatus; readonly riskLevel: RiskLevel; readonly scoredAt: Date }
    | undefined
  readonly lastReadingAt: Date | undefined
  /** By our clock, where `lastReadingAt` is by the device's. */
  readonly lastHeardAt: Date | undefined
  readonly location: VehicleLocation | undefined
  readonly openAlertCount: number
}

/** The newest position of the sources that report for the vehicle. */
export type VehicleLocation = {
  readonly latitude: number
  readonly longitude: number
  readonly headingDeg: number | undefined
  readonly speedKmh: number | undefined
  /** As of the position, else the newest that its source reported. */
  readonly ignition: boolean | undefined
  readonly batteryVoltageV: number | undefined
  readonly recordedAt: Date
}

/**
 * In no order; of the ids that there are. A vehicle and what its sources reported of it are of one statement, because the same right shows both.
 * By the sources, so that on a cluster only their shards are asked.
 */
export async function selectJudgedVehicles(db: Db, resellerId: string, vehicleIds: readonly string[]): Promise<JudgedVehicle[]> {
  const sourceIds = await selectSourcesOfVehicles(db, resellerId, vehicleIds)
  const { rows } = await db.query<JudgedRow>(
    `with reported as materialized (
       select l.vehicle_id, l.recorded_at, case when ${isOfServedDevice} then l.received_at end as heard_at,
              l.latitude, l.longitude, l.fix_recorded_at, (l.fix->>'headingDeg')::float8 as heading_deg,
              (l.fix->>'speedKmh')::float8 as speed_kmh,
              coalesce((l.fix->>'ignition')::boolean, (l.states->'ignition'->>0)::boolean) as ignition,
              coalesce((l.fix->>'batteryVoltageV')::float8, (l.signals->'batteryVoltageV'->>0)::float8) as battery_voltage_v
         from latest_states l
        where l.source_id = any ($3::text[]) and l.reseller_id = $1
     )
     select v.*, h.health_score, h.health_status, h.risk_level, h.scored_at, d.device_name,
            (select count(*)::int from alerts a
              where a.reseller_id = v.reseller_id and a.vehicle_id = v.vehicle_id and a.status <> 'resolved') as open_alert_count,
            s.recorded_at, s.heard_at, s.latitude, s.longitude, s.fix_recorded_at, s.heading_deg, s.speed_kmh, s.ignition, s.battery_voltage_v
       from vehicles v
            left join vehicle_health h on h.reseller_id = v.reseller_id and h.vehicle_id = v.vehicle_id
            left join reported s on s.vehicle_id = v.vehicle_id
            left join lateral (
              select name as device_name from devices
               where v.name is null and v.license_plate is null
                 and reseller_id = v.reseller_id and vehicle_id = v.vehicle_id and status <> 'decommissioned'
               order by vehicle_linked_at desc nulls last, device_id
               limit 1
            ) d on true
      where v.reseller_id = $1 and v.vehicle_id = any ($2)
      order by s.fix_recorded_at desc nulls last`,
    [resellerId, vehicleIds, sourceIds],
  )
  return [...Map.groupBy(rows, (row) => row.vehicle_id).values()].map(vehicleFromRows)
}

export type StoredHealth = {
  readonly healthStatus: HealthStatus
  readonly riskLevel: RiskLevel
  readonly scoredAt: Date
  readonly result: EnginePrediction
}

export async function selectVehicleHealth(db: Db, resellerId: string, vehicleId: string): Promise<StoredHealth | undefined> {
  const { rows } = await db.query<HealthRow>(
    'select health_status, risk_level, scored_at, result from vehicle_health where reseller_id = $1 and vehicle_id = $2',
    [resellerId, vehicleId],
  )
  const [row] = rows
  return row && { healthStatus: row.health_status, riskLevel: row.risk_level, scoredAt: row.scored_at, result: row.result }
}

export type HealthPoint = {
  readonly scoredAt: Date
  readonly healthScore: number
  readonly healthStatus: HealthStatus
  /** Null of points of before components were kept. */
  readonly components: Readonly<Record<string, number>> | null
}

/** Oldest first, one more than asked when there is one. */
export async function selectHealthHistory(
  db: Db,
  resellerId: string,
  vehicleId: string,
  range: TimeRange,
  page: PageRequest,
): Promise<HealthPoint[]> {
  const { rows } = await db.query<{
    scored_at: Date
    health_score: number
    health_status: HealthStatus
    components: HealthPoint['components']
  }>(
    `select scored_at, health_score, health_status, components
       from health_history
      where reseller_id = $1 and vehicle_id = $2 and scored_at >= $3 and scored_at < $4 and scored_at > $5::timestamptz
      order by scored_at
      limit $6`,
    [resellerId, vehicleId, range.from, range.to, page.after.at, page.limit + 1],
  )
  return rows.map(({ scored_at: scoredAt, health_score: healthScore, health_status: healthStatus, components }) => ({
    ...{ scoredAt, healthScore, healthStatus, components },
  }))
}

export async function countHealthHistory(db: Db, resellerId: string, vehicleId: string, range: TimeRange): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from health_history
      where reseller_id = $1 and vehicle_id = $2 and scored_at >= $3 and scored_at < $4`,
    [resellerId, vehicleId, range.from, range.to],
  )
  return rows[0]?.count ?? 0
}

type HealthRow = { health_status: HealthStatus; risk_level: RiskLevel; scored_at: Date; result: EnginePrediction }

/** One for each source that reported the vehicle, else one. */
type JudgedRow = VehicleRow & {
  device_name: string | null
  health_score: number | null
  health_status: HealthStatus | null
  risk_level: RiskLevel | null
  scored_at: Date | null
  open_alert_count: number
  recorded_at: Date | null
  heard_at: Date | null
  latitude: number | null
  longitude: number | null
  fix_recorded_at: Date | null
  heading_deg: number | null
  speed_kmh: number | null
  ignition: boolean | null
  battery_voltage_v: number | null
}

/** Of one vehicle, the newest position first. */
function vehicleFromRows(rows: readonly JudgedRow[]): JudgedVehicle {
  const row = rows[0] ?? assert.fail('a group has a row')
  const { health_score: score, health_status: status, risk_level: riskLevel, scored_at: scoredAt } = row
  const isScored = score !== null && status !== null && riskLevel !== null && scoredAt !== null
  return {
    ...vehicleFieldsFromRow(row),
    deviceName: row.device_name ?? undefined,
    health: isScored ? { score, status, riskLevel, scoredAt } : undefined,
    lastReadingAt: latestOf(rows.map(({ recorded_at }) => recorded_at)),
    lastHeardAt: latestOf(rows.map(({ heard_at }) => heard_at)),
    location: locationFromRow(row),
    openAlertCount: row.open_alert_count,
  }
}

function latestOf(dates: readonly (Date | null)[]): Date | undefined {
  const times = dates.flatMap((date) => date?.getTime() ?? [])
  return times.length === 0 ? undefined : new Date(Math.max(...times))
}

function locationFromRow(row: JudgedRow): VehicleLocation | undefined {
  const { latitude, longitude, fix_recorded_at: recordedAt } = row
  if (latitude === null || longitude === null || recordedAt === null) return undefined
  return {
    ...{ latitude, longitude, recordedAt },
    headingDeg: row.heading_deg ?? undefined,
    speedKmh: row.speed_kmh ?? undefined,
    ignition: row.ignition ?? undefined,
    batteryVoltageV: row.battery_voltage_v ?? undefined,
  }
}
