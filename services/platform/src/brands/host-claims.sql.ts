import type { Db } from '@roadworthy/service-kit/postgres/db'

/** `missing`: DNS has no such record. `unreachable`: DNS did not answer. `taken`: it is there, but another brand has proved the name. */
export type ProofProblem = 'missing' | 'unreachable' | 'taken'

export type HostClaim = {
  readonly resellerId: string
  /** '' for the reseller's own. */
  readonly subClientId: string
  readonly host: string
  readonly token: string
  readonly claimedAt: Date
  /** Undefined: it is not used for anything yet. */
  readonly provedAt: Date | undefined
  readonly isConfirmedByHand: boolean
  readonly checkedAt: Date | undefined
  readonly problem: ProofProblem | undefined
  readonly missingCount: number
  readonly unreachableCount: number
}

const COLUMNS = `reseller_id, sub_client_id, host, token, claimed_at, proved_at, is_confirmed_by_hand, checked_at, problem, missing_count,
                 unreachable_count`

/** As they are listed. */
export async function selectClaims(db: Db, resellerId: string, subClientId: string): Promise<HostClaim[]> {
  const { rows } = await db.query<ClaimRow>(
    `select ${COLUMNS} from brand_host_claims where reseller_id = $1 and sub_client_id = $2 order by nth`,
    [resellerId, subClientId],
  )
  return rows.map(claimFromRow)
}

export async function selectAllClaimsAcrossResellers(db: Db): Promise<HostClaim[]> {
  const { rows } = await db.query<ClaimRow>(`select ${COLUMNS} from brand_host_claims order by reseller_id, sub_client_id, nth`)
  return rows.map(claimFromRow)
}

/**
 * Lists `claims` for a brand and nothing else; what was listed keeps its token and its proof, and what is not proved is looked at anew. Answers
 * the hosts that are listed now: one that another brand of the reseller has is not among them.
 */
export async function replaceClaims(
  db: Db,
  resellerId: string,
  subClientId: string,
  claims: readonly { readonly host: string; readonly token: string }[],
  at: Date,
): Promise<string[]> {
  const hosts = claims.map(({ host }) => host)
  await db.query('delete from brand_host_claims where reseller_id = $1 and sub_client_id = $2 and host <> all ($3::text[])', [
    resellerId,
    subClientId,
    hosts,
  ])
  const { rows } = await db.query<{ host: string }>(
    `insert into brand_host_claims (reseller_id, sub_client_id, host, nth, token, claimed_at, next_check_at)
     select $1, $2, listed.host, listed.nth, listed.token, $5, $5
       from unnest($3::text[], $4::text[]) with ordinality as listed (host, token, nth)
         on conflict (reseller_id, host) do update
            set nth = excluded.nth,
                next_check_at = case when brand_host_claims.proved_at is null then excluded.next_check_at else brand_host_claims.next_check_at end
          where brand_host_claims.sub_client_id = excluded.sub_client_id
      returning host`,
    [resellerId, subClientId, hosts, claims.map(({ token }) => token), at],
  )
  return rows.map(({ host }) => host)
}

export async function selectPendingCount(db: Db, resellerId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from brand_host_claims where reseller_id = $1 and proved_at is null',
    [resellerId],
  )
  return rows[0]?.count ?? 0
}

/** Which of the hosts are used for the brand of another reseller. */
export async function selectHostsOfOthersAcrossResellers(db: Db, resellerId: string, hosts: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ host: string }>(
    'select host from brand_host_claims where host = any ($2::text[]) and reseller_id <> $1 and proved_at is not null',
    [resellerId, hosts],
  )
  return rows.map(({ host }) => host)
}

/** To whom a host name leads. */
export async function selectHostAcrossResellers(db: Db, host: string): Promise<{ resellerId: string; subClientId: string } | undefined> {
  const { rows } = await db.query<{ reseller_id: string; sub_client_id: string }>(
    'select reseller_id, sub_client_id from brand_host_claims where host = $1 and proved_at is not null',
    [host],
  )
  return rows[0] && { resellerId: rows[0].reseller_id, subClientId: rows[0].sub_client_id }
}

/** Takes claims whose check is due, and puts it off to `leasedUntil`, so that another process takes others. */
export async function takeDueClaimsAcrossResellers(db: Db, at: Date, leasedUntil: Date, limit: number): Promise<HostClaim[]> {
  const { rows } = await db.query<ClaimRow>(
    `with due as materialized (
       select reseller_id as of_reseller, host as of_host from brand_host_claims
        where not is_confirmed_by_hand and next_check_at <= $1
        order by next_check_at limit $3 for update skip locked)
     update brand_host_claims set next_check_at = $2 from due where reseller_id = of_reseller and host = of_host
  returning ${COLUMNS}`,
    [at, leasedUntil, limit],
  )
  return rows.map(claimFromRow)
}

export type Checked = Pick<HostClaim, 'provedAt' | 'problem' | 'missingCount' | 'unreachableCount'> & { readonly nextCheckAt: Date }

/**
 * Stores what a check found, unless the host was listed anew or confirmed meanwhile. Answers whether it was stored. Violates
 * `brand_host_claims_proved_key` where another brand has proved the name.
 */
export async function updateClaimChecked(db: Db, claim: HostClaim, checked: Checked, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update brand_host_claims
        set proved_at = $4, problem = $5, missing_count = $6, unreachable_count = $7, next_check_at = $8, checked_at = $9
      where reseller_id = $1 and host = $2 and token = $3 and not is_confirmed_by_hand and (proved_at is not null) = $10`,
    [
      claim.resellerId,
      claim.host,
      claim.token,
      checked.provedAt ?? null,
      checked.problem ?? null,
      checked.missingCount,
      checked.unreachableCount,
      checked.nextCheckAt,
      at,
      claim.provedAt !== undefined,
    ],
  )
  return rowCount === 1
}

/** By the operator's word. The brand of another reseller that uses the name loses it. Answers the resellers that lost it. */
export async function confirmClaimAcrossResellers(db: Db, resellerId: string, host: string, at: Date): Promise<string[] | undefined> {
  const { rows } = await db.query<{ reseller_id: string }>(
    `update brand_host_claims set proved_at = null, is_confirmed_by_hand = false, next_check_at = $3
      where host = $2 and reseller_id <> $1 and proved_at is not null
        and exists (select from brand_host_claims mine where mine.reseller_id = $1 and mine.host = $2)
  returning reseller_id`,
    [resellerId, host, at],
  )
  const { rowCount } = await db.query(
    `update brand_host_claims
        set proved_at = coalesce(proved_at, $3), is_confirmed_by_hand = true, problem = null, missing_count = 0, unreachable_count = 0
      where reseller_id = $1 and host = $2`,
    [resellerId, host, at],
  )
  return rowCount === 1 ? rows.map((row) => row.reseller_id) : undefined
}

/** What was proved or confirmed is pending again. Answers whether the host is listed. */
export async function withdrawClaim(db: Db, resellerId: string, host: string, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update brand_host_claims set proved_at = null, is_confirmed_by_hand = false, next_check_at = $3
      where reseller_id = $1 and host = $2`,
    [resellerId, host, at],
  )
  return rowCount === 1
}

type ClaimRow = {
  reseller_id: string
  sub_client_id: string
  host: string
  token: string
  claimed_at: Date
  proved_at: Date | null
  is_confirmed_by_hand: boolean
  checked_at: Date | null
  problem: ProofProblem | null
  missing_count: number
  unreachable_count: number
}

function claimFromRow(row: ClaimRow): HostClaim {
  return {
    resellerId: row.reseller_id,
    subClientId: row.sub_client_id,
    host: row.host,
    token: row.token,
    claimedAt: row.claimed_at,
    provedAt: row.proved_at ?? undefined,
    isConfirmedByHand: row.is_confirmed_by_hand,
    checkedAt: row.checked_at ?? undefined,
    problem: row.problem ?? undefined,
    missingCount: row.missing_count,
    unreachableCount: row.unreachable_count,
  }
}
