import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageEnd, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { newId } from '@roadworthy/service-kit/text/ids'
import { isOneLine } from '@roadworthy/service-kit/text/one-line'
import { type AuditedFields, type Author, systemAuthor, writeAudit } from '../audit/audit.ts'
import { hashKeyText, KEY_PREFIX, newKeyText } from './key-text.ts'
import {
  type ApiKey,
  insertApiKey,
  lockAndCountWorkingKeys,
  selectApiKey,
  selectApiKeyCount,
  selectApiKeys,
  selectKeyOwnerAcrossResellers,
  selectSubClientExists,
  updateApiKeyRevoked,
} from './keys.sql.ts'
import { fullAccessScopes, isGrantedScope, scopes } from './scopes.ts'

const MAX_NAME_LENGTH = 200
/** 1000 a second. Every call of a minute is remembered; who needs more gets 0, unlimited. */
export const MAX_PER_MINUTE = 60_000
export const MAX_PER_DAY = 2_147_483_647
/** Keys that work. Each has limits of its own, so their number is limited too. Assumptions: a key for each of many integrations. */
const MAX_KEYS_OF_RESELLER = 1_000
const MAX_KEYS_OF_SUB_CLIENT = 50

export type NewKey = {
  readonly name: string
  readonly scopes: readonly string[]
  /** The key then sees and touches this sub-client only. */
  readonly subClientId?: string | undefined
  /** Left out: the plan's default; 0: unlimited. */
  readonly perMinute?: number | undefined
  readonly perDay?: number | undefined
  readonly expiresAt?: Date | undefined
}

/** Makes a key. `apiKey` is its secret text, which is not stored and never shown again. */
export function createKey(
  database: Database,
  resellerId: string,
  given: NewKey,
  now: Date,
  author: Author = systemAuthor(resellerId, now),
): Promise<{ apiKey: string; key: ApiKey }> {
  return database.tenant(resellerId, (db) => addKey(db, resellerId, given, author))
}

/** The same within a transaction of the caller's. */
export async function addKey(db: Db, resellerId: string, given: NewKey, author: Author): Promise<{ apiKey: string; key: ApiKey }> {
  const made = await storeKey(db, resellerId, given, author.at)
  const { keyId, subClientId } = made.key
  await writeAudit(db, author, { action: 'api_key.created', objectId: keyId, subClientId, after: auditedKey(made.key) })
  return made
}

/** Without a row in the audit log, which is the caller's to write. */
export async function storeKey(db: Db, resellerId: string, given: NewKey, now: Date): Promise<{ apiKey: string; key: ApiKey }> {
  checkNewKey(given, now)
  const apiKey = newKeyText()
  const key: ApiKey = {
    keyId: newId('key'),
    name: given.name.trim(),
    prefix: KEY_PREFIX,
    last4: apiKey.slice(-4),
    scopes: [...new Set(given.scopes)],
    subClientId: given.subClientId,
    perMinute: given.perMinute,
    perDay: given.perDay,
    expiresAt: given.expiresAt,
    grantedUntil: given.expiresAt,
    revokedAt: undefined,
    lastUsedAt: undefined,
    createdAt: now,
  }
  if (given.subClientId !== undefined && !(await selectSubClientExists(db, resellerId, given.subClientId))) {
    throw new Problem('not_found', `There is no sub-client ${JSON.stringify(given.subClientId)}.`)
  }
  await requireRoomForKey(db, resellerId, given.subClientId, now)
  await insertApiKey(db, resellerId, { ...key, sha256Hex: hashKeyText(apiKey) })
  return { apiKey, key }
}

async function requireRoomForKey(db: Db, resellerId: string, subClientId: string | undefined, now: Date): Promise<void> {
  const { ofReseller, ofSubClient } = await lockAndCountWorkingKeys(db, resellerId, { subClientId, now })
  const refuse = (whose: string, quota: number) =>
    new Problem('quota_exceeded', `${whose} has ${quota} keys that work, the most there may be. Revoke those that are not used.`, {
      details: { quota },
    })
  if (ofReseller >= MAX_KEYS_OF_RESELLER) throw refuse('This reseller', MAX_KEYS_OF_RESELLER)
  if (ofSubClient >= MAX_KEYS_OF_SUB_CLIENT) throw refuse(`Sub-client ${subClientId}`, MAX_KEYS_OF_SUB_CLIENT)
}

/** A page of a reseller's keys, oldest first, revoked ones included. `subClientId` keeps to those pinned to it. */
export async function listKeys(
  database: Database,
  resellerId: string,
  query: { subClientId?: string | undefined; limit?: number | undefined; after?: string | undefined } = {},
): Promise<{ total: number; keys: ApiKey[]; pagination: PageEnd }> {
  const page = pageRequest('keys', query)
  return database.tenant(resellerId, async (db) => {
    const total = await selectApiKeyCount(db, resellerId, query.subClientId)
    const rows = await selectApiKeys(db, resellerId, { subClientId: query.subClientId, after: page.after, limit: page.limit + 1 })
    const { items, pagination } = endPage(rows, page, (key) => ({ at: key.createdAt, id: key.keyId }))
    return { total, keys: items, pagination }
  })
}

const KEY_ID = /^key-[a-z0-9]{8,40}$/

const noSuchKey = (keyId: string) => new Problem('not_found', `There is no API key ${JSON.stringify(keyId)}.`)

/** `subClientId` keeps to the keys pinned to it. */
export async function requireKey(
  database: Database,
  resellerId: string,
  wanted: { keyId: string; subClientId?: string | undefined },
): Promise<ApiKey> {
  const { keyId, subClientId } = wanted
  // What has not the form of an id is never stored, and may hold what PostgreSQL cannot even be asked for.
  const key = KEY_ID.test(keyId) ? await database.tenant(resellerId, (db) => selectApiKey(db, resellerId, keyId)) : undefined
  if (key === undefined || (subClientId !== undefined && key.subClientId !== subClientId)) throw noSuchKey(keyId)
  return key
}

/** Ends a key for good, in every process within a second. Repeating it is fine. `subClientId` keeps to the keys pinned to it. */
export async function revokeKey(
  database: Database,
  resellerId: string,
  revoke: { keyId: string; subClientId?: string | undefined },
  now: Date,
  author: Author = systemAuthor(resellerId, now),
): Promise<ApiKey> {
  const { keyId, subClientId } = revoke
  // What has not the form of an id is never stored, and may hold what PostgreSQL cannot even be asked for.
  if (!KEY_ID.test(keyId)) throw noSuchKey(keyId)
  return await database.tenant(resellerId, async (db) => {
    const before = await selectApiKey(db, resellerId, keyId)
    const after = await updateApiKeyRevoked(db, resellerId, { keyId, subClientId, revokedAt: now })
    if (before === undefined || after === undefined) throw noSuchKey(keyId)
    await writeAudit(db, author, {
      action: 'api_key.revoked',
      objectId: keyId,
      subClientId: after.subClientId,
      before: { revokedAt: before.revokedAt },
      after: { revokedAt: after.revokedAt },
    })
    return after
  })
}

/** The same for an operator, who names no reseller. */
export async function revokeKeyAcrossResellers(
  database: Database,
  keyId: string,
  now: Date,
  authorFor: (resellerId: string, at: Date) => Author = systemAuthor,
): Promise<ApiKey> {
  const resellerId = KEY_ID.test(keyId) ? await selectKeyOwnerAcrossResellers(database.systemPool, keyId) : undefined
  if (resellerId === undefined) throw noSuchKey(keyId)
  return revokeKey(database, resellerId, { keyId }, now, authorFor(resellerId, now))
}

function auditedKey({ name, last4, scopes: granted, perMinute, perDay, expiresAt }: ApiKey): AuditedFields {
  return { name, last4, scopes: granted, perMinute, perDay, expiresAt }
}

function checkNewKey(given: NewKey, now: Date): void {
  const refuse = (field: string, message: string) => new Problem('invalid_request', message, { details: { field } })
  // As the contract counts: characters, and not halves of them.
  const nameLength = [...given.name.trim()].length
  if (nameLength === 0 || nameLength > MAX_NAME_LENGTH) throw refuse('name', `A key's name has 1 to ${MAX_NAME_LENGTH} characters.`)
  if (!isOneLine(given.name)) throw refuse('name', '"name" is one line of text.')
  if (given.scopes.length === 0) throw refuse('scopes', 'A key needs at least one scope.')
  for (const scope of given.scopes) {
    if (isGrantedScope(scope)) continue
    const allowed = [...scopes, ...fullAccessScopes]
    throw new Problem('invalid_request', `There is no scope ${JSON.stringify(scope)}.`, { details: { field: 'scopes', allowed } })
  }
  checkLimit('perMinute', given.perMinute, MAX_PER_MINUTE)
  checkLimit('perDay', given.perDay, MAX_PER_DAY)
  if (given.expiresAt !== undefined && !(given.expiresAt > now)) throw refuse('expiresAt', 'The expiry is not in the future.')
}

function checkLimit(field: string, limit: number | undefined, max: number): void {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 0 && limit <= max)) return
  throw new Problem('invalid_request', `"${field}" is a whole number from 0 (unlimited) to ${max}.`, { details: { field } })
}
