// What the operator decides about a host name, whatever DNS answers: where somebody cannot make the record, or two claim the same name.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { confirmClaimAcrossResellers, withdrawClaim } from './host-claims.sql.ts'
import { toHostName } from './host-name.ts'

/** Answers the reseller that used the name until now, if another did. */
export async function confirmHost(database: Database, resellerId: string, given: string, author: Author): Promise<string | undefined> {
  const host = toHostName(given) ?? given
  return await database.system(async (db) => {
    const losers = await confirmClaimAcrossResellers(db, resellerId, host, author.at)
    if (losers === undefined) throw notListed(resellerId, host)
    await writeAudit(db, author, { action: 'brand.host_confirmed', objectId: host })
    for (const loser of losers) await writeAudit(db, { ...author, resellerId: loser }, { action: 'brand.host_lost', objectId: host })
    return losers[0]
  })
}

/** It is pending again, and proved anew only by DNS or by the operator. */
export async function withdrawHost(database: Database, resellerId: string, given: string, author: Author): Promise<void> {
  const host = toHostName(given) ?? given
  await database.tenant(resellerId, async (db) => {
    if (!(await withdrawClaim(db, resellerId, host, author.at))) throw notListed(resellerId, host)
    await writeAudit(db, author, { action: 'brand.host_withdrawn', objectId: host })
  })
}

function notListed(resellerId: string, host: string): Problem {
  return new Problem('not_found', `No brand of ${resellerId} lists the host ${host}.`)
}
