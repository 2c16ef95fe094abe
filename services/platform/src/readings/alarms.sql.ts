import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Alarm, AlarmEvent } from './alarm.ts'

/** Call in the transaction that stores the readings, with what `foldAlarms` made of those that were new. */
export async function upsertAlarms(db: Db, alarms: readonly Alarm[]): Promise<void> {
  const ofVehicles = alarms.filter(({ vehicleId }) => vehicleId !== undefined)
  const ofDevices = alarms.filter(({ vehicleId }) => vehicleId === undefined)
  if (ofVehicles.length > 0) await upsertAlarmsOfVehicles(db, ofVehicles)
  if (ofDevices.length > 0) await upsertAlarmsOfUnlinkedDevices(db, ofDevices)
}

const ADDED_TO = `
            set count = a.count + excluded.count,
                first_recorded_at = least(a.first_recorded_at, excluded.first_recorded_at),
                last_recorded_at = greatest(a.last_recorded_at, excluded.last_recorded_at),
                latitude = case when excluded.last_recorded_at >= a.last_recorded_at then excluded.latitude else a.latitude end,
                longitude = case when excluded.last_recorded_at >= a.last_recorded_at then excluded.longitude else a.longitude end,
                traceparent = coalesce(excluded.traceparent, a.traceparent)`

async function upsertAlarmsOfVehicles(db: Db, alarms: readonly Alarm[]): Promise<void> {
  await db.query(
    `insert into reading_alarms as a (reseller_id, event, count, first_recorded_at, last_recorded_at, latitude, longitude, device_id, traceparent, vehicle_id)
     select * from unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[], $5::timestamptz[], $6::float8[], $7::float8[],
                          $8::text[], $9::text[], $10::text[])
         on conflict (reseller_id, vehicle_id, event) do update ${ADDED_TO},
                device_id = case when excluded.last_recorded_at >= a.last_recorded_at then excluded.device_id else a.device_id end`,
    [...valuesOf(alarms), alarms.map(({ vehicleId }) => vehicleId)],
  )
}

async function upsertAlarmsOfUnlinkedDevices(db: Db, alarms: readonly Alarm[]): Promise<void> {
  await db.query(
    `insert into unlinked_device_alarms as a (reseller_id, event, count, first_recorded_at, last_recorded_at, latitude, longitude, device_id, traceparent)
     select * from unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[], $5::timestamptz[], $6::float8[], $7::float8[],
                          $8::text[], $9::text[])
         on conflict (reseller_id, device_id, event) do update ${ADDED_TO}`,
    valuesOf(alarms),
  )
}

function valuesOf(alarms: readonly Alarm[]): unknown[][] {
  return [
    alarms.map(({ resellerId }) => resellerId),
    alarms.map(({ event }) => event),
    alarms.map(({ count }) => count),
    alarms.map(({ firstRecordedAt }) => firstRecordedAt),
    alarms.map(({ lastRecordedAt }) => lastRecordedAt),
    alarms.map(({ position }) => position?.latitude ?? null),
    alarms.map(({ position }) => position?.longitude ?? null),
    alarms.map(({ deviceId }) => deviceId ?? null),
    alarms.map(({ traceparent }) => traceparent ?? null),
  ]
}

/** One short statement: most of the time there is none. */
export async function isAnyAlarmAcrossResellers(db: Db): Promise<boolean> {
  const { rows } = await db.query({
    name: 'look for alarms of devices',
    text: '(select event from reading_alarms limit 1) union all (select event from unlinked_device_alarms limit 1)',
  })
  return rows.length > 0
}

/**
 * Takes up to `limit` of vehicles, and as many of devices without one, out of the tables; those that another transaction takes, or ingest adds
 * to, are left for the next round.
 */
export async function takeAlarmsAcrossResellers(db: Db, limit: number): Promise<Alarm[]> {
  const ofVehicles = await db.query<AlarmRow>(
    `with due as materialized (
       select reseller_id, vehicle_id, event from reading_alarms order by reseller_id, vehicle_id, event limit $1 for update skip locked)
     delete from reading_alarms a using due
      where a.reseller_id = due.reseller_id and a.vehicle_id = due.vehicle_id and a.event = due.event
  returning a.*`,
    [limit],
  )
  const ofDevices = await db.query<AlarmRow>(
    `with due as materialized (
       select reseller_id, device_id, event from unlinked_device_alarms order by reseller_id, device_id, event limit $1 for update skip locked)
     delete from unlinked_device_alarms a using due
      where a.reseller_id = due.reseller_id and a.device_id = due.device_id and a.event = due.event
  returning a.*, null as vehicle_id`,
    [limit],
  )
  return [...ofVehicles.rows, ...ofDevices.rows].map((row) => ({
    resellerId: row.reseller_id,
    vehicleId: row.vehicle_id ?? undefined,
    event: row.event,
    deviceId: row.device_id ?? undefined,
    count: row.count,
    firstRecordedAt: row.first_recorded_at,
    lastRecordedAt: row.last_recorded_at,
    position: row.latitude === null || row.longitude === null ? undefined : { latitude: row.latitude, longitude: row.longitude },
    traceparent: row.traceparent ?? undefined,
  }))
}

type AlarmRow = {
  reseller_id: string
  vehicle_id: string | null
  event: AlarmEvent
  device_id: string | null
  count: number
  first_recorded_at: Date
  last_recorded_at: Date
  latitude: number | null
  longitude: number | null
  traceparent: string | null
}
