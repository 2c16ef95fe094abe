import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { SubClientStatus } from '../fleet/sub-client.ts'
import type { Subscription } from '../limits/plans.ts'
import type { LivingDeviceStatus } from './device.ts'

/** What an external broker has to know of a living device. */
export type BrokerLogin = {
  readonly resellerId: string
  readonly deviceId: string
  readonly status: LivingDeviceStatus
  readonly subscription: Subscription
  readonly subClientStatus: SubClientStatus | undefined
  /** `$7$…`, as Mosquitto keeps it; undefined for a device that was never given one. */
  readonly passwordHash: string | undefined
}

/** By reseller and id, those after the given one. Decommissioned devices have no login. */
export async function selectBrokerLoginsAcrossResellers(
  db: Db,
  {
    resellerId,
    after,
    limit,
  }: { resellerId?: string | undefined; after?: { resellerId: string; deviceId: string } | undefined; limit: number },
): Promise<BrokerLogin[]> {
  const { rows } = await db.query<BrokerLoginRow>(
    `select d.reseller_id, d.device_id, d.status, r.subscription, s.status as sub_client_status, d.mqtt_password_hash
       from devices d
       join resellers r on r.reseller_id = d.reseller_id
       left join sub_clients s on s.reseller_id = d.reseller_id and s.sub_client_id = d.sub_client_id
      where d.status <> 'decommissioned' and ($1::text is null or d.reseller_id = $1)
        and ($2::text is null or (d.reseller_id, d.device_id) > ($2, $3))
      order by d.reseller_id, d.device_id
      limit $4`,
    [resellerId ?? null, after?.resellerId ?? null, after?.deviceId ?? null, limit],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    deviceId: row.device_id,
    status: row.status,
    subscription: row.subscription,
    subClientStatus: row.sub_client_status ?? undefined,
    passwordHash: row.mqtt_password_hash ?? undefined,
  }))
}

type BrokerLoginRow = {
  reseller_id: string
  device_id: string
  status: LivingDeviceStatus
  subscription: Subscription
  sub_client_status: SubClientStatus | null
  mqtt_password_hash: string | null
}
