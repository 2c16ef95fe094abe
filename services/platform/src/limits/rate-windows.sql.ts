import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { WindowCounts } from './rate-window.ts'

const MINUTE_MS = 60_000

export async function selectRateWindow(db: Db, resellerId: string, keyId: string): Promise<WindowCounts | undefined> {
  const { rows } = await db.query<WindowRow>(
    `select key_id, recent_ms::float8[] as recent_ms, day - date '1970-01-01' as day, day_count
       from rate_windows
      where reseller_id = $1
        and key_id = $2`,
    [resellerId, keyId],
  )
  const [row] = rows
  return row === undefined ? undefined : countsFromRow(row)
}

/** Adds newly accepted calls to what is stored and returns the sums, which hold the calls other processes accepted as well. */
export async function mergeRateWindowsAcrossResellers(
  db: Db,
  changes: readonly ({ resellerId: string; keyId: string } & WindowCounts)[],
  nowMs: number,
): Promise<({ keyId: string } & WindowCounts)[]> {
  // In one order everywhere, so that two processes writing the same keys wait for each other instead of deadlocking.
  const ordered = [...changes].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
  const { rows } = await db.query<WindowRow>(
    `insert into rate_windows as stored (reseller_id, key_id, recent_ms, day, day_count)
     select reseller_id, key_id, recent_ms::bigint[], date '1970-01-01' + day, day_count
       from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::integer[])
         as change (reseller_id, key_id, recent_ms, day, day_count)
     on conflict (reseller_id, key_id) do update
       set recent_ms = array(
             select at_ms
               from unnest(stored.recent_ms || excluded.recent_ms) as at_ms
              where at_ms > $6::bigint
              order by at_ms
           ),
           day_count = case
             when stored.day = excluded.day then stored.day_count + excluded.day_count
             when stored.day < excluded.day then excluded.day_count
             else stored.day_count
           end,
           day = greatest(stored.day, excluded.day)
     returning key_id, recent_ms::float8[] as recent_ms, day - date '1970-01-01' as day, day_count`,
    [
      ordered.map((change) => change.resellerId),
      ordered.map((change) => change.keyId),
      ordered.map((change) => `{${change.recentMs.join(',')}}`),
      ordered.map((change) => change.day),
      ordered.map((change) => change.dayCount),
      nowMs - MINUTE_MS,
    ],
  )
  return rows.map((row) => ({ keyId: row.key_id, ...countsFromRow(row) }))
}

/** A window means nothing any more once its day is over. */
export async function deleteOldRateWindowsAcrossResellers(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query(`delete from rate_windows where day < ($1::timestamptz at time zone 'UTC')::date - 1`, [now])
  return rowCount ?? 0
}

type WindowRow = { key_id: string; recent_ms: number[]; day: number; day_count: number }

function countsFromRow(row: WindowRow): WindowCounts {
  return { recentMs: row.recent_ms, day: row.day, dayCount: row.day_count }
}
