import type { Db } from '@roadworthy/service-kit/db'

/**
 * Readings of a reseller that were recorded before, of the given sub-clients ('' for those of none) or of all others, oldest first for each source. Those of weeks
 * that are in files go with their partition. Answers how many.
 */
export async function deleteOldReadingsAcrossResellers(
  db: Db,
  of: { readonly resellerId: string; readonly subClientIds: readonly string[]; readonly isAllBut: boolean; readonly before: Date },
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `with old as materialized (
       select r.source_id, r.recorded_at, r.digest
         from (select distinct source_id from latest_states where reseller_id = $1) s
        cross join lateral (
          select r.source_id, r.recorded_at, r.digest
            from readings r
           where r.source_id = s.source_id and r.reseller_id = $1 and r.recorded_at < $2
             and r.recorded_at >= coalesce(readings_sealed_until(), '-infinity')
             and (coalesce(r.sub_client_id, '') = any ($3)) is distinct from $4
           order by r.recorded_at
           limit $5
        ) r
        limit $5
     )
     delete from readings r using old o
      where r.source_id = o.source_id and r.recorded_at = o.recorded_at and r.digest = o.digest`,
    [of.resellerId, of.before, of.subClientIds, of.isAllBut, limit],
  )
  return rowCount ?? 0
}
