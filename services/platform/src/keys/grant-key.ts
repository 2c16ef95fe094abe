import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Author } from '../audit/audit.ts'
import type { Plans } from '../limits/plans.ts'
import { requireReseller } from '../resellers/resellers.ts'
import type { Caller } from './caller.ts'
import { type ApiKey, selectApiKey } from './keys.sql.ts'
import { createKey, type NewKey } from './keys.ts'
import { subClientForWrite } from './pins.ts'
import { grants, isScope } from './scopes.ts'

export type GrantDeps = { readonly database: Database; readonly plans: Plans }

/** Makes a key on behalf of another key. */
export async function grantKey(deps: GrantDeps, caller: Caller, given: NewKey, author: Author): Promise<{ apiKey: string; key: ApiKey }> {
  return createKey(deps.database, caller.resellerId, await grantableKey(deps, caller, given), author.at, author)
}

/** The key that the caller gets for what it asks. Nobody can grant what it does not have: scopes, other sub-clients, a higher limit, or more time. */
export async function grantableKey(deps: GrantDeps, caller: Caller, given: NewKey): Promise<NewKey> {
  for (const scope of given.scopes) {
    if (grants(caller.scopes, isScope(scope) ? scope : '*')) continue
    throw new Problem('missing_scope', `A key without the scope ${scope} cannot grant it.`, { details: { required_scope: scope } })
  }
  const { resellerId } = caller
  const own = await deps.database.tenant(resellerId, (db) => selectApiKey(db, resellerId, caller.keyId))
  const plan = deps.plans[(await requireReseller(deps.database, resellerId)).plan]
  return {
    ...given,
    subClientId: subClientForWrite(caller, given.subClientId),
    perMinute: grantedLimit('perMinute', given.perMinute, own?.perMinute, plan.perMinute),
    perDay: grantedLimit('perDay', given.perDay, own?.perDay, plan.perDay),
    expiresAt: grantedExpiry(given.expiresAt, own?.expiresAt),
  }
}

/** The limit that a new key gets: what is asked for, up to what the granting key has itself. 0 is unlimited, and so the highest. */
function grantedLimit(field: string, asked: number | undefined, own: number | undefined, planDefault: number): number | undefined {
  const most = own ?? planDefault
  if (asked === undefined) return most === 0 ? undefined : own
  if (most === 0 || (asked !== 0 && asked <= most)) return asked
  throw new Problem('invalid_request', `1 to ${most} can be granted as "${field}": no more than who grants it has.`, {
    details: { field, max: most },
  })
}

/** The expiry that a new key gets: what is asked for, up to the granting key's own. */
function grantedExpiry(asked: Date | undefined, own: Date | undefined): Date | undefined {
  if (own === undefined || (asked !== undefined && asked <= own)) return asked
  if (asked === undefined) return own
  throw new Problem('invalid_request', `This key expires at ${own.toISOString()} and cannot grant a later "expiresAt".`, {
    details: { field: 'expiresAt', max: own.toISOString() },
  })
}
