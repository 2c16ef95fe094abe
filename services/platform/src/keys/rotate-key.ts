import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Caller } from './caller.ts'
import { type GrantDeps, grantableKey } from './grant-key.ts'
import { type ApiKey, updateApiKeyEnd } from './keys.sql.ts'
import { requireKey, storeKey } from './keys.ts'

const HOUR_MS = 3_600_000

type Rotated = { readonly apiKey: string; readonly key: ApiKey; readonly previous: ApiKey }

/**
 * Makes a key that may do the same, and ends the one before after `overlapHours`: a program can be given the new one while it works with the old one.
 * Who rotates a key gets its secret, so the rules of granting one apply.
 */
export async function rotateKey(
  deps: GrantDeps,
  caller: Caller,
  rotate: { keyId: string; overlapHours: number },
  author: Author,
): Promise<Rotated> {
  const { resellerId, subClientPin: subClientId } = caller
  const { keyId } = rotate
  const before = await requireKey(deps.database, resellerId, { keyId, subClientId })
  const { name, scopes, perMinute, perDay, expiresAt, grantedUntil } = before
  const given = { name, scopes, subClientId: before.subClientId, perMinute, perDay, expiresAt: grantedUntil }
  const granted = await grantableKey(deps, caller, given)
  return await deps.database.tenant(resellerId, async (db) => {
    const endsAt = new Date(author.at.getTime() + rotate.overlapHours * HOUR_MS)
    const previous = await updateApiKeyEnd(db, resellerId, { keyId, subClientId, endsAt, now: author.at })
    if (previous === undefined)
      throw new Problem('conflict', 'This key does not work any more, so there is nothing to rotate. Make a new one.')
    const made = await storeKey(db, resellerId, granted, author.at)
    await writeAudit(db, author, {
      action: 'api_key.rotated',
      objectId: keyId,
      subClientId: previous.subClientId,
      before: { expiresAt },
      after: { expiresAt: previous.expiresAt, replacedBy: made.key.keyId },
    })
    return { ...made, previous }
  })
}
