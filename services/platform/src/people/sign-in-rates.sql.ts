import type { Db } from '@roadworthy/service-kit/postgres/db'

/** An even rate with a burst in hand (GCRA): `spacingMs` apart, and ahead of that by `toleranceMs` at most. */
export type SignInRateTerms = { readonly spacingMs: number; readonly toleranceMs: number }

/** A clock of another process may be ahead. What is due later than any attempt can make it was written by one that is far ahead. */
const CLOCK_SKEW_MS = 2_000

/** Counts one attempt of a name and returns 0 if it is within the rate; else counts nothing and returns how long until one would be. */
export async function takeSignInAcrossResellers(db: Db, nameHmacHex: string, terms: SignInRateTerms, now: Date): Promise<number> {
  const { rows } = await db.query<{ is_taken: boolean; due_at: Date | null }>(
    `with taken as (
       insert into sign_in_rates as held (name_hmac, due_at)
       values (decode($1, 'hex'), $2::timestamptz + $3 * interval '1 ms')
       on conflict (name_hmac) do update
          set due_at = $3 * interval '1 ms' + case when held.due_at > $5 then $2 else greatest(held.due_at, $2) end
        where held.due_at <= $4 or held.due_at > $5
       returning 1
     )
     select exists (select from taken) as is_taken, (select due_at from sign_in_rates where name_hmac = decode($1, 'hex')) as due_at`,
    [
      nameHmacHex,
      now,
      terms.spacingMs,
      new Date(now.getTime() + terms.toleranceMs),
      new Date(now.getTime() + terms.toleranceMs + terms.spacingMs + CLOCK_SKEW_MS),
    ],
  )
  const [row] = rows
  if (row === undefined || row.is_taken) return 0
  // Without one, another process has counted the first attempts in this very moment.
  return row.due_at === null ? terms.spacingMs : Math.max(1, row.due_at.getTime() - terms.toleranceMs - now.getTime())
}

/** Names that may do whatever they could do if they were not held. */
export async function deleteOldSignInRatesAcrossResellers(db: Db, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from sign_in_rates
      where name_hmac = any (array(select name_hmac from sign_in_rates where due_at < $1 order by due_at limit $2))`,
    [now, limit],
  )
  return rowCount ?? 0
}

/** Those of the names that somebody signed in under since then. */
export async function selectKnownSignInsAcrossResellers(db: Db, nameHmacHexes: readonly string[], since: Date): Promise<Map<string, true>> {
  const { rows } = await db.query<{ name_hmac_hex: string }>(
    `select asked.name_hmac_hex
       from unnest($1::text[]) as asked (name_hmac_hex)
      where exists (select from known_sign_ins k where k.name_hmac = decode(asked.name_hmac_hex, 'hex') and k.seen_at > $2)`,
    [nameHmacHexes, since],
  )
  return new Map(rows.map((row) => [row.name_hmac_hex, true]))
}

/** Keeps the newest `maxNames` of the person. */
export async function upsertKnownSignIns(
  db: Db,
  { resellerId, userId }: { resellerId: string; userId: string },
  { nameHmacHexes, seenAt, maxNames }: { nameHmacHexes: readonly string[]; seenAt: Date; maxNames: number },
): Promise<void> {
  await db.query(
    `insert into known_sign_ins (reseller_id, user_id, name_hmac, seen_at)
     select $1, $2, decode(name_hmac_hex, 'hex'), $4 from unnest($3::text[]) as n (name_hmac_hex) order by 3
         on conflict (reseller_id, user_id, name_hmac) do update set seen_at = excluded.seen_at`,
    [resellerId, userId, nameHmacHexes, seenAt],
  )
  await db.query(
    `delete from known_sign_ins
      where reseller_id = $1 and user_id = $2 and name_hmac in (
            select name_hmac from known_sign_ins where reseller_id = $1 and user_id = $2 order by seen_at desc offset $3)`,
    [resellerId, userId, maxNames],
  )
}

export async function deleteOldKnownSignInsAcrossResellers(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query('delete from known_sign_ins where seen_at < $1', [before])
  return rowCount ?? 0
}
