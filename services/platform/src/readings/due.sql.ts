// What is to be scored, in the rows that ingest writes. No statement waits for ingest but where that is stated, and each is of one shard.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { groupByShard } from './group-by-shard.sql.ts'

/** Which version of a source's state of a vehicle was scored: the transaction that wrote it last (`xmin`), whatever it changed. */
export type SourceVersion = { readonly sourceId: string; readonly vehicleId: string; readonly version: string }

/**
 * Nothing is due any more of what was scored, unless something newer arrived meanwhile, and what is still due waits for `holdMs`. A source that
 * is being written right now is skipped: it stays due, and ingest never waits for scoring nor scoring for ingest.
 */
export async function clearDueAcrossResellers(db: Db, scored: readonly SourceVersion[], holdMs: number): Promise<void> {
  const groups = await groupByShard(db, scored)
  // Sent together, because ingest waits for the rows until the transaction ends.
  await Promise.all(groups.map((group) => clearGroup(db, group, holdMs)))
}

async function clearGroup(db: Db, scored: readonly SourceVersion[], holdMs: number): Promise<void> {
  await db.query(
    `with scored as (
       select l.source_id, l.vehicle_key, l.xmin::text = s.version as is_unchanged
         from unnest($1::text[], $2::text[], $3::text[]) s (source_id, vehicle_id, version)
         join latest_states l on l.source_id = s.source_id and l.vehicle_key = s.vehicle_id
        where l.source_id = any ($1) and l.due
          for update of l skip locked
     )
     update latest_states l
        set due = not s.is_unchanged, score_after = statement_timestamp() + make_interval(secs => $4::float8 / 1000)
       from scored s
      where l.source_id = any ($1) and l.source_id = s.source_id and l.vehicle_key = s.vehicle_key`,
    [scored.map(({ sourceId }) => sourceId), scored.map(({ vehicleId }) => vehicleId), scored.map(({ version }) => version), holdMs],
  )
}

/** Nothing of a vehicle is to be scored. Waits for ingest where it writes of it at this moment. */
export async function clearDue(db: Db, resellerId: string, vehicleId: string): Promise<void> {
  const due = (await selectStates(db, [{ resellerId, vehicleId }])).filter(({ isDue }) => isDue)
  for (const group of await groupByShard(db, due)) {
    await db.query(`update latest_states set due = false where source_id = any ($1) and reseller_id = $2 and vehicle_id = $3 and due`, [
      ...[group.map(({ sourceId }) => sourceId), resellerId, vehicleId],
    ])
  }
}

type Vehicle = { readonly resellerId: string; readonly vehicleId: string }

/**
 * Puts vehicles that cannot be scored now behind those that can, for `holdMs`. They stay due. A source that is being written right now is skipped. `sourceIds`: of the
 * vehicles, where only the nodes that have them can be asked.
 */
export async function postponeDueAcrossResellers(
  db: Db,
  vehicles: readonly Vehicle[],
  holdMs: number,
  sourceIds?: readonly string[],
): Promise<void> {
  const due = (await selectStates(db, vehicles, sourceIds)).filter(({ isDue }) => isDue)
  for (const group of await groupByShard(db, due)) {
    await db.query(
      `with due as (
         select l.source_id, l.vehicle_key
           from unnest($1::text[], $2::text[]) s (source_id, vehicle_id)
           join latest_states l on l.source_id = s.source_id and l.vehicle_key = s.vehicle_id
          where l.source_id = any ($1) and l.due
            for update of l skip locked
       )
       update latest_states l set score_after = statement_timestamp() + make_interval(secs => $3::float8 / 1000)
         from due d
        where l.source_id = any ($1) and l.source_id = d.source_id and l.vehicle_key = d.vehicle_key`,
      [group.map(({ sourceId }) => sourceId), group.map(({ vehicleId }) => vehicleId), holdMs],
    )
  }
}

/** Has a vehicle scored once more, at once, although it reported nothing new: something else that its score depends on has changed. */
export async function markDue(db: Db, resellerId: string, vehicleId: string): Promise<void> {
  for (const group of await groupByShard(db, await selectStates(db, [{ resellerId, vehicleId }]))) {
    await db.query(
      `update latest_states set due = true, score_after = least(score_after, statement_timestamp())
        where source_id = any ($1) and reseller_id = $2 and vehicle_id = $3`,
      [group.map(({ sourceId }) => sourceId), resellerId, vehicleId],
    )
  }
}

type State = { readonly sourceId: string; readonly vehicleId: string; readonly isDue: boolean }

/** Of each source that reported for one of the vehicles. */
async function selectStates(db: Db, vehicles: readonly Vehicle[], sourceIds?: readonly string[]): Promise<State[]> {
  const { rows } = await db.query<{ source_id: string; vehicle_id: string; due: boolean }>(
    `select source_id, vehicle_id, due
       from latest_states
      where vehicle_id = any ($2) and (reseller_id, vehicle_id) in (select * from unnest($1::text[], $2::text[]))
            ${sourceIds === undefined ? '' : 'and source_id = any ($3)'}`,
    [
      vehicles.map(({ resellerId }) => resellerId),
      vehicles.map(({ vehicleId }) => vehicleId),
      ...(sourceIds === undefined ? [] : [sourceIds]),
    ],
  )
  return rows.map((row) => ({ sourceId: row.source_id, vehicleId: row.vehicle_id, isDue: row.due }))
}
