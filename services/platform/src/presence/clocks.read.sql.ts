// What the other slices and the connections report of devices, for a round.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { DeviceKey } from './presence.sql.ts'

export type DeviceClocks = {
  readonly lastSeenAt: Date | undefined
  readonly connectedAt: Date | undefined
}

/** In the order asked; undefined for a device that is decommissioned. */
export async function selectClocksAcrossResellers(db: Db, devices: readonly DeviceKey[], now: Date): Promise<(DeviceClocks | undefined)[]> {
  const { rows } = await db.query<{ is_living: boolean; last_seen_at: Date | null; connected_at: Date | null }>(
    `with heard as materialized (
       select source_id, reseller_id, max(received_at) as last_seen_at from latest_states where source_id = any ($2) group by source_id, reseller_id
     )
     select coalesce(d.status <> 'decommissioned', false) as is_living, h.last_seen_at,
            (select min(c.connected_at)
               from device_connections c
               join connection_leases l on l.holder_id = c.holder_id and l.reseller_id = c.reseller_id
              where c.device_id = a.device_id and c.reseller_id = a.reseller_id and l.lease_until > $3) as connected_at
       from unnest($1::text[], $2::text[]) with ordinality a (reseller_id, device_id, nth)
       left join devices d on d.device_id = a.device_id and d.reseller_id = a.reseller_id
       left join heard h on h.source_id = a.device_id and h.reseller_id = a.reseller_id
      order by a.nth`,
    [devices.map(({ resellerId }) => resellerId), devices.map(({ deviceId }) => deviceId), now],
  )
  return rows.map((row) =>
    row.is_living ? { lastSeenAt: row.last_seen_at ?? undefined, connectedAt: row.connected_at ?? undefined } : undefined,
  )
}

/** Who a device is, for what is published of it. */
export type NamedDevice = {
  readonly imei: string | undefined
  readonly name: string | undefined
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
}

/**
 * By device id, held as they are to the end of the transaction. A device that is being changed or decommissioned at this moment, or is
 * decommissioned, is not among them.
 */
export async function holdLivingDevicesAcrossResellers(db: Db, devices: readonly DeviceKey[]): Promise<ReadonlyMap<string, NamedDevice>> {
  const { rows } = await db.query<{
    device_id: string
    imei: string | null
    name: string | null
    sub_client_id: string | null
    vehicle_id: string | null
  }>(
    `select d.device_id, d.imei, d.name, d.sub_client_id, d.vehicle_id
       from unnest($1::text[], $2::text[]) a (reseller_id, device_id)
       join devices d on d.device_id = a.device_id and d.reseller_id = a.reseller_id
      where d.status <> 'decommissioned'
        for share of d skip locked`,
    [devices.map(({ resellerId }) => resellerId), devices.map(({ deviceId }) => deviceId)],
  )
  return new Map(
    rows.map((row) => [
      row.device_id,
      {
        imei: row.imei ?? undefined,
        name: row.name ?? undefined,
        subClientId: row.sub_client_id ?? undefined,
        vehicleId: row.vehicle_id ?? undefined,
      },
    ]),
  )
}
