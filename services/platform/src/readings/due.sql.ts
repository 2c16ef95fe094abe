import type { Db } from '@roadworthy/service-kit/db'

/** Which version of what a source said of a vehicle was scored: the transaction that wrote it last (`xmin`), whatever it changed. */
export type SourceVersion = { readonly sourceId: string; readonly vehicleId: string; readonly version: string }

/**
 * Nothing is due any more of what was scored, unless something newer arrived meanwhile, and what is still due waits for `holdMs`. A source that
 * is being written right now is skipped: it stays due, and ingest never waits for scoring nor scoring for ingest.
 */
export async function clearDueAcrossResellers(db: Db, scored: readonly SourceVersion[], holdMs: number): Promise<void> {
  await db.query(
    `with scored as (
       select l.source_id, l.vehicle_key, l.xmin::text = s.version as is_unchanged
         from unnest($1::text[], $2::text[], $3::text[]) s (source_id, vehicle_id, version)
         join latest_states l on l.source_id = s.source_id and l.vehicle_key = s.vehicle_id
        where l.due
          for update of l skip locked
     )
     update latest_states l
        set due = not s.is_unchanged, score_after = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
       from scored s
      where l.source_id = s.source_id and l.vehicle_key = s.vehicle_key`,
    [scored.map(({ sourceId }) => sourceId), scored.map(({ vehicleId }) => vehicleId), scored.map(({ version }) => version), holdMs],
  )
}

/** Nothing of a vehicle is to be scored. Waits for ingest where it writes of it at this moment. */
export async function clearDue(db: Db, resellerId: string, vehicleId: string): Promise<void> {
  await db.query('update latest_states set due = false where reseller_id = $1 and vehicle_id = $2 and due', [resellerId, vehicleId])
}

/** Puts vehicles that cannot be scored now behind those that can, for `holdMs`. They stay due. A source that is being written right now is skipped. */
export async function postponeDueAcrossResellers(
  db: Db,
  vehicles: readonly { resellerId: string; vehicleId: string }[],
  holdMs: number,
): Promise<void> {
  await db.query(
    `with due as (
       select l.source_id, l.vehicle_key
         from unnest($1::text[], $2::text[]) v (reseller_id, vehicle_id)
         join latest_states l on l.vehicle_id = v.vehicle_id and l.reseller_id = v.reseller_id
        where l.due
          for update of l skip locked
     )
     update latest_states l set score_after = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
       from due d
      where l.source_id = d.source_id and l.vehicle_key = d.vehicle_key`,
    [vehicles.map(({ resellerId }) => resellerId), vehicles.map(({ vehicleId }) => vehicleId), holdMs],
  )
}

/** Has a vehicle scored once more, at once, although it said nothing new: something else that its score depends on has changed. */
export async function markDue(db: Db, resellerId: string, vehicleId: string): Promise<void> {
  await db.query(
    'update latest_states set due = true, score_after = least(score_after, clock_timestamp()) where reseller_id = $1 and vehicle_id = $2',
    [resellerId, vehicleId],
  )
}
