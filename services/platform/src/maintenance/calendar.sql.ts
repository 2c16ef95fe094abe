import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Subscription } from '../limits/plans.ts'

/** Replaces the link there was, which is dead from then on. */
export async function upsertCalendarLink(
  db: Db,
  resellerId: string,
  link: { vehicleId: string; subClientId: string | undefined; tokenSha256: Buffer; createdAt: Date },
): Promise<void> {
  await db.query(
    `insert into calendar_links (reseller_id, vehicle_id, token_sha256, sub_client_id, created_at)
     values ($1, $2, $3, $4, $5)
     on conflict (reseller_id, vehicle_id) do update
        set token_sha256 = excluded.token_sha256, sub_client_id = excluded.sub_client_id, created_at = excluded.created_at`,
    [resellerId, link.vehicleId, link.tokenSha256, link.subClientId ?? null, link.createdAt],
  )
}

/** Whether there was one. */
export async function deleteCalendarLink(db: Db, resellerId: string, vehicleId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from calendar_links where reseller_id = $1 and vehicle_id = $2', [resellerId, vehicleId])
  return rowCount === 1
}

/** Whose calendar the token opens. A vehicle that has gone to another sub-client since is not shown. */
export async function selectCalendarLinkAcrossResellers(
  db: Db,
  tokenSha256: Buffer,
): Promise<{ resellerId: string; vehicleId: string; subscription: Subscription } | undefined> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string; subscription: Subscription }>(
    `select l.reseller_id, l.vehicle_id, r.subscription
       from calendar_links l
       join resellers r on r.reseller_id = l.reseller_id
       join vehicles v on v.reseller_id = l.reseller_id and v.vehicle_id = l.vehicle_id
      where l.token_sha256 = $1 and v.sub_client_id is not distinct from l.sub_client_id`,
    [tokenSha256],
  )
  return rows[0] && { resellerId: rows[0].reseller_id, vehicleId: rows[0].vehicle_id, subscription: rows[0].subscription }
}
