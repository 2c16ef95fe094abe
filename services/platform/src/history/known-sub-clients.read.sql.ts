import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Those of the ids that are sub-clients of the reseller. */
export async function selectKnownSubClients(db: Db, resellerId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ sub_client_id: string }>(
    'select sub_client_id from sub_clients where reseller_id = $1 and sub_client_id = any ($2)',
    [resellerId, ids],
  )
  return new Set(rows.map((row) => row.sub_client_id))
}
