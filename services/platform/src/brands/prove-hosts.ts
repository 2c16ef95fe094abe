// Looks for the TXT records that prove whose a host name is: soon and then ever more seldom until it is there, and daily from then on. Tenants
// choose the names, and so the name servers: each question has a bound, and a few are asked at once.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor, writeAudit } from '../audit/audit.ts'
import type { JobKind } from '../jobs/job.ts'
import { periodicJob } from '../jobs/periodic-job.ts'
import { type Checked, type HostClaim, takeDueClaimsAcrossResellers, updateClaimChecked } from './host-claims.sql.ts'

/** The texts of the TXT records of a name; none where there are none. Throws where nobody could be asked. */
export type ResolveTxt = (name: string, signal: AbortSignal) => Promise<readonly string[]>

export type ProofDeps = {
  readonly database: Database
  readonly resolveTxt: ResolveTxt
  /** The database's clock: processes take claims from each other by it. */
  readonly now: () => Promise<Date>
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ROUND_MS = 15_000
const RESOLVE_MS = 5_000
const CLAIMS_PER_ROUND = 40
const ASKED_AT_ONCE = 8
/** Of a process that died over its claims, another looks at them then. */
const LEASE_MS = 10 * MINUTE_MS
/** What is pending is looked at each minute at first, later after a tenth of its age, and at least this often. */
const LONGEST_PENDING_WAIT_MS = 6 * 60 * MINUTE_MS
/** Assumption: a record that three daily checks miss was taken away on purpose; a mistake is noticed sooner. */
const MISSING_CHECKS_TO_LOSE = 3
/** Assumption: no outage of DNS that anybody cares about lasts two weeks. */
const UNREACHABLE_CHECKS_TO_LOSE = 14

/** Under the name, as ACME has it (RFC 8555 §8.4), so that the name itself may be an alias. */
export function challengeName(host: string): string {
  return `_roadworthy-challenge.${host}`
}

/** One round; answers how many claims were looked at. */
export async function proveDueHosts(deps: ProofDeps): Promise<number> {
  const at = await deps.now()
  const due = await takeDueClaimsAcrossResellers(deps.database.systemPool, at, new Date(at.getTime() + LEASE_MS), CLAIMS_PER_ROUND)
  const waiting = [...due]
  const work = async () => {
    for (let claim = waiting.shift(); claim !== undefined; claim = waiting.shift()) await proveHost(deps, claim)
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work))
  return due.length
}

export function hostProofJob(deps: ProofDeps): JobKind {
  const run = async () => ((await proveDueHosts(deps)) >= CLAIMS_PER_ROUND ? 0 : undefined)
  return periodicJob({ kind: 'host_proofs', everyMs: ROUND_MS, run }, deps.now)
}

async function proveHost(deps: ProofDeps, claim: HostClaim): Promise<void> {
  const found = await findRecord(deps, claim)
  const at = await deps.now()
  try {
    await storeChecked(deps.database, claim, judgeCheck(claim, found, at), at)
  } catch (error) {
    if (!isUniqueViolation(error, 'brand_host_claims_proved_key')) throw error
    await storeChecked(deps.database, claim, { ...judgeCheck(claim, 'missing', at), problem: 'taken' }, at)
  }
}

type Found = 'found' | 'missing' | 'unreachable'

async function findRecord({ resolveTxt }: ProofDeps, { host, token }: HostClaim): Promise<Found> {
  try {
    const texts = await resolveTxt(challengeName(host), AbortSignal.timeout(RESOLVE_MS))
    return texts.some((text) => text.trim() === token) ? 'found' : 'missing'
  } catch {
    return 'unreachable'
  }
}

/** What follows from a check. A proof outlives a few checks without the record, so that an outage of DNS takes nobody's brand away. */
function judgeCheck(claim: HostClaim, found: Found, at: Date): Checked {
  const { provedAt } = claim
  const later = (ms: number) => new Date(at.getTime() + ms)
  if (found === 'found') {
    return { provedAt: provedAt ?? at, problem: undefined, missingCount: 0, unreachableCount: 0, nextCheckAt: later(DAY_MS) }
  }
  const missingCount = claim.missingCount + (found === 'missing' ? 1 : 0)
  const unreachableCount = claim.unreachableCount + (found === 'unreachable' ? 1 : 0)
  const isLost = missingCount >= MISSING_CHECKS_TO_LOSE || unreachableCount >= UNREACHABLE_CHECKS_TO_LOSE
  if (provedAt !== undefined && !isLost) return { provedAt, problem: found, missingCount, unreachableCount, nextCheckAt: later(DAY_MS) }
  const ageMs = at.getTime() - claim.claimedAt.getTime()
  const waitMs = Math.min(Math.max(ageMs / 10, MINUTE_MS), LONGEST_PENDING_WAIT_MS)
  return { provedAt: undefined, problem: found, missingCount: 0, unreachableCount: 0, nextCheckAt: later(waitMs) }
}

async function storeChecked(database: Database, claim: HostClaim, checked: Checked, at: Date): Promise<void> {
  const isChange = (claim.provedAt === undefined) !== (checked.provedAt === undefined)
  await database.tenant(claim.resellerId, async (db) => {
    const isStored = await updateClaimChecked(db, claim, checked, at)
    if (!isStored || !isChange) return
    const action = checked.provedAt === undefined ? 'brand.host_lost' : 'brand.host_proved'
    const subClientId = claim.subClientId === '' ? undefined : claim.subClientId
    await writeAudit(db, systemAuthor(claim.resellerId, at), { action, objectId: claim.host, subClientId })
  })
}
