// Which worker scores which vehicle. A claim is a lease by the database's clock, which all workers share. Every statement looks at a bounded number of
// rows that an index leads it to, however many are due. What is due may be on several nodes and is read by itself; claims are on one, and they decide.

import assert from 'node:assert/strict'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectOfShards } from '../../cluster/reach.sql.ts'
import type { Reach } from '../../cluster/reach.ts'
import { keyColumns, type VehicleKey } from '../vehicle-key.ts'

/** Of the database, as text, because a Date would lose the end of it. What is due is held against it, not against the clocks of the nodes that have it. */
export async function selectTime(db: Db): Promise<string> {
  const { rows } = await db.query<{ now: string }>('select clock_timestamp()::text as now')
  return rows[0]?.now ?? assert.fail('a select without a table has one row')
}

/**
 * Held until the transaction ends: two that claim at once lock no rows in different orders. Nothing in the transaction may ask a node of a cluster: one that hangs
 * would keep every worker from claiming.
 */
export async function lockClaimingAcrossResellers(db: Db): Promise<void> {
  await db.query('select pg_advisory_xact_lock(7305512244)')
}

/** One short statement: whether any vehicle is due, now or in a moment. */
export async function isAnyDueAcrossResellers(db: Db): Promise<boolean> {
  const { rows } = await db.query({
    name: 'look for vehicles that are due',
    text: 'select reseller_id from latest_states where due and vehicle_id is not null order by reseller_id limit 1',
  })
  return rows.length > 0
}

export type Waiting = { readonly resellerId: string; readonly isReady: boolean }

/** The first `limit` states that are due of the resellers after `after`, by reseller and then by who waits longest. `isReady`: it may be scored now. */
export async function selectWaitingAcrossResellers(
  db: Db,
  { now, after, limit }: { now: string; after: string; limit: number },
): Promise<Waiting[]> {
  const { rows } = await db.query<{ reseller_id: string; is_ready: boolean }>(
    `select reseller_id, score_after <= $2::timestamptz as is_ready
       from latest_states
      where due and vehicle_id is not null and reseller_id > $1
      order by reseller_id, score_after
      limit $3`,
    [after, now, limit],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, isReady: row.is_ready }))
}

/** Of the nodes that can be reached, while one is away. */
export async function selectWaitingWithinAcrossResellers(
  db: Db,
  { nodes }: Reach,
  { now, after, limit }: { now: string; after: string; limit: number },
): Promise<Waiting[]> {
  const rows = await selectOfShards<{ reseller_id: string; is_ready: boolean }>(db, {
    nodes,
    table: 'latestStates',
    ofShard: (table) =>
      `select reseller_id, score_after, score_after <= $1::timestamptz as is_ready
         from ${table}
        where due and vehicle_id is not null and reseller_id > $2
        order by reseller_id, score_after
        limit $3`,
    values: [now, after, limit],
    columns: 'reseller_id text, score_after timestamptz, is_ready boolean',
    end: `order by reseller_id, score_after limit ${limit}`,
  })
  return rows.map((row) => ({ resellerId: row.reseller_id, isReady: row.is_ready }))
}

export type WaitingOfReseller = { readonly now: string; readonly resellerId: string; readonly offset: number; readonly limit: number }

/** Vehicles of a reseller that may be scored now, those that wait longest first, claimed or not. One that several sources reported may come as often. */
export async function selectReadyVehicles(db: Db, { now, resellerId, offset, limit }: WaitingOfReseller): Promise<VehicleKey[]> {
  const { rows } = await db.query<{ vehicle_id: string }>(
    `select vehicle_id
       from latest_states
      where reseller_id = $1 and due and vehicle_id is not null and score_after <= $2::timestamptz
      order by score_after
     offset $3 limit $4`,
    [resellerId, now, offset, limit],
  )
  return rows.map((row) => ({ resellerId, vehicleId: row.vehicle_id }))
}

/** Of the nodes that can be reached, while one is away. */
export async function selectReadyWithin(
  db: Db,
  { nodes }: Reach,
  { now, resellerId, offset, limit }: WaitingOfReseller,
): Promise<VehicleKey[]> {
  const rows = await selectOfShards<{ vehicle_id: string }>(db, {
    nodes,
    table: 'latestStates',
    ofShard: (table) =>
      `select vehicle_id, score_after
         from ${table}
        where reseller_id = $1 and due and vehicle_id is not null and score_after <= $2::timestamptz
        order by score_after
        limit $3`,
    values: [resellerId, now, offset + limit],
    columns: 'vehicle_id text, score_after timestamptz',
    end: `order by score_after offset ${offset} limit ${limit}`,
  })
  return rows.map((row) => ({ resellerId, vehicleId: row.vehicle_id }))
}

/** Claims the first `limit` of these vehicles that nobody has claimed. */
export async function claimVehiclesAcrossResellers(
  db: Db,
  { claimId, vehicles, leaseMs, limit }: { claimId: string; vehicles: readonly VehicleKey[]; leaseMs: number; limit: number },
): Promise<VehicleKey[]> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string }>(
    `with free as (
       select o.reseller_id, o.vehicle_id
         from unnest($1::text[], $2::text[]) with ordinality o (reseller_id, vehicle_id, nth)
        where (select c.held_until
                 from scoring_claims c
                where c.reseller_id = o.reseller_id and c.vehicle_id = o.vehicle_id and c.held_until > statement_timestamp()) is null
        order by o.nth
        limit $4
     )
     insert into scoring_claims as kept (reseller_id, vehicle_id, claim_id, held_until)
     select reseller_id, vehicle_id, $3, clock_timestamp() + make_interval(secs => $5::float8 / 1000) from free order by reseller_id, vehicle_id
     on conflict (reseller_id, vehicle_id) do update set claim_id = excluded.claim_id, held_until = excluded.held_until
      where kept.held_until <= statement_timestamp()
     returning reseller_id, vehicle_id`,
    [...keyColumns(vehicles), claimId, limit, leaseMs],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, vehicleId: row.vehicle_id }))
}

/** Has the claim hold these vehicles for longer, those that it still holds. */
export async function renewClaimsAcrossResellers(db: Db, claimId: string, vehicles: readonly VehicleKey[], leaseMs: number): Promise<void> {
  await holdUntil(db, claimId, vehicles, 'claim_id', leaseMs)
}

/** Gives the vehicles up and leaves them alone for `holdMs`. Vehicles that another claim took over are not touched. */
export async function releaseVehiclesAcrossResellers(
  db: Db,
  claimId: string,
  vehicles: readonly VehicleKey[],
  holdMs: number,
): Promise<void> {
  await holdUntil(db, claimId, vehicles, `''`, holdMs)
}

async function holdUntil(
  db: Db,
  claimId: string,
  vehicles: readonly VehicleKey[],
  nextClaimId: 'claim_id' | `''`,
  forMs: number,
): Promise<void> {
  await db.query(
    `update scoring_claims c set claim_id = ${nextClaimId}, held_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
       from (select w.reseller_id, w.vehicle_id
               from unnest($2::text[], $3::text[]) w (reseller_id, vehicle_id)
               join scoring_claims k on k.reseller_id = w.reseller_id and k.vehicle_id = w.vehicle_id
              where k.claim_id = $1
              order by w.reseller_id, w.vehicle_id
                for update of k) h
      where c.reseller_id = h.reseller_id and c.vehicle_id = h.vehicle_id`,
    [claimId, ...keyColumns(vehicles), forMs],
  )
}

/** Of the given vehicles those that the claim still holds, locked until the transaction ends. */
export async function lockClaimsAcrossResellers(db: Db, claimId: string, vehicles: readonly VehicleKey[]): Promise<VehicleKey[]> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string }>(
    `select c.reseller_id, c.vehicle_id
       from unnest($2::text[], $3::text[]) w (reseller_id, vehicle_id)
       join scoring_claims c on c.reseller_id = w.reseller_id and c.vehicle_id = w.vehicle_id
      where c.claim_id = $1
      order by c.reseller_id, c.vehicle_id
        for update of c`,
    [claimId, ...keyColumns(vehicles)],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, vehicleId: row.vehicle_id }))
}

/**
 * Takes a vehicle from whoever is scoring it: what that found out is of before, and is not stored. One that is being stored is waited for, and
 * nobody begins until this transaction ends.
 */
export async function voidClaim(db: Db, { resellerId, vehicleId }: VehicleKey): Promise<void> {
  await db.query(
    `insert into scoring_claims as kept (reseller_id, vehicle_id, claim_id, held_until) values ($1, $2, 'void', clock_timestamp())
     on conflict (reseller_id, vehicle_id) do update set claim_id = excluded.claim_id, held_until = least(kept.held_until, excluded.held_until)`,
    [resellerId, vehicleId],
  )
}
