import type { UsageStatement } from '@roadworthy/contracts/platform-v1/usage'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isMonth, monthAt, monthBefore } from '@roadworthy/service-kit/time/zoned-time'
import { noSuchSubClient } from '../fleet/sub-client.ts'
import type { Caller } from '../keys/caller.ts'
import { requireReseller } from '../resellers/resellers.ts'
import { selectClosedPeriods } from './periods.sql.ts'
import { billingMonth } from './periods.ts'
import { buildStatement } from './statement.ts'
import type { StatementKey } from './statement-key.ts'
import { isSubClient, selectChainPart } from './usage.read.sql.ts'
import { firstHash } from './usage-chain.ts'

export type StatementDeps = { readonly database: Database; readonly now: () => Date; readonly statementKey: StatementKey }

/** Of the last month, and of what belongs to no sub-client, where nothing else is asked for; with a pinned key of its sub-client. */
export async function makeStatement(
  { database, now, statementKey }: StatementDeps,
  { resellerId, subClientPin }: Caller,
  query: { month?: string; subClientId?: string },
): Promise<UsageStatement> {
  const at = now()
  const { timeZone } = await requireReseller(database, resellerId)
  const db = database.tenantPool(resellerId)
  const subClientId = query.subClientId ?? subClientPin ?? ''
  if (subClientPin !== undefined && subClientId !== subClientPin) throw noSuchSubClient()
  if (query.subClientId !== undefined && !(isSlug(subClientId) && (await isSubClient(db, resellerId, subClientId)))) throw noSuchSubClient()
  const thisMonth = monthAt(timeZone, at.getTime())
  const label = query.month ?? monthBefore(thisMonth.label)
  if (!isMonth(label) || label > thisMonth.label) {
    throw new Problem('invalid_request', `"month" is ${JSON.stringify(label)}; it should be one up to ${thisMonth.label}.`, {
      details: { in: 'querystring', field: 'month' },
    })
  }
  const { isClosed, ...month } = billingMonth(await selectClosedPeriods(db, resellerId), timeZone, label)
  const { lines, previous } = await selectChainPart(db, resellerId, subClientId, month)
  const owner = { resellerId, subClientId }
  const before = lines.length === 0 ? undefined : (previous ?? firstHash(owner))
  return buildStatement({ owner, timeZone: month.timeZone, month, lines, previous: before, isFinal: isClosed }, statementKey)
}
