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
