import type { Db } from '@roadworthy/service-kit/db'
import type { LedgerMeter } from './meters.ts'
import type { ChainOwner, SealedLine } from './usage-chain.ts'

export type FoldedUsage = ChainOwner & { readonly meter: LedgerMeter; readonly bucket: Date; readonly count: number }

/** Held to the end of the transaction: chains are made longer by one sealer at a time. */
export async function lockSealingAcrossResellers(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>('select pg_try_advisory_xact_lock(7305512243) as held')
  return rows[0]?.held === true
}

/**
 * Adds up the entries of each sub-client, meter and bucket among the `limit` oldest. Those of buckets before `openSince` are taken out and
 * answered, by time; the others are left, as one entry each. Tells how many were there before as well.
 */
export async function foldEntriesAcrossResellers(
  db: Db,
  openSince: Date,
  limit: number,
): Promise<{ seenCount: number; closed: FoldedUsage[] }> {
  const { rows } = await db.query<FoldedRow>(
    `with seen as (
       select entry_id, reseller_id, sub_client_id, meter, bucket from usage_entries order by entry_id limit $2
     ), due as (
       select reseller_id, sub_client_id, meter, bucket
         from seen
        group by reseller_id, sub_client_id, meter, bucket
       having count(*) > 1 or bucket < $1
     ), taken as (
       delete from usage_entries e
        using seen s join due d using (reseller_id, sub_client_id, meter, bucket)
        where e.entry_id = s.entry_id
       returning e.reseller_id, e.sub_client_id, e.meter, e.bucket, e.count
     ), folded as (
       select reseller_id, sub_client_id, meter, bucket, sum(count) as count from taken group by reseller_id, sub_client_id, meter, bucket
     ), left_open as (
       insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count)
       select reseller_id, sub_client_id, meter, bucket, count from folded where bucket >= $1
     )
     select (select count(*)::int from seen) as seen_count, f.reseller_id, f.sub_client_id, f.meter, f.bucket, f.count::float8 as count
       from (select 1) one
       left join folded f on f.bucket < $1
      order by f.reseller_id, f.sub_client_id, f.bucket, f.meter`,
    [openSince, limit],
  )
  const closed = rows.flatMap(({ reseller_id, sub_client_id, meter, bucket, count }) =>
    reseller_id === null ? [] : [{ resellerId: reseller_id, subClientId: sub_client_id, meter, bucket, count }],
  )
  return { seenCount: rows[0]?.seen_count ?? 0, closed }
}

export type ChainEnd = ChainOwner & { readonly lastSeq: number; readonly lastHash: Buffer }

/** Those that have lines; in no order. */
export async function selectChainEndsAcrossResellers(db: Db, owners: readonly ChainOwner[]): Promise<ChainEnd[]> {
  const { rows } = await db.query<ChainEndRow>(
    `select c.reseller_id, c.sub_client_id, c.last_seq, c.last_hash
       from unnest($1::text[], $2::text[]) as o (reseller_id, sub_client_id)
       join usage_chains c using (reseller_id, sub_client_id)`,
    [owners.map(({ resellerId }) => resellerId), owners.map(({ subClientId }) => subClientId)],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    subClientId: row.sub_client_id,
    lastSeq: Number(row.last_seq),
    lastHash: row.last_hash,
  }))
}

export async function appendLinesAcrossResellers(db: Db, lines: readonly (ChainOwner & SealedLine)[]): Promise<void> {
  await db.query(
    `with appended as (
       insert into usage_lines (reseller_id, sub_client_id, seq, bucket, meter, count, hash)
       select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::text[], $6::bigint[], $7::bytea[])
       returning reseller_id, sub_client_id, seq, bucket, meter, count, hash
     ), ends as (
       insert into usage_chains (reseller_id, sub_client_id, last_seq, last_hash)
       select distinct on (reseller_id, sub_client_id) reseller_id, sub_client_id, seq, hash
         from appended
        order by reseller_id, sub_client_id, seq desc
       on conflict (reseller_id, sub_client_id) do update set last_seq = excluded.last_seq, last_hash = excluded.last_hash
     )
     insert into usage_months as m (reseller_id, meter, month, sub_client_id, count)
     select reseller_id, meter, date_trunc('month', bucket at time zone 'UTC')::date, sub_client_id, sum(count)
       from appended
      group by 1, 2, 3, 4
     on conflict (reseller_id, meter, month, sub_client_id) do update set count = m.count + excluded.count`,
    [
      lines.map(({ resellerId }) => resellerId),
      lines.map(({ subClientId }) => subClientId),
      lines.map(({ seq }) => seq),
      lines.map(({ bucket }) => bucket),
      lines.map(({ meter }) => meter),
      lines.map(({ count }) => count),
      lines.map(({ hash }) => hash),
    ],
  )
}

/** Removes a bounded number of notes of who was active, of periods that no reading can be received in any more. */
export async function deleteOldActiveDevicesAcrossResellers(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from usage_active_devices
      where (device_id, reseller_id, sub_client_id, period) in (
        select device_id, reseller_id, sub_client_id, period from usage_active_devices where bucket < $1 limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

type FoldedRow = {
  seen_count: number
  reseller_id: string | null
  sub_client_id: string
  meter: LedgerMeter
  bucket: Date
  count: number
}

type ChainEndRow = { reseller_id: string; sub_client_id: string; last_seq: string; last_hash: Buffer }
