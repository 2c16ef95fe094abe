import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { SubClientStatus } from '../fleet/sub-client.ts'
import type { Subscription } from '../limits/plans.ts'
import type { DeviceStatus } from './device.ts'
import { mqttUsername } from './mqtt-identity.ts'

/** The only place outside registration where what a device proves itself with is read. */
export type DeviceLogin = {
  readonly deviceId: string
  readonly imei: string | undefined
  readonly status: DeviceStatus
  readonly subscription: Subscription
  readonly subClientId: string | undefined
  readonly subClientStatus: SubClientStatus | undefined
  readonly vehicleId: string | undefined
  readonly secretSha256: Buffer | undefined
  readonly previousSecretSha256: Buffer | undefined
  readonly previousSecretUntil: Date | undefined
}

/** Those of the devices that there are, by their username on the broker. Across resellers, because who signs in is not known before this is answered. */
export async function selectDeviceLoginsAcrossResellers(
  db: Db,
  devices: readonly { readonly resellerId: string; readonly deviceId: string }[],
): Promise<Map<string, DeviceLogin>> {
  const { rows } = await db.query<DeviceLoginRow>(
    `select d.reseller_id, d.device_id, d.imei, d.status, r.subscription, d.sub_client_id, s.status as sub_client_status, d.vehicle_id,
            d.mqtt_secret_sha256, d.previous_secret_sha256, d.previous_secret_until
       from unnest($1::text[], $2::text[]) as held (reseller_id, device_id)
       join devices d on d.reseller_id = held.reseller_id and d.device_id = held.device_id
       join resellers r on r.reseller_id = d.reseller_id
       left join sub_clients s on s.reseller_id = d.reseller_id and s.sub_client_id = d.sub_client_id`,
    [devices.map(({ resellerId }) => resellerId), devices.map(({ deviceId }) => deviceId)],
  )
  return new Map(rows.map((row) => [mqttUsername(row.reseller_id, row.device_id), deviceLoginFromRow(row)]))
}

type DeviceLoginRow = {
  reseller_id: string
  device_id: string
  imei: string | null
  status: DeviceStatus
  subscription: Subscription
  sub_client_id: string | null
  sub_client_status: SubClientStatus | null
  vehicle_id: string | null
  mqtt_secret_sha256: Buffer | null
  previous_secret_sha256: Buffer | null
  previous_secret_until: Date | null
}

function deviceLoginFromRow(row: DeviceLoginRow): DeviceLogin {
  return {
    deviceId: row.device_id,
    imei: row.imei ?? undefined,
    status: row.status,
    subscription: row.subscription,
    subClientId: row.sub_client_id ?? undefined,
    subClientStatus: row.sub_client_status ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
    secretSha256: row.mqtt_secret_sha256 ?? undefined,
    previousSecretSha256: row.previous_secret_sha256 ?? undefined,
    previousSecretUntil: row.previous_secret_until ?? undefined,
  }
}
