import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Before the first event of the log that entered it at `since` or later. Events enter after they happen. Undefined when there is none. */
export async function selectPositionBefore(db: Db, resellerId: string, since: Date): Promise<number | undefined> {
  const { rows } = await db.query<{ position: string | null }>(
    'select min(position) as position from events where reseller_id = $1 and logged_at >= $2',
    [resellerId, since],
  )
  const position = rows[0]?.position
  return position === null || position === undefined ? undefined : Number(position) - 1
}
