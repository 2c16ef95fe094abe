// The first start makes a reseller, a dashboard user and an API key, so that there is something to sign in with.

import assert from 'node:assert/strict'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { BASE62, newId, randomText } from '@roadworthy/service-kit/text/ids'
import { systemAuthor, writeAudit } from '../audit/audit.ts'
import { hashKeyText, isKeyText } from '../keys/key-text.ts'
import { selectWasKeyMadeAcrossResellers } from '../keys/keys.sql.ts'
import { addKey } from '../keys/keys.ts'
import { hashPassword } from '../people/password.ts'
import { upsertOwner } from '../people/users.sql.ts'
import { findFirstResellerAcrossResellers, lockBootstrapAcrossResellers } from '../resellers/first-reseller.sql.ts'
import { addReseller } from '../resellers/resellers.ts'
import type { Credentials } from './credentials.ts'

export type FirstCredentials = { resellerSlug: string; apiKey: string | null; email: string; password: string | null }

export type BootstrapResult = FirstCredentials & {
  /** The secrets were made just now and must be shown. */
  isNew: boolean
}

const FIRST_RESELLER = 'roadworthy'
const FIRST_RESELLER_NAME = 'Roadworthy'
const OWNER_EMAIL = 'owner@roadworthy.local'
const PASSWORD_LENGTH = 20
/** No limit, as DESIGN §6 asks for the first key. */
const FIRST_KEY = { name: 'first start', scopes: ['*'], perMinute: 0, perDay: 0 }

/**
 * Credentials that work on this database. An earlier start's are kept, unless they are of another database, which this folder was used with before. When they are lost (credentials.json deleted, or a kill between
 * the database and the file) new ones are made if `mayReissue`: with an embedded database whoever reads the folder owns it anyway, while
 * a shared database has other processes whose people know theirs.
 */
export async function bootstrap(
  database: Database,
  found: Credentials | undefined,
  options: { mayReissue: boolean; now: Date },
): Promise<BootstrapResult> {
  const kept = found !== undefined && (await isOfDatabase(database, found)) ? found : undefined
  const mayNeedSecrets = kept === undefined || (await findFirstResellerAcrossResellers(database.systemPool)) === undefined
  // Hashed before the lock is taken: it is meant to be slow, and others wait for the lock for two seconds only (db.ts).
  const password = randomText(PASSWORD_LENGTH, BASE62)
  const passwordScrypt = mayNeedSecrets ? await hashPassword(password) : undefined
  return await database.system(async (db) => {
    await lockBootstrapAcrossResellers(db)
    const existing = await findFirstResellerAcrossResellers(db)
    if (existing !== undefined && kept !== undefined) {
      return {
        resellerSlug: kept.reseller_slug,
        apiKey: kept.api_key,
        email: kept.dashboard.email,
        password: kept.dashboard.password,
        isNew: false,
      }
    }
    if (existing !== undefined && !options.mayReissue) {
      return { resellerSlug: existing, apiKey: null, email: OWNER_EMAIL, password: null, isNew: false }
    }
    const resellerSlug = existing ?? FIRST_RESELLER
    const author = systemAuthor(resellerSlug, options.now)
    if (existing === undefined) await addReseller(db, { slug: FIRST_RESELLER, name: FIRST_RESELLER_NAME }, author)
    assert(passwordScrypt !== undefined, 'resellers are never removed, so one that was there a moment ago still is')
    const userId = await upsertOwner(db, resellerSlug, { userId: newId('usr'), email: OWNER_EMAIL, passwordScrypt })
    await writeAudit(db, author, { action: 'user.created', objectId: userId, after: { email: OWNER_EMAIL, role: 'owner' } })
    const { apiKey } = await addKey(db, resellerSlug, FIRST_KEY, author)
    return { resellerSlug, apiKey, email: OWNER_EMAIL, password, isNew: true }
  })
}

/** What somebody wrote in place of the key, as one that was put into a vault, is no reason to make others: their password would be another one then. */
async function isOfDatabase({ systemPool }: Database, { api_key: key }: Credentials): Promise<boolean> {
  return key === null || !isKeyText(key) || (await selectWasKeyMadeAcrossResellers(systemPool, hashKeyText(key)))
}
