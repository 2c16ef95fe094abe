// Devices, which the devices slice keeps, by the number of the SIM that is recorded for them.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { DeviceStatus } from '../devices/device.ts'

export type NumberedDevice = {
  readonly deviceId: string
  readonly status: DeviceStatus
  readonly subClientId: string | undefined
  readonly simNumber: string | undefined
}

/** Locked until the end of the transaction: devices are locked before their SIMs. */
export async function selectNumberedDeviceForUpdate(db: Db, resellerId: string, deviceId: string): Promise<NumberedDevice | undefined> {
  const { rows } = await db.query<NumberedDeviceRow>(
    'select device_id, status, sub_client_id, sim_number from devices where reseller_id = $1 and device_id = $2 for no key update',
    [resellerId, deviceId],
  )
  const [row] = rows
  if (row === undefined) return undefined
  return {
    deviceId: row.device_id,
    status: row.status,
    subClientId: row.sub_client_id ?? undefined,
    simNumber: row.sim_number ?? undefined,
  }
}

/** Living devices whose `sim_number` is one of these, whatever stands between its digits. A few at most: a SIM is in one. */
export async function selectDevicesByNumber(db: Db, resellerId: string, numbers: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ device_id: string }>(
    `select device_id from devices
      where reseller_id = $1 and sim_number is not null and status <> 'decommissioned'
        and regexp_replace(sim_number, '[^0-9]', '', 'g') = any ($2)
      order by created_at, device_id
      limit 5`,
    [resellerId, numbers],
  )
  return rows.map((row) => row.device_id)
}

type NumberedDeviceRow = { device_id: string; status: DeviceStatus; sub_client_id: string | null; sim_number: string | null }
