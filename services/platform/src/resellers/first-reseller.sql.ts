import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Held to the end of the transaction, so that several processes on one new database make one first reseller. */
export async function lockBootstrapAcrossResellers(db: Db): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtext('roadworthy bootstrap'))")
}

/** The reseller that the first start made, or the oldest when it was made otherwise. */
export async function findFirstResellerAcrossResellers(db: Db): Promise<string | undefined> {
  const { rows } = await db.query<{ reseller_id: string }>('select reseller_id from resellers order by created_at, reseller_id limit 1')
  return rows[0]?.reseller_id
}
