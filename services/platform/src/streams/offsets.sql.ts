// How far the topics of connections have been read.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { textArray } from '@roadworthy/service-kit/postgres/pg-arrays'

/** Of whom, and of which topic. `topicId` is what the cluster calls this topic and no other, even one of the same name made after it. */
export type OffsetsPlace = { readonly resellerId: string; readonly groupId: string; readonly topicId: string }

/** Everything of the partition before `nextOffset` is settled. */
export type StreamProgress = OffsetsPlace & { readonly partition: number; readonly nextOffset: bigint }

/** Never goes back: whoever held the partition before may still be writing how far it came. Rows are locked in one order everywhere. */
export async function upsertOffsets(db: Db, progress: readonly StreamProgress[]): Promise<void> {
  const { text, values } = offsetsStatement(progress)
  await db.query(text, values)
}

/** What `upsertOffsets` runs. */
export function offsetsStatement(progress: readonly StreamProgress[]): { text: string; values: Buffer[] } {
  return {
    text: `
    insert into stream_offsets as o (reseller_id, group_id, topic_id, partition, next_offset)
     select reseller_id, group_id, topic_id, partition::integer, max(next_offset::bigint)
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as p (reseller_id, group_id, topic_id, partition, next_offset)
      group by 1, 2, 3, 4
      order by 1, 2, 3, 4
         on conflict (reseller_id, group_id, topic_id, partition) do update set next_offset = excluded.next_offset
      where o.next_offset < excluded.next_offset`,
    values: [
      textArray(progress.map(({ resellerId }) => resellerId)),
      textArray(progress.map(({ groupId }) => groupId)),
      textArray(progress.map(({ topicId }) => topicId)),
      textArray(progress.map(({ partition }) => String(partition))),
      textArray(progress.map(({ nextOffset }) => String(nextOffset))),
    ],
  }
}

/** By partition. */
export async function selectOffsets(db: Db, { resellerId, groupId, topicId }: OffsetsPlace): Promise<Map<number, bigint>> {
  const { rows } = await db.query<{ partition: number; next_offset: string }>(
    'select partition, next_offset::text from stream_offsets where reseller_id = $1 and group_id = $2 and topic_id = $3',
    [resellerId, groupId, topicId],
  )
  return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]))
}

/** Sets where partitions begin of which nothing is known; of the others it changes nothing. */
export async function insertOffsetsUnlessThere(db: Db, place: OffsetsPlace, offsets: ReadonlyMap<number, bigint>): Promise<void> {
  await db.query(
    `insert into stream_offsets (reseller_id, group_id, topic_id, partition, next_offset)
     select $1, $2, $3, partition, next_offset
       from unnest($4::integer[], $5::bigint[]) as p (partition, next_offset)
      order by partition
         on conflict do nothing`,
    [place.resellerId, place.groupId, place.topicId, [...offsets.keys()], [...offsets.values()].map(String)],
  )
}

/** Sets an offset that the log of the partition does not hold any more, back as well as forward; not one that has changed since. */
export async function updateLostOffset(db: Db, place: OffsetsPlace, lost: { partition: number; from: bigint; to: bigint }): Promise<void> {
  await db.query(
    `update stream_offsets set next_offset = $6
      where reseller_id = $1 and group_id = $2 and topic_id = $3 and partition = $4 and next_offset = $5`,
    [place.resellerId, place.groupId, place.topicId, lost.partition, lost.from.toString(), lost.to.toString()],
  )
}

export async function deleteOffsets(db: Db, resellerId: string): Promise<void> {
  await db.query('delete from stream_offsets where reseller_id = $1', [resellerId])
}
