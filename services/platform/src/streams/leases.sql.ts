import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Records that this receiver is there, and returns how many are. One at a time, so that two that begin at once see each other. */
export async function noteReceiverAcrossResellers(db: Db, receiverId: string, at: Date, liveUntil: Date): Promise<number> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('stream leases', 0))")
  await db.query('delete from stream_receivers where live_until <= $1', [at])
  await db.query(
    `insert into stream_receivers (receiver_id, live_until) values ($1, $2)
         on conflict (receiver_id) do update set live_until = excluded.live_until`,
    [receiverId, liveUntil],
  )
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from stream_receivers')
  return rows[0]?.count ?? 1
}

/** Those whose lease this receiver holds, in the order of their names. */
export async function selectHeldStreamsAcrossResellers(db: Db, receiverId: string): Promise<string[]> {
  const { rows } = await db.query<{ reseller_id: string }>(
    'select reseller_id from stream_leases where receiver_id = $1 order by reseller_id',
    [receiverId],
  )
  return rows.map(({ reseller_id }) => reseller_id)
}

/**
 * Moves the leases of `held` on, and takes one of each of `others` that has a slot free, `limit` at most, those with the fewest readers first; answers
 * which it took. A lease that is over is free.
 */
export async function takeStreamLeasesAcrossResellers(
  db: Db,
  receiverId: string,
  streams: {
    readonly held: readonly string[]
    readonly others: readonly string[]
    readonly limit: number
    readonly slotsPerStream: number
  },
  at: Date,
  heldUntil: Date,
): Promise<string[]> {
  const { held, others, limit, slotsPerStream } = streams
  await db.query('update stream_leases set held_until = $3 where receiver_id = $1 and reseller_id = any ($2)', [
    receiverId,
    held,
    heldUntil,
  ])
  const { rows } = await db.query<{ reseller_id: string }>(
    `insert into stream_leases as l (reseller_id, slot, receiver_id, held_until)
     select o.id, free.slot, $1, $4
       from unnest($2::text[]) with ordinality o(id, nth)
      cross join lateral (
            select s.slot, count(*) over () as free_count
              from generate_series(0, $6::int - 1) s(slot)
             where not exists (select 1 from stream_leases taken
                                where taken.reseller_id = o.id and taken.slot = s.slot and taken.held_until > $5)
             order by s.slot
             limit 1) free
      order by free.free_count desc, o.nth
      limit $3
         on conflict (reseller_id, slot) do update set receiver_id = excluded.receiver_id, held_until = excluded.held_until
  returning l.reseller_id`,
    [receiverId, others, limit, heldUntil, at, slotsPerStream],
  )
  return rows.map(({ reseller_id }) => reseller_id)
}

/** Gives up the leases of these streams, and has other receivers look for them at once. */
export async function releaseStreamsAcrossResellers(db: Db, receiverId: string, resellerIds: readonly string[]): Promise<void> {
  const { rowCount } = await db.query('delete from stream_leases where receiver_id = $1 and reseller_id = any ($2)', [
    receiverId,
    resellerIds,
  ])
  if (rowCount !== 0) await db.query("select pg_notify('stream_connection_changed', '')")
}

/** This receiver is gone. */
export async function deleteReceiverAcrossResellers(db: Db, receiverId: string): Promise<void> {
  await db.query('delete from stream_receivers where receiver_id = $1', [receiverId])
}
