import type { Db } from '@roadworthy/service-kit/postgres/db'
import { keyColumns, type VehicleKey, vehicleKeyText } from '../predictions/vehicle-key.ts'
import type { Meter, MeterStep, OdometerAround, ReportedMeters, RunTime } from './meter.ts'

export type HeardVehicle = VehicleKey & { readonly meter: Meter | undefined; readonly reported: ReportedMeters }

/**
 * What vehicles last reported of their odometer and run time, with what their meters stood at. Of several sources the newer counts. `sourceIds`: those of the vehicles,
 * where they are known, by which a cluster asks only the nodes that have them.
 */
export async function selectHeardAcrossResellers(
  db: Db,
  vehicles: readonly VehicleKey[],
  sourceIds?: readonly string[],
): Promise<HeardVehicle[]> {
  const newest = (signal: string) =>
    `max(array[(signals #>> '{${signal},1}')::float8, (signals #>> '{${signal},0}')::float8])
       filter (where jsonb_typeof(signals #> '{${signal},0}') = 'number')`
  const { rows } = await db.query<HeardRow>(
    `with reported as materialized (
       select reseller_id, vehicle_id, ${newest('odometerKm')} as odometer, ${newest('engineRunTimeS')} as run_time
         from latest_states
        where vehicle_id = any ($2) and (reseller_id, vehicle_id) in (select * from unnest($1::text[], $2::text[]))
              ${sourceIds === undefined ? '' : 'and source_id = any ($3)'}
        group by reseller_id, vehicle_id
     )
     select w.reseller_id, w.vehicle_id, m.vehicle_id is not null as is_kept, m.odometer_km, m.odometer_at, m.odometer_offset_km,
            m.corrected_at, m.engine_hours, m.engine_hours_at, m.run_time_s, s.odometer, s.run_time
       from unnest($1::text[], $2::text[]) w (reseller_id, vehicle_id)
       left join vehicle_meters m on m.reseller_id = w.reseller_id and m.vehicle_id = w.vehicle_id
       left join reported s on s.reseller_id = w.reseller_id and s.vehicle_id = w.vehicle_id`,
    [...keyColumns(vehicles), ...(sourceIds === undefined ? [] : [sourceIds])],
  )
  return rows.map(heardFromRow)
}

/** Assumption: what a vehicle keeps for longer while it is out of reach is not worth the time that looking for it takes. */
const STARTS_WITHIN_MS = 7 * 86_400_000

/**
 * Of vehicles that were started since their meters were read: the readings before and after each start, oldest first, by key of `vehicleKeyText`. Of several
 * sources those of the one that was heard last.
 */
export async function selectStartsAcrossResellers(
  db: Db,
  vehicles: readonly (VehicleKey & { readonly since: Date; readonly until: Date })[],
  sourceIds?: readonly string[],
): Promise<Map<string, RunTime[]>> {
  if (vehicles.length === 0) return new Map()
  const since = vehicles.map((vehicle) => new Date(Math.max(vehicle.since.getTime(), vehicle.until.getTime() - STARTS_WITHIN_MS)))
  const until = vehicles.map((vehicle) => vehicle.until)
  const ofVehicle = (times: string) => `(${times}::timestamptz[])[array_position($3::text[], l.reseller_id || ' ' || l.vehicle_id)]`
  // From the state to its readings, which a cluster has on one shard. Bounds of all of them besides, for the planner to leave the other partitions alone.
  const { rows } = await db.query<StartRow>(
    `select l.reseller_id, l.vehicle_id, l.source_id, n.recorded_at, n.run_time_s, n.next_at, n.next_s
       from latest_states l
      cross join lateral (
        select recorded_at, run_time_s, lead(recorded_at) over in_time as next_at, lead(run_time_s) over in_time as next_s
          from (select r.recorded_at, (r.signals ->> 'engineRunTimeS')::float8 as run_time_s
                  from readings r
                 where r.source_id = l.source_id and r.reseller_id = l.reseller_id and r.vehicle_id = l.vehicle_id
                   and r.recorded_at > ${ofVehicle('$4')} and r.recorded_at <= ${ofVehicle('$5')}
                   and r.recorded_at > $6 and r.recorded_at <= $7
                   ${sourceIds === undefined ? '' : 'and r.source_id = any ($8)'}
                   and r.signals ? 'engineRunTimeS') ran
        window in_time as (order by recorded_at)
      ) n
      where l.vehicle_id = any ($2) and (l.reseller_id, l.vehicle_id) in (select * from unnest($1::text[], $2::text[]))
        ${sourceIds === undefined ? '' : 'and l.source_id = any ($8)'}
        and (n.next_s is null or n.next_s < n.run_time_s)
      order by n.recorded_at`,
    [
      ...keyColumns(vehicles),
      vehicles.map(({ resellerId, vehicleId }) => `${resellerId} ${vehicleId}`),
      ...[since, until],
      ...[new Date(Math.min(...since.map(Number))), new Date(Math.max(...until.map(Number)))],
      ...(sourceIds === undefined ? [] : [sourceIds]),
    ],
  )
  const byVehicle = Map.groupBy(rows, (row) => vehicleKeyText({ resellerId: row.reseller_id, vehicleId: row.vehicle_id }))
  return new Map([...byVehicle].map(([key, ofVehicle]) => [key, startsFromRows(ofVehicle)]))
}

/** `next_at`, `next_s`: of the reading after it, null of the last. */
type StartRow = {
  reseller_id: string
  vehicle_id: string
  source_id: string
  recorded_at: Date
  run_time_s: number
  next_at: Date | null
  next_s: number | null
}

function startsFromRows(rows: readonly StartRow[]): RunTime[] {
  const newest = rows.at(-1)?.source_id
  return rows.flatMap(({ source_id, recorded_at, run_time_s, next_at, next_s }) => {
    if (source_id !== newest || next_at === null || next_s === null) return []
    return [
      { s: run_time_s, at: recorded_at },
      { s: next_s, at: next_at },
    ]
  })
}

/** `former`: what it stood at when it was moved on; undefined where nothing was kept yet. */
export type MovedMeter = VehicleKey & MeterStep & { readonly former: Meter | undefined }

/**
 * A meter that a person corrected since it was read, the odometer or the hours, stays as corrected: the next reading counts from there. So it is
 * moved only from what it stood at.
 */
export async function upsertMetersAcrossResellers(db: Db, moved: readonly MovedMeter[]): Promise<void> {
  await db.query(
    `with moved as (
       select * from unnest($1::text[], $2::text[], $3::float8[], $4::timestamptz[], $5::float8[], $6::timestamptz[], $7::float8[],
                            $8::timestamptz[], $9::float8[], $10::bool[], $11::float8[], $12::timestamptz[])
                     u (reseller_id, vehicle_id, odometer_km, odometer_at, odometer_offset_km, corrected_at, engine_hours, engine_hours_at,
                        run_time_s, is_kept, former_engine_hours, former_engine_hours_at)
     ), added as (
       insert into vehicle_meters (reseller_id, vehicle_id, odometer_km, odometer_at, odometer_offset_km, corrected_at, engine_hours,
                                   engine_hours_at, run_time_s)
       select reseller_id, vehicle_id, odometer_km, odometer_at, odometer_offset_km, corrected_at, engine_hours, engine_hours_at, run_time_s
         from moved
        where not is_kept
       on conflict do nothing
     )
     update vehicle_meters kept
        set odometer_km = u.odometer_km, odometer_at = u.odometer_at, engine_hours = u.engine_hours, engine_hours_at = u.engine_hours_at,
            run_time_s = u.run_time_s
       from moved u
      where u.is_kept and kept.reseller_id = u.reseller_id and kept.vehicle_id = u.vehicle_id
        and kept.corrected_at is not distinct from u.corrected_at
        and kept.engine_hours is not distinct from u.former_engine_hours
        and kept.engine_hours_at is not distinct from u.former_engine_hours_at`,
    [
      ...keyColumns(moved),
      ...meterColumns(moved.map(({ meter }) => meter)),
      moved.map(({ former }) => former !== undefined),
      moved.map(({ former }) => former?.engineHours ?? null),
      moved.map(({ former }) => former?.engineHoursAt ?? null),
    ],
  )
}

/**
 * Adds to what was driven on the day of the newest reading. Call after `upsertMetersAcrossResellers`: the odometer is kept only where the meter was moved to it,
 * because one that was corrected meanwhile stands at something else.
 */
export async function addUseAcrossResellers(db: Db, moved: readonly MovedMeter[]): Promise<void> {
  await db.query(
    `insert into vehicle_use as kept (reseller_id, vehicle_id, day, odometer_km, recorded_at, driven_km, engine_hours)
     select u.reseller_id, u.vehicle_id, (u.recorded_at at time zone 'UTC')::date, m.odometer_km, u.recorded_at, u.driven_km, u.engine_hours
       from unnest($1::text[], $2::text[], $3::float8[], $4::timestamptz[], $5::float8[], $6::float8[])
            u (reseller_id, vehicle_id, odometer_km, recorded_at, driven_km, engine_hours)
       left join vehicle_meters m on m.reseller_id = u.reseller_id and m.vehicle_id = u.vehicle_id and m.odometer_km = u.odometer_km
     on conflict (reseller_id, vehicle_id, day) do update
        set odometer_km = coalesce(excluded.odometer_km, kept.odometer_km), recorded_at = greatest(kept.recorded_at, excluded.recorded_at),
            driven_km = kept.driven_km + excluded.driven_km, engine_hours = kept.engine_hours + excluded.engine_hours`,
    [
      ...keyColumns(moved),
      // Only where the odometer is what moved: it is kept as of the time beside it.
      moved.map(({ meter }) => (newestOf(meter) === meter.odometerAt ? (meter.odometerKm ?? null) : null)),
      moved.map(({ meter }) => newestOf(meter)),
      moved.map(({ drivenKm }) => drivenKm),
      moved.map(({ ranHours }) => ranHours),
    ],
  )
}

/** Held until the transaction ends. */
export async function lockMeter(db: Db, resellerId: string, vehicleId: string): Promise<Meter> {
  await db.query('insert into vehicle_meters (reseller_id, vehicle_id) values ($1, $2) on conflict do nothing', [resellerId, vehicleId])
  const { rows } = await db.query<MeterRow>('select * from vehicle_meters where reseller_id = $1 and vehicle_id = $2 for update', [
    resellerId,
    vehicleId,
  ])
  if (rows[0] === undefined) throw new Error(`the meter of ${vehicleId} was deleted while it was being corrected`)
  return meterFromRow(rows[0])
}

/** Everything about a meter, offset included. The row is there. */
export async function updateMeter(db: Db, resellerId: string, vehicleId: string, meter: Meter): Promise<void> {
  await db.query(
    `update vehicle_meters
        set odometer_km = $3, odometer_at = $4, odometer_offset_km = $5, corrected_at = $6, engine_hours = $7, engine_hours_at = $8,
            run_time_s = $9
      where reseller_id = $1 and vehicle_id = $2`,
    [resellerId, vehicleId, ...meterColumns([meter]).map(([value]) => value)],
  )
}

/** What was kept of the reading that the odometer was corrected against, and of those after it, shows the corrected value as well. */
export async function updateUseCorrected(
  db: Db,
  resellerId: string,
  vehicleId: string,
  { odometerKm, since }: { odometerKm: number; since: Date },
): Promise<void> {
  await db.query(
    `update vehicle_use set odometer_km = $3
      where reseller_id = $1 and vehicle_id = $2 and day >= ($4::timestamptz at time zone 'UTC')::date and recorded_at >= $4 and odometer_km is not null`,
    [resellerId, vehicleId, odometerKm, since],
  )
}

/** The newest known at or before a time and the oldest known after it, since the odometer was last corrected. */
export async function selectOdometerAround(db: Db, resellerId: string, vehicleId: string, at: Date): Promise<OdometerAround> {
  const { rows } = await db.query<{ odometer_km: number; at: Date; is_before: boolean }>(
    `with known as (
       select u.odometer_km, u.recorded_at as at
         from vehicle_use u
         join vehicle_meters m on m.reseller_id = u.reseller_id and m.vehicle_id = u.vehicle_id
        where u.reseller_id = $1 and u.vehicle_id = $2 and u.odometer_km is not null and u.recorded_at >= coalesce(m.corrected_at, '-infinity')
        union all
       select odometer_km, odometer_at
         from vehicle_meters
        where reseller_id = $1 and vehicle_id = $2 and odometer_km is not null
     )
     (select odometer_km, at, true as is_before from known where at <= $3 order by at desc, odometer_km desc limit 1)
     union all
     (select odometer_km, at, false from known where at > $3 order by at, odometer_km limit 1)`,
    [resellerId, vehicleId, at],
  )
  const find = (isBefore: boolean) => {
    const row = rows.find(({ is_before }) => is_before === isBefore)
    return row && { km: row.odometer_km, at: row.at }
  }
  return { before: find(true), after: find(false) }
}

/** Deletes a bounded number of the rows of before the table was partitioned, which go row by row. Call again while it returns that number. */
export async function deleteOldUseAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from vehicle_use
      where to_regclass('public.vehicle_use_before') is not null and tableoid = to_regclass('public.vehicle_use_before')
        and ctid = any (array(select ctid from vehicle_use
                               where tableoid = to_regclass('public.vehicle_use_before') and day < ($1::timestamptz at time zone 'UTC')::date
                               limit $2))`,
    [before, limit],
  )
  return rowCount ?? 0
}

function newestOf({ odometerAt, engineHoursAt }: Meter): Date | undefined {
  return odometerAt !== undefined && (engineHoursAt === undefined || odometerAt >= engineHoursAt) ? odometerAt : engineHoursAt
}

function meterColumns(meters: readonly Meter[]): unknown[][] {
  return [
    meters.map(({ odometerKm }) => odometerKm ?? null),
    meters.map(({ odometerAt }) => odometerAt ?? null),
    meters.map(({ odometerOffsetKm }) => odometerOffsetKm),
    meters.map(({ correctedAt }) => correctedAt ?? null),
    meters.map(({ engineHours }) => engineHours ?? null),
    meters.map(({ engineHoursAt }) => engineHoursAt ?? null),
    meters.map(({ runTimeS }) => runTimeS ?? null),
  ]
}

type MeterRow = {
  odometer_km: number | null
  odometer_at: Date | null
  odometer_offset_km: number
  corrected_at: Date | null
  engine_hours: number | null
  engine_hours_at: Date | null
  run_time_s: number | null
}

/** When a vehicle reported it, in ms, and the value. */
type ReportedRow = [number, number] | null

type HeardRow = MeterRow & { reseller_id: string; vehicle_id: string; is_kept: boolean; odometer: ReportedRow; run_time: ReportedRow }

function meterFromRow(row: MeterRow): Meter {
  return {
    odometerKm: row.odometer_km ?? undefined,
    odometerAt: row.odometer_at ?? undefined,
    odometerOffsetKm: row.odometer_offset_km,
    correctedAt: row.corrected_at ?? undefined,
    engineHours: row.engine_hours ?? undefined,
    engineHoursAt: row.engine_hours_at ?? undefined,
    runTimeS: row.run_time_s ?? undefined,
  }
}

function heardFromRow(row: HeardRow): HeardVehicle {
  const { odometer, run_time: runTime } = row
  return {
    resellerId: row.reseller_id,
    vehicleId: row.vehicle_id,
    meter: row.is_kept ? meterFromRow(row) : undefined,
    reported: {
      odometer: odometer === null ? undefined : { km: odometer[1], at: new Date(odometer[0]) },
      runTime: runTime === null ? undefined : { s: runTime[1], at: new Date(runTime[0]) },
    },
  }
}
