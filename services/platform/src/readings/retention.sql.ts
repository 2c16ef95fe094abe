import type { Db } from '@roadworthy/service-kit/postgres/db'
import { deleteReadingsOfSources } from './delete-readings.sql.ts'

/** Readings of a reseller that were recorded from then on and before, of the given sub-clients ('' for those of none) or of all others. */
export type OldReadings = {
  readonly resellerId: string
  readonly subClientIds: readonly string[]
  readonly isAllBut: boolean
  readonly from: Date
  readonly before: Date
}

/** Those of these sources. Answers how many, `limit` at most. */
export async function deleteOldReadingsAcrossResellers(
  db: Db,
  { resellerId, subClientIds, isAllBut, from, before }: OldReadings,
  sources: readonly string[],
  limit: number,
): Promise<number> {
  const condition = `recorded_at >= $4 and recorded_at < $5 and (coalesce(sub_client_id, '') = any ($6)) is distinct from $7`
  return await deleteReadingsOfSources(db, { resellerId, sources }, { condition, values: [from, before, subClientIds, isAllBut] }, limit)
}

/** By their ids, `limit` at most. */
export async function selectSourcesAfterAcrossResellers(db: Db, resellerId: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    `select source_id from latest_states where reseller_id = $1 and source_id > $2 group by source_id order by source_id limit $3`,
    [resellerId, after, limit],
  )
  return rows.map((row) => row.source_id)
}
