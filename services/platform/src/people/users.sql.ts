import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Position } from '@roadworthy/service-kit/postgres/keyset'
import type { Language, Units } from '@roadworthy/wording/languages'

export type UserRole = 'owner' | 'member' | 'viewer' | 'sub_client_viewer'
/** `invited` until a password is set. */
export type UserStatus = 'invited' | 'active' | 'deactivated'

export type User = {
  readonly userId: string
  readonly email: string
  readonly role: UserRole
  /** Set for a `sub_client_viewer`, and for nobody else. */
  readonly subClientId: string | undefined
  readonly status: UserStatus
  /** In which the person reads the dashboard and is written to; undefined: never chosen. */
  readonly language: Language | undefined
  readonly units: Units | undefined
  readonly createdAt: Date
}

/** Violates `users_email_key` when the address signs in already, `users_email_of_reseller_key` when this reseller has it. */
export async function insertUser(
  db: Db,
  resellerId: string,
  user: Omit<User, 'status'> & { readonly passwordScrypt: string | undefined },
): Promise<void> {
  await db.query(
    `insert into users (reseller_id, user_id, email, password_scrypt, role, sub_client_id, language, units, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[resellerId, user.userId, user.email, user.passwordScrypt ?? null, user.role, user.subClientId ?? null],
      ...[user.language ?? null, user.units ?? null, user.createdAt],
    ],
  )
}

export async function selectUser(
  db: Db,
  resellerId: string,
  userId: string,
  pin: string | undefined,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from users where reseller_id = $1 and user_id = $2 and ($3::text is null or sub_client_id = $3)
     ${lock === 'locked' ? 'for no key update' : ''}`,
    [resellerId, userId, pin ?? null],
  )
  return rows[0] === undefined ? undefined : userFromRow(rows[0])
}

export async function selectUserByEmail(db: Db, resellerId: string, email: string): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(`select ${USER_COLUMNS} from users where reseller_id = $1 and email = $2`, [resellerId, email])
  return rows[0] === undefined ? undefined : userFromRow(rows[0])
}

/** Oldest first, one more than the page holds. With a pin only the viewers of that sub-client. */
export async function selectUsers(
  db: Db,
  resellerId: string,
  pin: string | undefined,
  page: { after: Position; limit: number },
): Promise<User[]> {
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS}
       from users
      where reseller_id = $1 and ($2::text is null or sub_client_id = $2) and (created_at, user_id) > ($3::timestamptz, $4)
      order by created_at, user_id
      limit $5`,
    [resellerId, pin ?? null, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(userFromRow)
}

export async function countUsers(db: Db, resellerId: string, pin: string | undefined): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    'select count(*)::integer as total from users where reseller_id = $1 and ($2::text is null or sub_client_id = $2)',
    [resellerId, pin ?? null],
  )
  return rows[0]?.total ?? 0
}

/** Held to the end of the transaction: of two owners who take the role from each other at once, the second finds the other one gone. */
export async function lockOwners(db: Db, resellerId: string): Promise<void> {
  await db.query('select 1 from resellers where reseller_id = $1 for no key update', [resellerId])
}

/** Owners who can sign in. */
export async function countActiveOwners(db: Db, resellerId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from users
      where reseller_id = $1 and role = 'owner' and password_scrypt is not null and deactivated_at is null`,
    [resellerId],
  )
  return rows[0]?.count ?? 0
}

export async function updateUser(
  db: Db,
  resellerId: string,
  userId: string,
  { role, subClientId, deactivatedAt }: { role: UserRole; subClientId: string | undefined; deactivatedAt: Date | undefined },
): Promise<void> {
  await db.query(
    `update users
        set role = $3, sub_client_id = $4,
            deactivated_at = case when $5::timestamptz is null then null else coalesce(deactivated_at, $5) end
      where reseller_id = $1 and user_id = $2`,
    [resellerId, userId, role, subClientId ?? null, deactivatedAt ?? null],
  )
}

/** Apart from what others change of a person, who may do so at the same time. */
export async function updateUserChoice(
  db: Db,
  resellerId: string,
  userId: string,
  { language, units }: Pick<User, 'language' | 'units'>,
): Promise<void> {
  await db.query('update users set language = $3, units = $4 where reseller_id = $1 and user_id = $2', [
    ...[resellerId, userId, language ?? null, units ?? null],
  ])
}

/** Sessions and links go with the person. */
export async function deleteUser(db: Db, resellerId: string, userId: string): Promise<void> {
  await db.query('delete from users where reseller_id = $1 and user_id = $2', [resellerId, userId])
}

/** Ends every session of the person, by a trigger. Violates `users_email_key` when the address signs in elsewhere. */
export async function updateUserPassword(db: Db, resellerId: string, userId: string, passwordScrypt: string): Promise<void> {
  await db.query('update users set password_scrypt = $3 where reseller_id = $1 and user_id = $2', [resellerId, userId, passwordScrypt])
}

/** The account behind an address. Signing in names no reseller: an address signs in to one account. */
export type Account = {
  readonly resellerId: string
  readonly userId: string
  readonly email: string
  readonly subClientId: string | undefined
  readonly passwordScrypt: string
  readonly language: Language | undefined
  readonly isDeactivated: boolean
}

export async function selectAccountByEmailAcrossResellers(db: Db, email: string): Promise<Account | undefined> {
  const { rows } = await db.query<AccountRow>(
    `select reseller_id, user_id, email, sub_client_id, password_scrypt, language, deactivated_at is not null as is_deactivated
       from users
      where email = $1 and password_scrypt is not null`,
    [email],
  )
  const [row] = rows
  return (
    row && {
      resellerId: row.reseller_id,
      userId: row.user_id,
      email: row.email,
      subClientId: row.sub_client_id ?? undefined,
      passwordScrypt: row.password_scrypt,
      language: row.language ?? undefined,
      isDeactivated: row.is_deactivated,
    }
  )
}

/** Whether what the password was checked against still stands; it does until the end of the transaction. */
export async function holdAccount(db: Db, { resellerId, userId, passwordScrypt }: Account): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from users
      where reseller_id = $1 and user_id = $2 and password_scrypt = $3 and deactivated_at is null
        for share`,
    [resellerId, userId, passwordScrypt],
  )
  return rows.length === 1
}

const USER_COLUMNS = `user_id, email, role, sub_client_id, language, units, created_at,
       case when deactivated_at is not null then 'deactivated' when password_scrypt is null then 'invited' else 'active' end as status`

type UserRow = {
  user_id: string
  email: string
  role: UserRole
  sub_client_id: string | null
  status: UserStatus
  language: Language | null
  units: Units | null
  created_at: Date
}

type AccountRow = {
  reseller_id: string
  user_id: string
  email: string
  sub_client_id: string | null
  password_scrypt: string
  language: Language | null
  is_deactivated: boolean
}

function userFromRow(row: UserRow): User {
  return {
    userId: row.user_id,
    email: row.email,
    role: row.role,
    subClientId: row.sub_client_id ?? undefined,
    status: row.status,
    language: row.language ?? undefined,
    units: row.units ?? undefined,
    createdAt: row.created_at,
  }
}

/**
 * The owner of the dashboard, who can sign in; a second call for the same address sets the password anew, as it does for somebody of the reseller who has none yet. Returns the
 * user's id. One call at a time.
 */
export async function upsertOwner(
  db: Db,
  resellerId: string,
  owner: { userId: string; email: string; passwordScrypt: string },
): Promise<string> {
  const { rows } = await db.query<{ user_id: string }>(
    `with known as (
       update users set password_scrypt = $4, role = 'owner', sub_client_id = null, deactivated_at = null
        where (reseller_id, user_id) = (select reseller_id, user_id from users where email = $3 and (reseller_id = $1 or password_scrypt is not null)
                                         order by password_scrypt is null limit 1)
       returning user_id
     ), made as (
       insert into users (reseller_id, user_id, email, password_scrypt, role)
       select $1, $2, $3, $4, 'owner' where not exists (select from known)
       returning user_id
     )
     select user_id from known union all select user_id from made`,
    [resellerId, owner.userId, owner.email, owner.passwordScrypt],
  )
  return rows[0]?.user_id ?? owner.userId
}
