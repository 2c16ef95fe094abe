import type { Db } from '@roadworthy/service-kit/db'

export type OldReadings = {
  readonly resellerId: string
  readonly subClientIds: readonly string[]
  readonly isAllBut: boolean
  readonly before: Date
}

/** Sources that are looked at together. */
const SOURCES_AT_ONCE = 500

/**
 * Readings of a reseller that were recorded before, of the given sub-clients ('' for those of none) or of all others, oldest first for each source. Those of weeks
 * that are in files go with their partition. Answers how many, `limit` at most.
 */
export async function deleteOldReadingsAcrossResellers(db: Db, of: OldReadings, limit: number): Promise<number> {
  const sealed = await db.query<{ until: Date | null }>('select readings_sealed_until() as until')
  const from = sealed.rows[0]?.until ?? undefined
  let deletedCount = 0
  for (let after = ''; deletedCount < limit; ) {
    const sources = await selectSourcesAfter(db, of.resellerId, after)
    if (sources.length > 0) deletedCount += await deleteOfSources(db, of, { sources, from }, limit - deletedCount)
    const last = sources.at(-1)
    if (last === undefined || sources.length < SOURCES_AT_ONCE) break
    after = last
  }
  return deletedCount
}

async function selectSourcesAfter(db: Db, resellerId: string, after: string): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    `select source_id from latest_states where reseller_id = $1 and source_id > $2 group by source_id order by source_id limit $3`,
    [resellerId, after, SOURCES_AT_ONCE],
  )
  return rows.map((row) => row.source_id)
}

/** Their keys first: on a cluster nothing is deleted by a join, and each node is asked for its own. */
async function deleteOfSources(
  db: Db,
  { resellerId, before, subClientIds, isAllBut }: OldReadings,
  { sources, from }: { sources: readonly string[]; from: Date | undefined },
  limit: number,
): Promise<number> {
  const { rows: old } = await db.query<{ source_id: string; recorded_at: string; digest: Buffer }>(
    `select source_id, recorded_at::text, digest
       from readings
      where source_id = any ($1) and reseller_id = $2 and recorded_at < $3 and recorded_at >= coalesce($4, '-infinity'::timestamptz)
        and (coalesce(sub_client_id, '') = any ($5)) is distinct from $6
      limit $7`,
    [sources, resellerId, before, from ?? null, subClientIds, isAllBut, limit],
  )
  if (old.length === 0) return 0
  // The digest covers source, time and content, so that it alone identifies which reading of these sources is meant.
  const { rowCount } = await db.query(
    `delete from readings
      where source_id = any ($1) and reseller_id = $2 and recorded_at = any ($3::timestamptz[]) and digest = any ($4::bytea[])`,
    [[...new Set(old.map((row) => row.source_id))], resellerId, old.map((row) => row.recorded_at), old.map((row) => row.digest)],
  )
  return rowCount ?? 0
}
