import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import type { LedgerMeter } from './meters.ts'
import type { SealedLine } from './usage-chain.ts'

/** `nth`: of the periods asked for, from 0. */
export type UsedInPeriod = { readonly nth: number; readonly subClientId: string; readonly meter: string; readonly count: number }

/**
 * What was used in each of the periods, which follow each other without a gap; sealed or not. `meters` names each meter of the ledger that
 * is asked for as it is to be shown. At most `limit` rows, by period, sub-client and meter. Where the periods are whole days of a zone, that is
 * `daysOfZone`: chains that are added up by the days of this zone are read by them, which are some hundred times fewer than their lines.
 */
export async function selectUsage(
  db: Db,
  resellerId: string,
  subClientId: string | undefined,
  periods: readonly Period[],
  meters: readonly (readonly [LedgerMeter, string])[],
  daysOfZone: string | undefined,
  limit: number,
): Promise<UsedInPeriod[]> {
  const { rows } = await db.query<UsedRow>(
    `select width_bucket(u.bucket, $3::timestamptz[]) - 1 as nth, u.sub_client_id, m.shown as meter, sum(u.count)::float8 as count
       from (select d.sub_client_id, d.meter, d.starts_at as bucket, d.count
               from usage_chains c
               join usage_days d using (reseller_id, sub_client_id)
              where c.reseller_id = $1 and ($2::text is null or c.sub_client_id = $2) and c.days_zone = $9
                and d.starts_at >= $4 and d.starts_at < $5
              union all
             select l.sub_client_id, l.meter, l.bucket, l.count
               from usage_chains c
               join usage_lines l using (reseller_id, sub_client_id)
              where c.reseller_id = $1 and ($2::text is null or c.sub_client_id = $2) and (c.days_zone = $9) is not true
                and l.bucket >= $4 and l.bucket < $5
              union all
             select e.sub_client_id, e.meter, e.bucket, e.count
               from usage_entries e
              where e.reseller_id = $1 and not e.folded and ($2::text is null or e.sub_client_id = $2) and e.bucket >= $4 and e.bucket < $5
              union all
             select e.sub_client_id, e.meter, e.bucket, e.count
               from usage_entries e
              where e.reseller_id = $1 and e.folded and ($2::text is null or e.sub_client_id = $2) and e.bucket >= $4 and e.bucket < $5) u
       join unnest($6::text[], $7::text[]) as m (ledger, shown) on m.ledger = u.meter
      group by 1, 2, 3
      order by 1, u.sub_client_id collate "C", m.shown collate "C"
      limit $8`,
    [
      resellerId,
      subClientId ?? null,
      periods.map(({ fromMs }) => new Date(fromMs)),
      new Date(periods[0]?.fromMs ?? 0),
      new Date(periods.at(-1)?.untilMs ?? 0),
      meters.map(([ledger]) => ledger),
      meters.map(([, shown]) => shown),
      limit,
      daysOfZone ?? null,
    ],
  )
  return rows.map(({ nth, sub_client_id, meter, count }) => ({ nth, subClientId: sub_client_id, meter, count }))
}

/** The lines of a chain from the first of the period to the last, and the hash before them. */
export async function selectChainPart(
  db: Db,
  resellerId: string,
  subClientId: string,
  period: Period,
): Promise<{ lines: SealedLine[]; previous: Buffer | undefined }> {
  const { rows } = await db.query<LineRow>(
    `with ends as (
       select min(seq) as first, max(seq) as last
         from usage_lines
        where reseller_id = $1 and sub_client_id = $2 and bucket >= $3 and bucket < $4
     )
     select l.seq, l.bucket, l.meter, l.count, l.hash
       from ends e
       join usage_lines l on l.reseller_id = $1 and l.sub_client_id = $2 and l.seq between e.first - 1 and e.last
      order by l.seq`,
    [resellerId, subClientId, new Date(period.fromMs), new Date(period.untilMs)],
  )
  const lines = rows.map((row) => ({ ...row, seq: Number(row.seq), count: Number(row.count) }))
  const isPreceded = lines.length > 0 && lines[0]?.seq !== 1
  return { lines: isPreceded ? lines.slice(1) : lines, previous: isPreceded ? lines[0]?.hash : undefined }
}

export async function isSubClient(db: Db, resellerId: string, subClientId: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from sub_clients where reseller_id = $1 and sub_client_id = $2', [resellerId, subClientId])
  return rowCount === 1
}

type UsedRow = { nth: number; sub_client_id: string; meter: string; count: number }
type LineRow = { seq: string; bucket: Date; meter: LedgerMeter; count: string; hash: Buffer }
