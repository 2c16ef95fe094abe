import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Position } from '@roadworthy/service-kit/postgres/keyset'
import type { PlanName, Subscription } from '../limits/plans.ts'

/** A key as its owner sees it: everything but the secret. */
export type ApiKey = {
  readonly keyId: string
  readonly name: string
  readonly prefix: string
  readonly last4: string
  readonly scopes: readonly string[]
  readonly subClientId: string | undefined
  /** Own limits; undefined: the plan's default, 0: unlimited. */
  readonly perMinute: number | undefined
  readonly perDay: number | undefined
  readonly expiresAt: Date | undefined
  /** When it would have expired, had it not been rotated. */
  readonly grantedUntil: Date | undefined
  readonly revokedAt: Date | undefined
  readonly lastUsedAt: Date | undefined
  readonly createdAt: Date
}

/** A key as authentication sees it: with the standing of its owner and of the sub-client it is pinned to. */
export type PresentedKey = ApiKey & {
  readonly sha256Hex: string
  readonly resellerId: string
  readonly plan: PlanName
  readonly subscription: Subscription
  readonly subClientStatus: string | undefined
}

export async function insertApiKey(db: Db, resellerId: string, key: ApiKey & { sha256Hex: string }): Promise<void> {
  await db.query(
    `insert into api_keys
       (reseller_id, key_id, name, key_sha256, prefix, last4, scopes, sub_client_id, per_minute, per_day, expires_at, created_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      resellerId,
      key.keyId,
      key.name,
      key.sha256Hex,
      key.prefix,
      key.last4,
      key.scopes,
      key.subClientId,
      key.perMinute,
      key.perDay,
      key.expiresAt,
      key.createdAt,
    ],
  )
}

export async function selectApiKey(db: Db, resellerId: string, keyId: string): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKeyRow>(`select ${API_KEY_COLUMNS} from api_keys where reseller_id = $1 and key_id = $2`, [
    resellerId,
    keyId,
  ])
  const [row] = rows
  return row === undefined ? undefined : apiKeyFromRow(row)
}

/** Keys of one reseller, or of one of its sub-clients, oldest first, from after `after`. Revoked ones are among them. */
export async function selectApiKeys(
  db: Db,
  resellerId: string,
  page: { subClientId: string | undefined; after: Position; limit: number },
): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(
    `select ${API_KEY_COLUMNS}
       from api_keys
      where reseller_id = $1
        and ($2::text is null or sub_client_id = $2)
        and (created_at, key_id) > ($3::timestamptz, $4)
      order by created_at, key_id
      limit $5`,
    [resellerId, page.subClientId, page.after.at, page.after.id, page.limit],
  )
  return rows.map(apiKeyFromRow)
}

export async function selectApiKeyCount(db: Db, resellerId: string, subClientId: string | undefined): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::integer as total
       from api_keys
      where reseller_id = $1
        and ($2::text is null or sub_client_id = $2)`,
    [resellerId, subClientId],
  )
  return rows[0]?.total ?? 0
}

/**
 * How many keys work, of the reseller and of the sub-client. The reseller is locked to the end of the transaction: of two who make the last
 * key at once, the second finds it made.
 */
export async function lockAndCountWorkingKeys(
  db: Db,
  resellerId: string,
  { subClientId, now }: { subClientId: string | undefined; now: Date },
): Promise<{ ofReseller: number; ofSubClient: number }> {
  await db.query('select 1 from resellers where reseller_id = $1 for no key update', [resellerId])
  const { rows } = await db.query<{ of_reseller: number; of_sub_client: number }>(
    `select count(*)::integer as of_reseller, count(*) filter (where sub_client_id = $2)::integer as of_sub_client
       from api_keys
      where reseller_id = $1 and revoked_at is null and (expires_at is null or expires_at > $3)`,
    [resellerId, subClientId ?? null, now],
  )
  return { ofReseller: rows[0]?.of_reseller ?? 0, ofSubClient: rows[0]?.of_sub_client ?? 0 }
}

/** Revokes a key of this reseller, or of one of its sub-clients. Repeating it changes nothing. */
export async function updateApiKeyRevoked(
  db: Db,
  resellerId: string,
  revoke: { keyId: string; subClientId: string | undefined; revokedAt: Date },
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKeyRow>(
    `update api_keys
        set revoked_at = coalesce(revoked_at, $4)
      where reseller_id = $1
        and key_id = $2
        and ($3::text is null or sub_client_id = $3)
     returning ${API_KEY_COLUMNS}`,
    [resellerId, revoke.keyId, revoke.subClientId, revoke.revokedAt],
  )
  const [row] = rows
  return row === undefined ? undefined : apiKeyFromRow(row)
}

/** Of a key that works: it ends at `endsAt`, unless it ends before. */
export async function updateApiKeyEnd(
  db: Db,
  resellerId: string,
  end: { keyId: string; subClientId: string | undefined; endsAt: Date; now: Date },
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKeyRow>(
    `update api_keys
        set expires_at = least(expires_at, $4),
            granted_until = case when rotated_at is null then expires_at else granted_until end,
            rotated_at = coalesce(rotated_at, $5)
      where reseller_id = $1
        and key_id = $2
        and ($3::text is null or sub_client_id = $3)
        and revoked_at is null
        and (expires_at is null or expires_at > $5)
     returning ${API_KEY_COLUMNS}`,
    [resellerId, end.keyId, end.subClientId, end.endsAt, end.now],
  )
  const [row] = rows
  return row === undefined ? undefined : apiKeyFromRow(row)
}

export async function selectKeyOwnerAcrossResellers(db: Db, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ reseller_id: string }>('select reseller_id from api_keys where key_id = $1', [keyId])
  return rows[0]?.reseller_id
}

/** Asked of the fleet slice's table: keys come before fleets. */
export async function selectSubClientExists(db: Db, resellerId: string, subClientId: string): Promise<boolean> {
  const { rows } = await db.query('select 1 from sub_clients where reseller_id = $1 and sub_client_id = $2', [resellerId, subClientId])
  return rows.length === 1
}

/** The keys behind hashes that are not revoked. Reads the sub-client's status from the fleet slice's table: keys come before fleets. */
export async function selectKeysByHashAcrossResellers(db: Db, sha256Hexes: readonly string[]): Promise<PresentedKey[]> {
  const { rows } = await db.query<PresentedKeyRow>(
    `select k.reseller_id, k.key_id, k.name, k.prefix, k.last4, k.scopes, k.sub_client_id, k.per_minute, k.per_day,
            k.expires_at, ${GRANTED_UNTIL}, k.revoked_at, k.last_used_at, k.created_at,
            encode(k.key_sha256, 'hex') as sha256_hex, r.plan, r.subscription, s.status as sub_client_status
       from unnest($1::text[]) as presented (sha256_hex)
       join api_keys k on k.key_sha256 = decode(presented.sha256_hex, 'hex')
       join resellers r on r.reseller_id = k.reseller_id
       left join sub_clients s on s.reseller_id = k.reseller_id and s.sub_client_id = k.sub_client_id
      where k.revoked_at is null`,
    [sha256Hexes],
  )
  return rows.map((row) => ({
    ...apiKeyFromRow(row),
    sha256Hex: row.sha256_hex,
    resellerId: row.reseller_id,
    plan: row.plan,
    subscription: row.subscription,
    subClientStatus: row.sub_client_status ?? undefined,
  }))
}

/** Whether a key with this hash was ever made here, by whichever reseller, and whatever became of it. */
export async function selectWasKeyMadeAcrossResellers(db: Db, sha256Hex: string): Promise<boolean> {
  const { rows } = await db.query("select 1 from api_keys where key_sha256 = decode($1, 'hex')", [sha256Hex])
  return rows.length === 1
}

export async function updateKeysLastUsedAcrossResellers(
  db: Db,
  uses: readonly { resellerId: string; keyId: string; usedAt: Date }[],
): Promise<void> {
  const ordered = [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
  await db.query(
    `update api_keys
        set last_used_at = greatest(last_used_at, use.used_at)
       from unnest($1::text[], $2::text[], $3::timestamptz[]) as use (reseller_id, key_id, used_at)
      where api_keys.reseller_id = use.reseller_id
        and api_keys.key_id = use.key_id`,
    [ordered.map((use) => use.resellerId), ordered.map((use) => use.keyId), ordered.map((use) => use.usedAt)],
  )
}

const GRANTED_UNTIL = 'case when rotated_at is null then expires_at else granted_until end as granted_until'
const API_KEY_COLUMNS = `key_id, name, prefix, last4, scopes, sub_client_id, per_minute, per_day, expires_at, ${GRANTED_UNTIL}, revoked_at,
       last_used_at, created_at`

type ApiKeyRow = {
  key_id: string
  name: string
  prefix: string
  last4: string
  scopes: string[]
  sub_client_id: string | null
  per_minute: number | null
  per_day: number | null
  expires_at: Date | null
  granted_until: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  created_at: Date
}

type PresentedKeyRow = ApiKeyRow & {
  sha256_hex: string
  reseller_id: string
  plan: PlanName
  subscription: Subscription
  sub_client_status: string | null
}

function apiKeyFromRow(row: ApiKeyRow): ApiKey {
  return {
    keyId: row.key_id,
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    scopes: row.scopes,
    subClientId: row.sub_client_id ?? undefined,
    perMinute: row.per_minute ?? undefined,
    perDay: row.per_day ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    grantedUntil: row.granted_until ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
    createdAt: row.created_at,
  }
}
