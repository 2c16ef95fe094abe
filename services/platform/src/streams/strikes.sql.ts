import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Strike } from './strikes.ts'

/** The last one, of whichever revision. */
export async function selectStrike(db: Db, resellerId: string): Promise<Strike | undefined> {
  const { rows } = await db.query<StrikeRow>('select * from stream_strikes where reseller_id = $1', [resellerId])
  return rows[0] === undefined ? undefined : strikeFromRow(rows[0])
}

export async function upsertStrike(db: Db, resellerId: string, strike: Strike): Promise<void> {
  await db.query(
    `insert into stream_strikes (reseller_id, revision, strike_count, reason, struck_at, left_out_until, is_quarantined)
     values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (reseller_id) do update
            set revision = excluded.revision, strike_count = excluded.strike_count, reason = excluded.reason, struck_at = excluded.struck_at,
                left_out_until = excluded.left_out_until, is_quarantined = excluded.is_quarantined`,
    [resellerId, strike.revision, strike.strikeCount, strike.reason, strike.struckAt, strike.leftOutUntil, strike.isQuarantined],
  )
}

/** With the connection. */
export async function deleteStrike(db: Db, resellerId: string): Promise<void> {
  await db.query('delete from stream_strikes where reseller_id = $1', [resellerId])
}

type StrikeRow = {
  revision: string
  strike_count: number
  reason: string
  struck_at: Date
  left_out_until: Date
  is_quarantined: boolean
}

function strikeFromRow(row: StrikeRow): Strike {
  return {
    revision: row.revision,
    strikeCount: row.strike_count,
    reason: row.reason,
    struckAt: row.struck_at,
    leftOutUntil: row.left_out_until,
    isQuarantined: row.is_quarantined,
  }
}
