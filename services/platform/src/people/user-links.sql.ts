import type { Db } from '@roadworthy/service-kit/postgres/db'

export type LinkPurpose = 'invitation' | 'password_reset'

/** A link that works, and whose password it sets. */
export type UserLink = {
  readonly resellerId: string
  readonly userId: string
  readonly email: string
  readonly subClientId: string | undefined
  readonly purpose: LinkPurpose
}

/** A new link voids those of the same purpose before it. */
export async function replaceUserLink(
  db: Db,
  resellerId: string,
  link: { sha256Hex: string; userId: string; purpose: LinkPurpose; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.query('delete from user_links where reseller_id = $1 and user_id = $2 and purpose = $3', [resellerId, link.userId, link.purpose])
  await db.query(
    `insert into user_links (reseller_id, token_sha256, user_id, purpose, created_at, expires_at)
     values ($1, decode($2, 'hex'), $3, $4, $5, $6)`,
    [resellerId, link.sha256Hex, link.userId, link.purpose, link.createdAt, link.expiresAt],
  )
}

/** Undefined when it was used, has expired, or was never given out, and when the person is deactivated. */
export async function selectUserLinkAcrossResellers(db: Db, sha256Hex: string, now: Date): Promise<UserLink | undefined> {
  const { rows } = await db.query<UserLinkRow>(
    `select l.reseller_id, l.user_id, u.email, u.sub_client_id, l.purpose
       from user_links l
       join users u on u.reseller_id = l.reseller_id and u.user_id = l.user_id
      where l.token_sha256 = decode($1, 'hex') and l.expires_at > $2 and u.deactivated_at is null`,
    [sha256Hex, now],
  )
  const [row] = rows
  return (
    row && {
      resellerId: row.reseller_id,
      userId: row.user_id,
      email: row.email,
      subClientId: row.sub_client_id ?? undefined,
      purpose: row.purpose,
    }
  )
}

/** Whether it was there: of two who use a link at once, one does. Every other link of the person goes too. */
export async function takeUserLink(db: Db, resellerId: string, userId: string, sha256Hex: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from user_links where reseller_id = $1 and user_id = $2 and token_sha256 = decode($3, 'hex') and expires_at > $4`,
    [resellerId, userId, sha256Hex, now],
  )
  if (rowCount === 0) return false
  await deleteUserLinks(db, resellerId, userId)
  return true
}

export async function deleteUserLinks(db: Db, resellerId: string, userId: string): Promise<void> {
  await db.query('delete from user_links where reseller_id = $1 and user_id = $2', [resellerId, userId])
}

export async function deleteExpiredUserLinksAcrossResellers(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query('delete from user_links where expires_at <= $1', [now])
  return rowCount ?? 0
}

type UserLinkRow = { reseller_id: string; user_id: string; email: string; sub_client_id: string | null; purpose: LinkPurpose }

/** Answers how many there were. */
export async function deleteEveryUserLinkAcrossResellers(db: Db): Promise<number> {
  const { rowCount } = await db.query('delete from user_links')
  return rowCount ?? 0
}
