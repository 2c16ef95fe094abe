import type { Db } from '@roadworthy/service-kit/db'

export type UserRole = 'owner' | 'member' | 'viewer'

export async function insertUser(
  db: Db,
  resellerId: string,
  user: { userId: string; email: string; passwordScrypt: string; role: UserRole; createdAt: Date },
): Promise<void> {
  await db.query(
    `insert into users (reseller_id, user_id, email, password_scrypt, role, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [resellerId, user.userId, user.email, user.passwordScrypt, user.role, user.createdAt],
  )
}

/** Signing in names no reseller: e-mail addresses are unique across them. */
export async function selectUserByEmailAcrossResellers(
  db: Db,
  email: string,
): Promise<{ resellerId: string; userId: string; passwordScrypt: string } | undefined> {
  const { rows } = await db.query<{ reseller_id: string; user_id: string; password_scrypt: string }>(
    'select reseller_id, user_id, password_scrypt from users where email = $1',
    [email],
  )
  const [row] = rows
  return row && { resellerId: row.reseller_id, userId: row.user_id, passwordScrypt: row.password_scrypt }
}
