import type { Db } from '@roadworthy/service-kit/db'

/** Held to the end of the transaction, so that several processes on one new database make one first reseller. */
export async function lockBootstrapAcrossResellers(db: Db): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtext('roadworthy bootstrap'))")
}

/** The reseller that the first start made, or the oldest when it was made otherwise. */
export async function findFirstResellerAcrossResellers(db: Db): Promise<string | undefined> {
  const { rows } = await db.query<{ reseller_id: string }>('select reseller_id from resellers order by created_at, reseller_id limit 1')
  return rows[0]?.reseller_id
}

/** The owner of the dashboard, who can sign in; a second call for the same address sets the password anew. Returns the user's id. */
export async function upsertOwner(
  db: Db,
  resellerId: string,
  owner: { userId: string; email: string; passwordScrypt: string },
): Promise<string> {
  const { rows } = await db.query<{ user_id: string }>(
    `insert into users (reseller_id, user_id, email, password_scrypt, role)
     values ($1, $2, $3, $4, 'owner')
         on conflict (email) where password_scrypt is not null
         do update set password_scrypt = excluded.password_scrypt, role = 'owner', sub_client_id = null, deactivated_at = null
     returning user_id`,
    [resellerId, owner.userId, owner.email, owner.passwordScrypt],
  )
  return rows[0]?.user_id ?? owner.userId
}
