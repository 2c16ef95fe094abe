// Devices as they are shown: with when they were last heard, which the readings slice keeps, and whether they are connected, which the
// presence slice does.

import { fillPage } from '@roadworthy/service-kit/http/fill-page'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Viewer } from '../fleet/viewer.ts'
import { isConnected } from './connections.read.sql.ts'
import { type Device, type DeviceBattery, type DeviceStatus, type Presence, presenceOf } from './device.ts'

export type DeviceFilter = {
  readonly subClientId: string | undefined
  readonly status: DeviceStatus | undefined
  /** What its name, id, IMEI or SIM number contains, or a name of its vehicle. */
  readonly search: string | undefined
  /** `online`: connected, or heard since then. `never`: of which nothing was heard. */
  readonly presence: { readonly is: Presence; readonly heardSince: Date } | undefined
}

const shown = `
  select d.device_id, d.name, d.imei, d.device_type, d.connection_method, d.sim_number, d.status, d.sub_client_id, d.vehicle_id,
         d.created_at, d.updated_at, ${isConnected} as is_connected`

const filtered = `
  devices d
  where d.reseller_id = $1 and ($2::text is null or d.sub_client_id = $2) and ($3::text is null or d.sub_client_id = $3)
    and ($4::text is null or d.status = $4)
    and ($5::text is null
         or position(lower($5) in lower(concat_ws(' ', d.name, d.device_id, d.imei, d.sim_number))) > 0
         or exists (select from vehicles v
                     where v.reseller_id = d.reseller_id and v.vehicle_id = d.vehicle_id and ($2::text is null or v.sub_client_id = $2)
                       and position(lower($5) in lower(concat_ws(' ', v.license_plate, v.name, v.external_ref, v.vin))) > 0))`

/** All of the filter but presence, which is by what devices reported. */
function filterValues({ resellerId, subClientPin }: Viewer, { subClientId, status, search }: DeviceFilter): unknown[] {
  return [resellerId, subClientPin ?? null, subClientId ?? null, status ?? null, search ?? null]
}

/** By id, or by IMEI among living devices. */
export async function selectDevice(db: Db, viewer: Viewer, idOrImei: string): Promise<Device | undefined> {
  const { rows } = await db.query<DeviceRow>(
    `${shown}
       from devices d
      where d.reseller_id = $1 and (d.device_id = $2 or (d.imei = $2 and d.status <> 'decommissioned'))
        and ($3::text is null or d.sub_client_id = $3)`,
    [viewer.resellerId, idOrImei, viewer.subClientPin ?? null],
  )
  return (await withLastSeen(db, viewer, rows))[0]
}

/** One more than the page holds, so that the caller knows whether another follows. */
export async function selectDevices(db: Db, viewer: Viewer, filter: DeviceFilter, page: PageRequest): Promise<Device[]> {
  const { presence } = filter
  return await fillPage(page, {
    selectNext: async (after, count) => {
      const { rows } = await db.query<DeviceRow>(
        `${shown}
           from ${filtered} and (d.created_at, d.device_id) > ($6::timestamptz, $7)
          order by d.created_at, d.device_id
          limit $8`,
        [...filterValues(viewer, filter), after.at, after.id, count],
      )
      return rows
    },
    positionOf: (row) => ({ at: row.created_at, id: row.device_id }),
    selectShown: async (rows) => {
      const devices = await withLastSeen(db, viewer, rows)
      return presence === undefined ? devices : devices.filter((device) => presenceOf(device, presence.heardSince) === presence.is)
    },
  })
}

async function withLastSeen(db: Db, { resellerId }: Viewer, devices: readonly DeviceRow[]): Promise<Device[]> {
  if (devices.length === 0) return []
  // Of a device that was in several vehicles there is a state for each; what is newest of it is in one of them.
  const { rows } = await db.query<HeardRow>(
    `select l.source_id, max(l.received_at) as last_seen_at,
            ${newestOf('deviceBatteryPct')} as battery_pct, ${newestOf('deviceBatteryV')} as battery_v
       from latest_states l
      where l.source_id = any ($2) and l.reseller_id = $1
      group by l.source_id`,
    [resellerId, devices.map((row) => row.device_id)],
  )
  const heard = new Map(rows.map((row) => [row.source_id, row]))
  return devices.map((row) => deviceFromRow(row, heard.get(row.device_id)))
}

/** When it was recorded, in ms since the epoch, and the number. Arrays compare by their first items first. */
function newestOf(name: string): string {
  const stamped = `l.states -> '${name}'`
  return `max(array[(${stamped} ->> 1)::float8, (${stamped} ->> 0)::float8]) filter (where l.states ? '${name}')`
}

type Stamped = [recordedAtMs: number, value: number] | null
type HeardRow = { source_id: string; last_seen_at: Date; battery_pct: Stamped; battery_v: Stamped }

function batteryOf({ battery_pct, battery_v }: HeardRow): DeviceBattery | undefined {
  if (battery_pct === null && battery_v === null) return undefined
  const recordedAt = new Date(Math.max(battery_pct?.[0] ?? 0, battery_v?.[0] ?? 0))
  return { pct: battery_pct?.[1], voltageV: battery_v?.[1], recordedAt }
}

export async function countDevices(db: Db, viewer: Viewer, filter: DeviceFilter): Promise<number> {
  const { presence } = filter
  return presence === undefined ? await countFitting(db, viewer, filter) : await countByPresence(db, viewer, filter, presence)
}

async function countFitting(db: Db, viewer: Viewer, filter: DeviceFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::integer as count from ${filtered}`, filterValues(viewer, filter))
  return rows[0]?.count ?? 0
}

/** As `presenceOf` judges. By a full join, though no others are heard than fit: it is hashed, however few rows PostgreSQL expects. */
async function countByPresence(
  db: Db,
  viewer: Viewer,
  filter: DeviceFilter,
  { is, heardSince }: NonNullable<DeviceFilter['presence']>,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with fitting as materialized (select d.reseller_id, d.device_id, d.status from ${filtered}),
          heard as materialized (
            select l.source_id, max(l.received_at) as last_seen_at
              from latest_states l
             where l.reseller_id = $1 and l.source_id in (select f.device_id from fitting f)
             group by l.source_id)
     select count(*)::integer as count
       from fitting d
       full join heard s on s.source_id = d.device_id
      where $6 = case
              when d.status not in ('decommissioned', 'suspended') and (s.last_seen_at >= $7::timestamptz or ${isConnected}) then 'online'
              when s.last_seen_at is not null then 'offline'
              else 'never' end`,
    [...filterValues(viewer, filter), is, heardSince],
  )
  return rows[0]?.count ?? 0
}

type DeviceRow = {
  device_id: string
  name: string | null
  imei: string | null
  device_type: string
  connection_method: string
  sim_number: string | null
  status: DeviceStatus
  sub_client_id: string | null
  vehicle_id: string | null
  created_at: Date
  updated_at: Date
  is_connected: boolean
}

function deviceFromRow(row: DeviceRow, heard: HeardRow | undefined): Device {
  return {
    deviceId: row.device_id,
    name: row.name ?? undefined,
    imei: row.imei ?? undefined,
    deviceType: row.device_type,
    connectionMethod: row.connection_method,
    simNumber: row.sim_number ?? undefined,
    status: row.status,
    subClientId: row.sub_client_id ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
    lastSeenAt: heard?.last_seen_at,
    battery: heard && batteryOf(heard),
    isConnected: row.is_connected,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
