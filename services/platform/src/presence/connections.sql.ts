import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { DeviceKey } from './presence.sql.ts'

export type DeviceConnection = DeviceKey & { readonly connectionId: string; readonly connectedAt: Date }

/**
 * Puts the end of a holder's leases off to `leaseUntil`. Answers the resellers of whom it had none any more: it is new, or it ran out, and the
 * connections under it may have been cleared away.
 */
export async function renewLeasesAcrossResellers(
  db: Db,
  holderId: string,
  resellerIds: readonly string[],
  at: Date,
  leaseUntil: Date,
): Promise<string[]> {
  const { rows } = await db.query<{ reseller_id: string }>(
    `with renewed as (
       update connection_leases set lease_until = $4
        where holder_id = $2 and reseller_id = any ($1) and lease_until > $3
       returning reseller_id
     )
     insert into connection_leases (reseller_id, holder_id, lease_until)
     select reseller_id, $2, $4
       from unnest($1::text[]) r (reseller_id)
      where reseller_id not in (select reseller_id from renewed)
     on conflict (holder_id, reseller_id) do update set lease_until = excluded.lease_until
     returning reseller_id`,
    [resellerIds, holderId, at, leaseUntil],
  )
  return rows.map((row) => row.reseller_id)
}

/** All that a holder has: it is going. What it had is cleared away by whoever runs the next round. */
export async function endLeasesAcrossResellers(db: Db, holderId: string, at: Date): Promise<void> {
  await db.query('update connection_leases set lease_until = $2 where holder_id = $1 and lease_until > $2', [holderId, at])
}

export async function insertConnectionsAcrossResellers(db: Db, holderId: string, connections: readonly DeviceConnection[]): Promise<void> {
  await db.query(
    `insert into device_connections (reseller_id, device_id, connection_id, holder_id, connected_at)
     select reseller_id, device_id, connection_id, $5, connected_at
       from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) c (reseller_id, device_id, connection_id, connected_at)
     on conflict do nothing`,
    [
      connections.map(({ resellerId }) => resellerId),
      connections.map(({ deviceId }) => deviceId),
      connections.map(({ connectionId }) => connectionId),
      connections.map(({ connectedAt }) => connectedAt),
      holderId,
    ],
  )
}

export async function deleteConnectionsAcrossResellers(
  db: Db,
  connections: readonly Pick<DeviceConnection, 'deviceId' | 'connectionId'>[],
): Promise<void> {
  await db.query(
    `delete from device_connections c
      using unnest($1::text[], $2::text[]) g (device_id, connection_id)
      where c.device_id = g.device_id and c.connection_id = g.connection_id`,
    [connections.map(({ deviceId }) => deviceId), connections.map(({ connectionId }) => connectionId)],
  )
}

/**
 * Takes up to `limit` connections whose lease has run out, with when that was. The lease is void from then on (`-infinity`), so that its holder
 * sees it was cleared, whatever clock it goes by. Leases that are being renewed, or cleared by another, are not waited for.
 */
export async function takeLostConnectionsAcrossResellers(db: Db, now: Date, limit: number): Promise<(DeviceKey & { endedAt: Date })[]> {
  const { rows } = await db.query<{ reseller_id: string; device_id: string; ended_at: Date }>(
    `with dead as (
       select reseller_id, holder_id, case when lease_until = '-infinity' then $1 else lease_until end as ended_at
         from connection_leases
        where lease_until <= $1
        order by lease_until
        limit $2
          for update skip locked
     ), voided as (
       update connection_leases l set lease_until = '-infinity'
         from dead d
        where l.holder_id = d.holder_id and l.reseller_id = d.reseller_id
     ), lost as (
       select c.device_id, c.connection_id, c.reseller_id, d.ended_at
         from dead d
         join device_connections c on c.holder_id = d.holder_id and c.reseller_id = d.reseller_id
        limit $2
     )
     delete from device_connections c
      using lost l
      where c.device_id = l.device_id and c.connection_id = l.connection_id and c.reseller_id = l.reseller_id
     returning c.reseller_id, c.device_id, l.ended_at`,
    [now, limit],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, deviceId: row.device_id, endedAt: row.ended_at }))
}

/** Leases that have run out and hold nothing any more. */
export async function deleteEmptyLeasesAcrossResellers(db: Db, now: Date): Promise<void> {
  await db.query(
    `delete from connection_leases l
      where l.lease_until <= $1
        and not exists (select from device_connections c where c.holder_id = l.holder_id and c.reseller_id = l.reseller_id)`,
    [now],
  )
}
