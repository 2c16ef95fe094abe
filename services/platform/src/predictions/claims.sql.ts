// Which worker scores which vehicle. A claim is a lease by the database's clock, which all workers share. Every statement looks at a bounded number of
// rows that an index leads it to, however many are due.

import type { Db } from '@roadworthy/service-kit/db'
import { keyColumns, type VehicleKey } from './vehicle-key.ts'

/** Held until the transaction ends: two that claim at once would be offered the same vehicles. */
export async function lockClaimingAcrossResellers(db: Db): Promise<void> {
  await db.query('select pg_advisory_xact_lock(7305512244)')
}

export type WaitingReseller = { readonly resellerId: string; readonly isReady: boolean }

/**
 * Up to `limit` resellers that have something due, by id from the one after `after`. `isReady`: the vehicle that waits longest may be scored now.
 * Each is one step along the index, past all that is due of the reseller before.
 */
export async function selectWaitingAcrossResellers(db: Db, after: string, limit: number): Promise<WaitingReseller[]> {
  const { rows } = await db.query<{ reseller_id: string; is_ready: boolean }>(
    `with recursive waiting as (
       (select l.reseller_id, l.score_after, 1 as nth
          from latest_states l
         where l.due and l.vehicle_id is not null and l.reseller_id > $1
         order by l.reseller_id, l.score_after
         limit 1)
       union all
       select n.reseller_id, n.score_after, w.nth + 1
         from waiting w
        cross join lateral (
          select l.reseller_id, l.score_after
            from latest_states l
           where l.due and l.vehicle_id is not null and l.reseller_id > w.reseller_id
           order by l.reseller_id, l.score_after
           limit 1
        ) n
        where w.nth < $2
     )
     select reseller_id, score_after <= statement_timestamp() as is_ready from waiting`,
    [after, limit],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, isReady: row.is_ready }))
}

/**
 * Claims up to `limit` vehicles of these resellers, those that wait longest of each, in turns: all have their first one before any has its
 * second. What others have claimed is passed over, which is as many as they may claim.
 */
export async function claimVehiclesAcrossResellers(
  db: Db,
  { claimId, resellerIds, leaseMs, limit }: { claimId: string; resellerIds: readonly string[]; leaseMs: number; limit: number },
): Promise<VehicleKey[]> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string }>(
    `with offered as (
       select r.reseller_id, o.vehicle_id, o.nth
         from unnest($1::text[]) r (reseller_id)
        cross join lateral (
          select l.vehicle_id, row_number() over (order by l.score_after) as nth
            from (
              select l.vehicle_id, l.score_after
                from latest_states l
               where l.reseller_id = r.reseller_id and l.due and l.vehicle_id is not null and l.score_after <= statement_timestamp()
                 and (select c.held_until
                        from scoring_claims c
                       where c.reseller_id = l.reseller_id and c.vehicle_id = l.vehicle_id and c.held_until > statement_timestamp()) is null
               order by l.score_after
               limit $3
            ) l
        ) o
     ), chosen as (
       select reseller_id, vehicle_id from offered group by reseller_id, vehicle_id order by min(nth), reseller_id, vehicle_id limit $3
     )
     insert into scoring_claims as kept (reseller_id, vehicle_id, claim_id, held_until)
     select reseller_id, vehicle_id, $2, clock_timestamp() + make_interval(secs => $4::float8 / 1000) from chosen order by reseller_id, vehicle_id
     on conflict (reseller_id, vehicle_id) do update set claim_id = excluded.claim_id, held_until = excluded.held_until
      where kept.held_until <= statement_timestamp()
     returning reseller_id, vehicle_id`,
    [resellerIds, claimId, limit, leaseMs],
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
