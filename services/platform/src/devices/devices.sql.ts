import type { Db } from '@roadworthy/service-kit/db'
import type { LivingDevice, LivingDeviceStatus } from './device.ts'

/** By id or IMEI, in the order asked, of the resellers of this transaction. */
export async function selectLivingDevices(
  db: Db,
  asked: readonly { resellerId: string; reference: string }[],
): Promise<(LivingDevice | undefined)[]> {
  const { rows } = await db.query<LivingDeviceRow>(
    `select d.device_id, d.imei, d.status, d.sub_client_id, d.vehicle_id
       from unnest($1::text[], $2::text[]) with ordinality as a (reseller_id, reference, position)
       left join lateral (
         select * from devices i where i.reseller_id = a.reseller_id and i.device_id = a.reference and i.status <> 'decommissioned'
         union all
         select * from devices i where i.reseller_id = a.reseller_id and i.imei = a.reference and i.status <> 'decommissioned'
       ) d on true
      order by a.position`,
    [asked.map((a) => a.resellerId), asked.map((a) => a.reference)],
  )
  return rows.map((row) => (row.device_id === null ? undefined : livingDeviceFromRow({ ...row, device_id: row.device_id })))
}

/** Does nothing to a device that is not pending. */
export async function activatePendingDevice(db: Db, resellerId: string, deviceId: string, at: Date): Promise<void> {
  await db.query(
    `update devices set status = 'active', updated_at = $3
      where reseller_id = $1 and device_id = $2 and status = 'pending'`,
    [resellerId, deviceId, at],
  )
}

type LivingDeviceRow = {
  device_id: string | null
  imei: string | null
  status: LivingDeviceStatus
  sub_client_id: string | null
  vehicle_id: string | null
}

function livingDeviceFromRow(row: LivingDeviceRow & { device_id: string }): LivingDevice {
  return {
    deviceId: row.device_id,
    imei: row.imei ?? undefined,
    status: row.status,
    subClientId: row.sub_client_id ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
  }
}
