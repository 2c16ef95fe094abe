import type { Db } from '@roadworthy/service-kit/db'

/** Whether an action of the SIM is live, or was settled since. */
export async function hasLiveAction(db: Db, { resellerId, simId }: { resellerId: string; simId: string }, since: Date): Promise<boolean> {
  const { rows } = await db.query<{ live: boolean }>(
    `select exists (select from sim_actions where reseller_id = $1 and sim_id = $2
                       and (state in ('intended', 'sending', 'running') or settled_at > $3)) as live`,
    [resellerId, simId, since],
  )
  return rows[0]?.live === true
}
