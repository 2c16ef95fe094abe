import type { Db } from '@roadworthy/service-kit/postgres/db'
import { deleteReadingsOfSources } from './delete-readings.sql.ts'

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

async function deleteOfSources(
  db: Db,
  { resellerId, before, subClientIds, isAllBut }: OldReadings,
  { sources, from }: { sources: readonly string[]; from: Date | undefined },
  limit: number,
): Promise<number> {
  const condition = `recorded_at < $4 and recorded_at >= coalesce($5, '-infinity'::timestamptz)
        and (coalesce(sub_client_id, '') = any ($6)) is distinct from $7`
  return await deleteReadingsOfSources(
    db,
    { resellerId, sources },
    { condition, values: [before, from ?? null, subClientIds, isAllBut] },
    limit,
  )
}
