import type { Db } from '@roadworthy/service-kit/postgres/db'

/** How many predictions a sub-client may have in a calendar month (UTC), where that is limited. */
export async function selectPredictionLimit(db: Db, resellerId: string, subClientId: string): Promise<number | undefined> {
  const { rows } = await db.query<{ limit: number | null }>(
    `select max_predictions_per_month::float8 as "limit"
       from sub_clients
      where reseller_id = $1 and sub_client_id = $2`,
    [resellerId, subClientId],
  )
  return rows[0]?.limit ?? undefined
}
