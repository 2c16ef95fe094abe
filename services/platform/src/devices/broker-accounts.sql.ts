import type { Db } from '@roadworthy/service-kit/postgres/db'

export type WantedAccount = 'enabled' | 'disabled' | 'absent'

export type AccountChange = {
  readonly resellerId: string
  readonly deviceId: string
  readonly changeId: string
  readonly wanted: WantedAccount
  readonly passwordSealed: Buffer | undefined
}

/** Replaces the change that waits for this device, if one does. A password that the broker has not had yet stays until the account goes. */
export async function upsertAccountChange(db: Db, change: AccountChange, at: Date): Promise<void> {
  await db.query(
    `insert into broker_account_changes as c (reseller_id, device_id, change_id, wanted, password_sealed, changed_at, next_attempt_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (reseller_id, device_id) do update
        set change_id = excluded.change_id, wanted = excluded.wanted, changed_at = excluded.changed_at,
            password_sealed = case when excluded.wanted <> 'absent' then coalesce(excluded.password_sealed, c.password_sealed) end,
            failure_count = 0, next_attempt_at = excluded.next_attempt_at, last_error = null`,
    [change.resellerId, change.deviceId, change.changeId, change.wanted, change.passwordSealed ?? null, at],
  )
}

/**
 * Leases due changes, the oldest first. A device's changes are one row, which keeps its lease when it is changed once more: nobody else applies
 * the newer one while the older is on its way to the broker, or the two could overtake each other.
 */
export async function leaseDueAccountChangesAcrossResellers(
  db: Db,
  lease: { readonly leaseId: string; readonly leaseS: number; readonly limit: number },
  at: Date,
): Promise<AccountChange[]> {
  const { rows } = await db.query<AccountChangeRow>(
    `with due as (
       select reseller_id, device_id
         from broker_account_changes
        where next_attempt_at <= $1 and (leased_until is null or leased_until < now())
        order by next_attempt_at
        limit $2
          for update skip locked
     ), leased as (
       update broker_account_changes c
          set lease_id = $3, leased_until = now() + make_interval(secs => $4)
         from due
        where c.reseller_id = due.reseller_id and c.device_id = due.device_id
       returning c.reseller_id, c.device_id, c.change_id, c.wanted, c.password_sealed, c.next_attempt_at
     )
     select reseller_id, device_id, change_id, wanted, password_sealed from leased order by next_attempt_at`,
    [at, lease.limit, lease.leaseId, lease.leaseS],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    deviceId: row.device_id,
    changeId: row.change_id,
    wanted: row.wanted,
    passwordSealed: row.password_sealed ?? undefined,
  }))
}

/** For whoever has ended its round: what it did not come to, and what was changed meanwhile, is free again. */
export async function releaseAccountChangesAcrossResellers(db: Db, leaseId: string): Promise<void> {
  await db.query('update broker_account_changes set lease_id = null, leased_until = null where lease_id = $1', [leaseId])
}

/** The broker has them. What was changed once more meanwhile stays. */
export async function deleteAppliedAccountChangesAcrossResellers(db: Db, changeIds: readonly string[]): Promise<void> {
  await db.query('delete from broker_account_changes where change_id = any($1)', [changeIds])
}

/** Twice as long each time, from one second to a minute. */
export async function updateFailedAccountChangeAcrossResellers(db: Db, changeId: string, error: string, at: Date): Promise<void> {
  await db.query(
    `update broker_account_changes
        set failure_count = failure_count + 1, last_error = $2,
            next_attempt_at = $3::timestamptz + least(60, power(2, least(failure_count, 6))) * interval '1 second'
      where change_id = $1`,
    [changeId, error, at],
  )
}

export async function countAccountChangesAcrossResellers(db: Db): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select count(*)::int as n from broker_account_changes')
  return rows[0]?.n ?? 0
}

/** Of the devices asked for, those that are decommissioned. */
export async function selectDecommissionedAcrossResellers(
  db: Db,
  devices: readonly { resellerId: string; deviceId: string }[],
): Promise<{ resellerId: string; deviceId: string }[]> {
  const { rows } = await db.query<{ reseller_id: string; device_id: string }>(
    `select d.reseller_id, d.device_id
       from devices d
       join unnest($1::text[], $2::text[]) as a (reseller_id, device_id) using (reseller_id, device_id)
      where d.status = 'decommissioned'`,
    [devices.map((each) => each.resellerId), devices.map((each) => each.deviceId)],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, deviceId: row.device_id }))
}

type AccountChangeRow = {
  reseller_id: string
  device_id: string
  change_id: string
  wanted: WantedAccount
  password_sealed: Buffer | null
}
