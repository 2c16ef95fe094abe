import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Language, Units } from '@roadworthy/wording/languages'
import type { PlanName, Subscription } from '../limits/plans.ts'
import type { UserRole } from './users.sql.ts'

/** The sub-client that a person of the reseller looks as, and what they are themselves. */
export type Viewing = { readonly subClientId: string; readonly subClientName: string; readonly ownRole: UserRole }

/** A session as authentication sees it: with the person and the standing of the reseller. */
export type Session = {
  readonly resellerId: string
  readonly resellerName: string
  /** Of the reseller. */
  readonly timeZone: string
  readonly plan: PlanName
  readonly subscription: Subscription
  readonly userId: string
  readonly email: string
  /** What the session may do: of who looks as a sub-client, what its viewers may. */
  readonly role: UserRole
  readonly subClientId: string | undefined
  /** Set while the person looks as a sub-client. */
  readonly viewing: Viewing | undefined
  /** What the person chose, whatever they look as. */
  readonly language: Language | undefined
  readonly units: Units | undefined
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

/** The sessions behind hashes that go on, by hash. The name of a sub-client is in the fleet slice's table; a person of one sees no other. */
export async function selectSessionsByHashAcrossResellers(
  db: Db,
  sha256Hexes: readonly string[],
  now: Date,
): Promise<Map<string, Session>> {
  const { rows } = await db.query<SessionRow>(
    `select encode(s.token_sha256, 'hex') as sha256_hex, s.reseller_id, r.name as reseller_name, r.time_zone, r.plan, r.subscription, s.user_id,
            u.email, u.role, u.sub_client_id, u.language, u.units, v.sub_client_id as viewed_id, v.name as viewed_name, s.expires_at, s.ends_at
       from unnest($1::text[]) as presented (sha256_hex)
       join sessions s on s.token_sha256 = decode(presented.sha256_hex, 'hex')
       join users u on u.reseller_id = s.reseller_id and u.user_id = s.user_id
       join resellers r on r.reseller_id = s.reseller_id
       left join sub_clients v
         on u.sub_client_id is null and v.reseller_id = s.reseller_id and v.sub_client_id = s.viewed_sub_client_id
      where s.expires_at > $2 and u.deactivated_at is null`,
    [sha256Hexes, now],
  )
  return new Map(rows.map((row) => [row.sha256_hex, sessionFromRow(row)]))
}

export async function updateSessionExpiryAcrossResellers(db: Db, sha256Hex: string, expiresAt: Date): Promise<void> {
  await db.query(`update sessions set expires_at = $2 where token_sha256 = decode($1, 'hex')`, [sha256Hex, expiresAt])
}

/** Null ends the looking. */
export async function updateViewedSubClient(db: Db, resellerId: string, sha256Hex: string, subClientId: string | null): Promise<void> {
  await db.query(`update sessions set viewed_sub_client_id = $3 where reseller_id = $1 and token_sha256 = decode($2, 'hex')`, [
    resellerId,
    sha256Hex,
    subClientId,
  ])
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

/** Answers how many there were. */
export async function deleteEverySessionAcrossResellers(db: Db): Promise<number> {
  const { rowCount } = await db.query('delete from sessions')
  return rowCount ?? 0
}

type SessionRow = {
  sha256_hex: string
  reseller_id: string
  reseller_name: string
  time_zone: string
  plan: PlanName
  subscription: Subscription
  user_id: string
  email: string
  role: UserRole
  sub_client_id: string | null
  language: Language | null
  units: Units | null
  viewed_id: string | null
  viewed_name: string | null
  expires_at: Date
  ends_at: Date
}

function sessionFromRow(row: SessionRow): Session {
  const viewing = viewingOf(row)
  return {
    resellerId: row.reseller_id,
    resellerName: row.reseller_name,
    timeZone: row.time_zone,
    plan: row.plan,
    subscription: row.subscription,
    userId: row.user_id,
    email: row.email,
    role: viewing === undefined ? row.role : 'sub_client_viewer',
    subClientId: row.viewed_id ?? row.sub_client_id ?? undefined,
    viewing,
    language: row.language ?? undefined,
    units: row.units ?? undefined,
    expiresAt: row.expires_at,
    endsAt: row.ends_at,
  }
}

function viewingOf({ viewed_id: subClientId, viewed_name: subClientName, role }: SessionRow): Viewing | undefined {
  return subClientId === null || subClientName === null ? undefined : { subClientId, subClientName, ownRole: role }
}
