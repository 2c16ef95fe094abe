import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Verdict } from './judge-presence.ts'

export type DeviceKey = { readonly resellerId: string; readonly deviceId: string }

/** What is kept of a device that is to be looked at. */
export type DuePresence = DeviceKey & {
  readonly isOnline: boolean
  readonly changedAt: Date | undefined
  readonly disconnectedAt: Date | undefined
  /** The transaction that wrote it last (`xmin`). */
  readonly version: string
}

/** Has these devices looked at. Those that are unknown or decommissioned are passed over; one may be named twice. */
export async function markDueAcrossResellers(db: Db, devices: readonly DeviceKey[], at: Date): Promise<void> {
  await db.query(
    `insert into device_presence as p (reseller_id, device_id, look_at)
     select distinct d.reseller_id, d.device_id, $3::timestamptz
       from unnest($1::text[], $2::text[]) a (reseller_id, device_id)
       join devices d on d.device_id = a.device_id and d.reseller_id = a.reseller_id
      where d.status <> 'decommissioned'
      order by d.device_id
     on conflict (device_id, reseller_id) do update set look_at = least(p.look_at, excluded.look_at)`,
    [devices.map(({ resellerId }) => resellerId), devices.map(({ deviceId }) => deviceId), at],
  )
}

/** Has devices looked at of which a connection has ended. What is not kept of has nothing to go offline from. */
export async function markDisconnectedAcrossResellers(
  db: Db,
  ended: readonly (DeviceKey & { readonly endedAt: Date })[],
  at: Date,
): Promise<void> {
  // Locked in one order, as two processes may each have lost the same devices.
  await db.query(
    `with ended as (
       select p.reseller_id, p.device_id, a.ended_at
         from (select reseller_id, device_id, max(ended_at) as ended_at
                 from unnest($1::text[], $2::text[], $3::timestamptz[]) u (reseller_id, device_id, ended_at)
                group by 1, 2) a
         join device_presence p on p.device_id = a.device_id and p.reseller_id = a.reseller_id
        order by p.device_id
          for update of p
     )
     update device_presence p
        set disconnected_at = greatest(p.disconnected_at, e.ended_at), look_at = least(p.look_at, $4)
       from ended e
      where p.device_id = e.device_id and p.reseller_id = e.reseller_id`,
    [ended.map(({ resellerId }) => resellerId), ended.map(({ deviceId }) => deviceId), ended.map(({ endedAt }) => endedAt), at],
  )
}

/** Up to `limit` devices that were reported online, or that were not, whose time has come; those another process is looking at are passed over. */
export async function selectDueAcrossResellers(db: Db, isOnline: boolean, now: Date, limit: number): Promise<DuePresence[]> {
  const { rows } = await db.query<PresenceRow>(
    `select reseller_id, device_id, is_online, changed_at, disconnected_at, xmin::text as version
       from device_presence
      where is_online = $1 and look_at <= $2
      order by look_at
      limit $3
        for update skip locked`,
    [isOnline, now, limit],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    deviceId: row.device_id,
    isOnline: row.is_online,
    changedAt: row.changed_at ?? undefined,
    disconnectedAt: row.disconnected_at ?? undefined,
    version: row.version,
  }))
}

/** Of these the ones that nobody has changed since, locked; those another process is looking at are passed over. */
export async function takeDueAcrossResellers<T extends DuePresence>(db: Db, due: readonly T[]): Promise<T[]> {
  const { rows } = await db.query<{ nth: number }>(
    `select a.nth::int as nth
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality a (reseller_id, device_id, version, nth)
       join device_presence p on p.device_id = a.device_id and p.reseller_id = a.reseller_id
      where p.xmin::text = a.version
        for update of p skip locked`,
    [due.map(({ resellerId }) => resellerId), due.map(({ deviceId }) => deviceId), due.map(({ version }) => version)],
  )
  const taken = new Set(rows.map(({ nth }) => nth - 1))
  return due.filter((_device, nth) => taken.has(nth))
}

/** Of these the ones that nobody has changed since are looked at again at `lookAt`. */
export async function postponeDueAcrossResellers(db: Db, due: readonly DuePresence[], lookAt: Date): Promise<void> {
  const taken = await takeDueAcrossResellers(db, due)
  await db.query(
    `update device_presence p set look_at = $3
       from unnest($1::text[], $2::text[]) a (reseller_id, device_id)
      where p.device_id = a.device_id and p.reseller_id = a.reseller_id`,
    [taken.map(({ resellerId }) => resellerId), taken.map(({ deviceId }) => deviceId), lookAt],
  )
}

/** Stores what was found. Of those that were published, `changedAt` is when; of the others it stays. */
export async function updatePresenceAcrossResellers(
  db: Db,
  judged: readonly (DeviceKey & { readonly verdict: Verdict; readonly changedAt: Date | undefined })[],
): Promise<void> {
  await db.query(
    `update device_presence p set is_online = j.is_online, look_at = j.look_at, changed_at = j.changed_at
       from unnest($1::text[], $2::text[], $3::bool[], $4::timestamptz[], $5::timestamptz[])
            j (reseller_id, device_id, is_online, look_at, changed_at)
      where p.device_id = j.device_id and p.reseller_id = j.reseller_id`,
    [
      judged.map(({ resellerId }) => resellerId),
      judged.map(({ deviceId }) => deviceId),
      judged.map(({ verdict }) => verdict.isOnline),
      judged.map(({ verdict }) => verdict.lookAt ?? null),
      judged.map(({ changedAt }) => changedAt ?? null),
    ],
  )
}

export async function deletePresenceAcrossResellers(db: Db, devices: readonly DeviceKey[]): Promise<void> {
  await db.query(
    `delete from device_presence p
      using unnest($1::text[], $2::text[]) a (reseller_id, device_id)
      where p.device_id = a.device_id and p.reseller_id = a.reseller_id`,
    [devices.map(({ resellerId }) => resellerId), devices.map(({ deviceId }) => deviceId)],
  )
}

/** What is kept of decommissioned devices, up to `limit` of them. Answers how many. */
export async function deletePresenceOfDecommissionedAcrossResellers(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from device_presence
      where (device_id, reseller_id) in (
        select p.device_id, p.reseller_id
          from device_presence p
          join devices d on d.device_id = p.device_id and d.reseller_id = p.reseller_id
         where d.status = 'decommissioned'
         limit $1)`,
    [limit],
  )
  return rowCount ?? 0
}

type PresenceRow = {
  reseller_id: string
  device_id: string
  is_online: boolean
  changed_at: Date | null
  disconnected_at: Date | null
  version: string
}
