import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Those of which an action is live, or was settled since. */
export async function selectSimsWithLiveAction(db: Db, resellerId: string, simIds: readonly string[], since: Date): Promise<Set<string>> {
  if (simIds.length === 0) return new Set()
  const { rows } = await db.query<{ sim_id: string }>(
    `select distinct sim_id
       from sim_actions
      where reseller_id = $1 and sim_id = any ($2) and (state in ('intended', 'sending', 'running') or settled_at > $3)`,
    [resellerId, simIds, since],
  )
  return new Set(rows.map((row) => row.sim_id))
}
