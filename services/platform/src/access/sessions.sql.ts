import type { Db } from '@roadworthy/service-kit/db'
import type { PlanName, Subscription } from './plans.ts'
import type { UserRole } from './users.sql.ts'

/** A session as authentication sees it: with the person and the standing of the reseller. */
export type Session = {
  readonly resellerId: string
  readonly resellerName: string
  readonly plan: PlanName
  readonly subscription: Subscription
  readonly userId: string
  readonly email: string
  readonly role: UserRole
  readonly subClientId: string | undefined
  readonly expiresAt: Date
  /** However much it is used, it ends here. */
  readonly endsAt: Date
}

export async function insertSession(
  db: Db,
  resellerId: string,
  session: { sha256Hex: string; userId: string; createdAt: Date; expiresAt: Date; endsAt: Date },
): Promise<void> {
  await db.query(
    `insert into sessions (reseller_id, token_sha256, user_id, created_at, expires_at, ends_at)
     values ($1, decode($2, 'hex'), $3, $4, $5, $6)`,
    [resellerId, session.sha256Hex, session.userId, session.createdAt, session.expiresAt, session.endsAt],
  )
}

/** The sessions behind hashes that go on, by hash. */
export async function selectSessionsByHashAcrossResellers(
  db: Db,
  sha256Hexes: readonly string[],
  now: Date,
): Promise<Map<string, Session>> {
  const { rows } = await db.query<SessionRow>(
    `select encode(s.token_sha256, 'hex') as sha256_hex, s.reseller_id, r.name as reseller_name, r.plan, r.subscription, s.user_id, u.email,
            u.role, u.sub_client_id, s.expires_at, s.ends_at
       from unnest($1::text[]) as presented (sha256_hex)
       join sessions s on s.token_sha256 = decode(presented.sha256_hex, 'hex')
       join users u on u.reseller_id = s.reseller_id and u.user_id = s.user_id
       join resellers r on r.reseller_id = s.reseller_id
      where s.expires_at > $2 and u.deactivated_at is null`,
    [sha256Hexes, now],
  )
  return new Map(rows.map((row) => [row.sha256_hex, sessionFromRow(row)]))
}

export async function updateSessionExpiryAcrossResellers(db: Db, sha256Hex: string, expiresAt: Date): Promise<void> {
  await db.query(`update sessions set expires_at = $2 where token_sha256 = decode($1, 'hex')`, [sha256Hex, expiresAt])
}

export async function deleteSession(db: Db, resellerId: string, sha256Hex: string): Promise<void> {
  await db.query(`delete from sessions where reseller_id = $1 and token_sha256 = decode($2, 'hex')`, [resellerId, sha256Hex])
}

export async function deleteSessionsOfUser(db: Db, resellerId: string, userId: string): Promise<void> {
  await db.query('delete from sessions where reseller_id = $1 and user_id = $2', [resellerId, userId])
}

export async function deleteExpiredSessionsAcrossResellers(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query('delete from sessions where expires_at <= $1', [now])
  return rowCount ?? 0
}

type SessionRow = {
  sha256_hex: string
  reseller_id: string
  reseller_name: string
  plan: PlanName
  subscription: Subscription
  user_id: string
  email: string
  role: UserRole
  sub_client_id: string | null
  expires_at: Date
  ends_at: Date
}

function sessionFromRow(row: SessionRow): Session {
  return {
    resellerId: row.reseller_id,
    resellerName: row.reseller_name,
    plan: row.plan,
    subscription: row.subscription,
    userId: row.user_id,
    email: row.email,
    role: row.role,
    subClientId: row.sub_client_id ?? undefined,
    expiresAt: row.expires_at,
    endsAt: row.ends_at,
  }
}
