import type { Db } from '@roadworthy/service-kit/db'

/** Which version of what a source said of a vehicle was scored: the transaction that wrote it last (`xmin`), whatever it changed. */
export type SourceVersion = { readonly sourceId: string; readonly vehicleId: string; readonly version: string }

/**
 * Nothing is due any more of what was scored, unless something newer arrived meanwhile. A source that is being written right now is
 * skipped: it stays due, and ingest never waits for scoring nor scoring for ingest.
 */
export async function clearDueAcrossResellers(db: Db, scored: readonly SourceVersion[]): Promise<void> {
  await db.query(
    `with unchanged as (
       select l.source_id, l.vehicle_key
         from unnest($1::text[], $2::text[], $3::text[]) s (source_id, vehicle_id, version)
         join latest_states l on l.source_id = s.source_id and l.vehicle_key = s.vehicle_id
        where l.due and l.xmin::text = s.version
          for update of l skip locked
     )
     update latest_states l set due = false from unchanged u where l.source_id = u.source_id and l.vehicle_key = u.vehicle_key`,
    [scored.map(({ sourceId }) => sourceId), scored.map(({ vehicleId }) => vehicleId), scored.map(({ version }) => version)],
  )
}

/** Has a vehicle scored once more although it said nothing new: something else that its score depends on has changed. */
export async function markDue(db: Db, resellerId: string, vehicleId: string): Promise<void> {
  await db.query('update latest_states set due = true where reseller_id = $1 and vehicle_id = $2', [resellerId, vehicleId])
}
