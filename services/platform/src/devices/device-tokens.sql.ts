import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { SubClientStatus } from '../fleet/sub-client.ts'
import type { Subscription } from '../limits/plans.ts'
import type { DeviceStatus } from './device.ts'

/** Whose a token is, and how they stand. */
export type TokenHolder = {
  readonly resellerId: string
  readonly deviceId: string
  readonly status: DeviceStatus
  readonly subscription: Subscription
  readonly subClientId: string | undefined
  readonly subClientStatus: SubClientStatus | undefined
}

export async function insertDeviceToken(
  db: Db,
  { resellerId, deviceId }: { resellerId: string; deviceId: string },
  tokenSha256: Buffer,
  createdAt: Date,
): Promise<void> {
  await db.query('insert into device_tokens (token_sha256, reseller_id, device_id, created_at) values ($1, $2, $3, $4)', [
    tokenSha256,
    resellerId,
    deviceId,
    createdAt,
  ])
}

/** Those that were replaced before are gone; the newest stays good until `graceUntil`, or is gone too. Returns how many there were. */
export async function updateDeviceTokensReplaced(
  db: Db,
  { resellerId, deviceId }: { resellerId: string; deviceId: string },
  graceUntil: Date | undefined,
): Promise<number> {
  const { rowCount: goneCount } = await db.query(
    `delete from device_tokens
      where reseller_id = $1 and device_id = $2 and (valid_until is not null or $3::timestamptz is null)`,
    [resellerId, deviceId, graceUntil ?? null],
  )
  const { rowCount: keptCount } = await db.query(
    'update device_tokens set valid_until = $3 where reseller_id = $1 and device_id = $2 and valid_until is null',
    [resellerId, deviceId, graceUntil ?? null],
  )
  return (goneCount ?? 0) + (keptCount ?? 0)
}

/** In the order asked. Across resellers, because who is sending is not known before this is answered. */
export async function selectTokenHoldersAcrossResellers(
  db: Db,
  tokenSha256s: readonly Buffer[],
  now: Date,
): Promise<(TokenHolder | undefined)[]> {
  const { rows } = await db.query<TokenHolderRow>(
    `select d.reseller_id, d.device_id, d.status, r.subscription, d.sub_client_id, s.status as sub_client_status
       from unnest($1::bytea[]) with ordinality as a (token_sha256, position)
       left join device_tokens t on t.token_sha256 = a.token_sha256 and (t.valid_until is null or t.valid_until > $2)
       left join devices d on d.reseller_id = t.reseller_id and d.device_id = t.device_id
       left join resellers r on r.reseller_id = d.reseller_id
       left join sub_clients s on s.reseller_id = d.reseller_id and s.sub_client_id = d.sub_client_id
      order by a.position`,
    [tokenSha256s, now],
  )
  return rows.map(tokenHolderFromRow)
}

type TokenHolderRow =
  | { reseller_id: null }
  | {
      reseller_id: string
      device_id: string
      status: DeviceStatus
      subscription: Subscription
      sub_client_id: string | null
      sub_client_status: SubClientStatus | null
    }

function tokenHolderFromRow(row: TokenHolderRow): TokenHolder | undefined {
  if (row.reseller_id === null) return undefined
  return {
    resellerId: row.reseller_id,
    deviceId: row.device_id,
    status: row.status,
    subscription: row.subscription,
    subClientId: row.sub_client_id ?? undefined,
    subClientStatus: row.sub_client_status ?? undefined,
  }
}
