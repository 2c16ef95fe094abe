// Devices as they are shown: with when they were last heard, which the readings slice keeps, and whether they are connected, which the
// presence slice does.

import type { Db } from '@roadworthy/service-kit/db'
import type { PageRequest } from '@roadworthy/service-kit/keyset'
import type { Viewer } from '../fleet/viewer.ts'
import { isConnected } from './connections.read.sql.ts'
import type { Device, DeviceStatus } from './device.ts'

export type DeviceFilter = {
  readonly subClientId: string | undefined
  readonly status: DeviceStatus | undefined
  /** What its name, id, IMEI or SIM number contains, or a name of its vehicle. */
  readonly search: string | undefined
  /** `online`: connected, or heard since then. `never`: of which nothing was heard. */
  readonly presence: { readonly is: 'online' | 'offline' | 'never'; readonly heardSince: Date } | undefined
}

const shown = `
  select d.device_id, d.name, d.imei, d.device_type, d.connection_method, d.sim_number, d.status, d.sub_client_id, d.vehicle_id,
         d.created_at, d.updated_at, s.last_seen_at, ${isConnected} as is_connected
    from devices d
   cross join lateral (
     select max(l.received_at) as last_seen_at
       from latest_states l
      where l.source_id = d.device_id and l.reseller_id = d.reseller_id
   ) s`

/** As `isOnline` judges, for statements that must not read every row to filter. */
function isHeardSince(time: string): string {
  return `exists (select from latest_states l
                 where l.source_id = d.device_id and l.reseller_id = d.reseller_id and l.received_at >= ${time})`
}

const filtered = `
  d.reseller_id = $1 and ($2::text is null or d.sub_client_id = $2) and ($3::text is null or d.sub_client_id = $3)
  and ($4::text is null or d.status = $4)
  and ($5::text is null
       or position(lower($5) in lower(concat_ws(' ', d.name, d.device_id, d.imei, d.sim_number))) > 0
       or exists (select from vehicles v
                   where v.reseller_id = d.reseller_id and v.vehicle_id = d.vehicle_id and ($2::text is null or v.sub_client_id = $2)
                     and position(lower($5) in lower(concat_ws(' ', v.license_plate, v.name, v.external_ref, v.vin))) > 0))
  and ($6::text is null or $6 = case
         when d.status not in ('decommissioned', 'suspended') and (${isConnected} or ${isHeardSince('$7::timestamptz')}) then 'online'
         when ${isHeardSince("'-infinity'")} then 'offline'
         else 'never' end)`

function filterValues(viewer: Viewer, filter: DeviceFilter): unknown[] {
  const { subClientId, status, search, presence } = filter
  const own = [viewer.resellerId, viewer.subClientPin ?? null]
  return [...own, subClientId ?? null, status ?? null, search ?? null, presence?.is ?? null, presence?.heardSince ?? null]
}

/** By id, or by IMEI among living devices. */
export async function selectDevice(db: Db, viewer: Viewer, idOrImei: string): Promise<Device | undefined> {
  const { rows } = await db.query<DeviceRow>(
    `${shown}
      where d.reseller_id = $1 and (d.device_id = $2 or (d.imei = $2 and d.status <> 'decommissioned'))
        and ($3::text is null or d.sub_client_id = $3)`,
    [viewer.resellerId, idOrImei, viewer.subClientPin ?? null],
  )
  return rows[0] === undefined ? undefined : deviceFromRow(rows[0])
}

/** One more than the page holds, so that the caller knows whether another follows. */
export async function selectDevices(db: Db, viewer: Viewer, filter: DeviceFilter, page: PageRequest): Promise<Device[]> {
  const { rows } = await db.query<DeviceRow>(
    `${shown}
      where ${filtered} and (d.created_at, d.device_id) > ($8::timestamptz, $9)
      order by d.created_at, d.device_id
      limit $10`,
    [...filterValues(viewer, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(deviceFromRow)
}

export async function countDevices(db: Db, viewer: Viewer, filter: DeviceFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from devices d where ${filtered}`,
    filterValues(viewer, filter),
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
  last_seen_at: Date | null
  is_connected: boolean
}

function deviceFromRow(row: DeviceRow): Device {
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
    lastSeenAt: row.last_seen_at ?? undefined,
    isConnected: row.is_connected,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
