import type { Db } from '@roadworthy/service-kit/postgres/db'

/** Names one use of an idempotency key. `subClientId` is '' where the caller is not pinned. */
export type IdempotencyId = {
  readonly resellerId: string
  readonly subClientId: string
  readonly method: string
  readonly path: string
  readonly key: string
}

export type KeptAnswer = { bodySha256: Buffer; status: number | undefined; response: Buffer | undefined }

/**
 * Claims a key for this request, by the database's clock, which all processes share. Answers when, by which the claim is known again: it is ours
 * to carry out, because the key is new, has outlived its time, or was claimed by a request with the same body that never finished.
 */
export async function claimIdempotencyKey(
  db: Db,
  id: IdempotencyId,
  claim: { bodySha256: Buffer; keptMs: number; abandonedAfterMs: number },
): Promise<Date | undefined> {
  const { rows } = await db.query<{ created_at: Date }>(
    `insert into idempotency_keys as kept (reseller_id, sub_client_id, method, path, key, body_sha256, created_at)
     values ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', clock_timestamp()))
     on conflict (reseller_id, sub_client_id, method, path, key) do update
       set body_sha256 = excluded.body_sha256,
           status = null,
           response = null,
           created_at = excluded.created_at
       where kept.created_at <= statement_timestamp() - make_interval(secs => $7::float8 / 1000)
          or (kept.status is null and kept.created_at <= statement_timestamp() - make_interval(secs => $8::float8 / 1000)
              and kept.body_sha256 = excluded.body_sha256)
     returning created_at`,
    [...idValues(id), claim.bodySha256, claim.keptMs, claim.abandonedAfterMs],
  )
  return rows[0]?.created_at
}

/** Returns by what the claim is known from here on; undefined where another request took it over. */
export async function renewIdempotencyClaim(db: Db, id: IdempotencyId, claimedAt: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ created_at: Date }>(
    `update idempotency_keys
        set created_at = date_trunc('milliseconds', clock_timestamp())
      where reseller_id = $1 and sub_client_id = $2 and method = $3 and path = $4 and key = $5
        and created_at = $6 and status is null
     returning created_at`,
    [...idValues(id), claimedAt],
  )
  return rows[0]?.created_at
}

export async function selectKeptAnswer(db: Db, id: IdempotencyId): Promise<KeptAnswer | undefined> {
  const { rows } = await db.query<{ body_sha256: Buffer; status: number | null; response: Buffer | null }>(
    `select body_sha256, status, response
       from idempotency_keys
      where reseller_id = $1 and sub_client_id = $2 and method = $3 and path = $4 and key = $5`,
    idValues(id),
  )
  const [row] = rows
  if (row === undefined) return undefined
  return { bodySha256: row.body_sha256, status: row.status ?? undefined, response: row.response ?? undefined }
}

/** Keeps the answer, unless another request took the claim over in the meantime. */
export async function updateKeptAnswer(
  db: Db,
  id: IdempotencyId,
  claimedAt: Date,
  answer: { status: number; response: Buffer },
): Promise<void> {
  await db.query(
    `update idempotency_keys
        set status = $7, response = $8
      where reseller_id = $1 and sub_client_id = $2 and method = $3 and path = $4 and key = $5
        and created_at = $6`,
    [...idValues(id), claimedAt, answer.status, answer.response],
  )
}

/** Gives the key back, so that a repeat is carried out. */
export async function deleteIdempotencyClaim(db: Db, id: IdempotencyId, claimedAt: Date): Promise<void> {
  await db.query(
    `delete from idempotency_keys
      where reseller_id = $1 and sub_client_id = $2 and method = $3 and path = $4 and key = $5
        and created_at = $6`,
    [...idValues(id), claimedAt],
  )
}

/** Deletes a bounded number, so that no statement holds many rows for long. Call again while it returns that number. */
export async function deleteExpiredIdempotencyKeysAcrossResellers(db: Db, keptMs: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from idempotency_keys
      where ctid = any (array(
            select ctid from idempotency_keys
             where created_at <= statement_timestamp() - make_interval(secs => $1::float8 / 1000)
             limit $2))`,
    [keptMs, limit],
  )
  return rowCount ?? 0
}

function idValues(id: IdempotencyId): string[] {
  return [id.resellerId, id.subClientId, id.method, id.path, id.key]
}
