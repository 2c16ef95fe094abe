// Up to where readings past their time have been deleted. A row that somebody deletes meanwhile is begun anew: there are readings again that nobody has looked at.

import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Whose readings: of one sub-client; '' for all that have no time of their own. */
export type Cleared = { readonly resellerId: string; readonly subClientId: string }

/** Up to where; undefined: from the beginning. */
export async function beginClearingAcrossResellers(db: Db, { resellerId, subClientId }: Cleared): Promise<Date | undefined> {
  const { rows } = await db.query<{ until: Date | null }>(
    `insert into readings_cleared (reseller_id, sub_client_id) values ($1, $2)
     on conflict (reseller_id, sub_client_id) do update set sub_client_id = excluded.sub_client_id
     returning cleared_until as until`,
    [resellerId, subClientId],
  )
  return rows[0]?.until ?? undefined
}

/** False where it is to be begun anew. */
export async function advanceClearedAcrossResellers(
  db: Db,
  { resellerId, subClientId }: Cleared,
  { from, to }: { readonly from: Date | undefined; readonly to: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update readings_cleared set cleared_until = $4 where reseller_id = $1 and sub_client_id = $2 and cleared_until is not distinct from $3`,
    [resellerId, subClientId, from ?? null, to],
  )
  return rowCount === 1
}

/** Call when readings of before have been added, or when their time has changed. */
export async function forgetCleared(db: Db, resellerId: string): Promise<void> {
  await db.query('delete from readings_cleared where reseller_id = $1', [resellerId])
}
