// For tests only: the surfaces over a database of their own, entered through the real gate.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type App, createHttpApp } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Notifications } from '@roadworthy/service-kit/postgres/notifications'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import type { FastifyBaseLogger } from 'fastify'
import { auditPlatformRoutes } from '../audit/routes.platform-v1.ts'
import { createReservedHosts } from '../brands/reserved-hosts.ts'
import { brandPlatformRoutes } from '../brands/routes.platform-v1.ts'
import { createKey, type NewKey } from '../keys/keys.ts'
import { apiKeyPlatformRoutes } from '../keys/routes.platform-v1.ts'
import type { Plans } from '../limits/plans.ts'
import type { Post } from '../people/post.ts'
import { findSession, sessionPlatformRoutes } from '../people/session.routes.platform-v1.ts'
import { TEST_PASSWORD_COST } from '../people/test-users.ts'
import { userPlatformRoutes } from '../people/user.routes.platform-v1.ts'
import type { RequestLog } from '../requests/request-log.ts'
import { createReseller } from '../resellers/resellers.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { type Access, createAccess } from './access.ts'
import { mountExternal } from './external.ts'
import { mountPlatformV1 } from './platform-v1.ts'
import { mountSimBilling } from './sim-billing.ts'

type Routes = readonly FastifyPluginAsyncTypebox[]

export type TestApiOptions = {
  readonly external?: Routes
  readonly platform?: Routes
  readonly simBilling?: Routes
  readonly now?: () => Date
  readonly plans?: Plans
  readonly notifications?: Notifications
  readonly authFailuresPerMinute?: number
  readonly post?: Post
  readonly onUnmailed?: (email: string) => void
  readonly logger?: FastifyBaseLogger
  readonly reservedHosts?: string
  /** For routes that anybody may ask; else the connections of the database. */
  readonly publicDatabase?: Database
  readonly trustProxy?: readonly string[]
  readonly requestLog?: RequestLog
}

export type TestApi = { readonly app: App; readonly access: Access }

/** One process's worth of API over a database that may be shared with others. */
export async function openTestApi(t: CleanUp, database: Database, options: TestApiOptions = {}): Promise<TestApi> {
  const { now = () => new Date(), plans, authFailuresPerMinute, publicDatabase = database } = options
  const access = createAccess({
    database,
    publicDatabase,
    notifications: options.notifications,
    now,
    secretKey: TEST_SECRET_KEY,
    passwordCost: TEST_PASSWORD_COST,
    onError: (error) => console.error(error),
    ...(plans === undefined ? {} : { plans }),
    ...(authFailuresPerMinute === undefined ? {} : { authFailuresPerMinute }),
    ...(options.post === undefined ? {} : { post: options.post }),
    ...(options.onUnmailed === undefined ? {} : { onUnmailed: options.onUnmailed }),
  })
  const surface = { access, now, requestLog: options.requestLog }
  const app = createHttpApp({ logger: options.logger ?? false, trustProxy: options.trustProxy ?? [] })
  await mountExternal(app, { ...surface, routes: options.external ?? [] })
  await mountPlatformV1(app, {
    ...surface,
    routes: [
      apiKeyPlatformRoutes({ database, access, now }),
      sessionPlatformRoutes(access),
      userPlatformRoutes({ database, now, post: access.post }),
      auditPlatformRoutes({ database }),
      brandPlatformRoutes({
        database,
        publicDatabase,
        now,
        isReservedHost: createReservedHosts('https://app.roadworthy.example', options.reservedHosts ?? ''),
        findSignedIn: (request) => findSession(access.sessions, request),
      }),
      ...(options.platform ?? []),
    ],
  })
  await mountSimBilling(app, { ...surface, routes: options.simBilling ?? [] })
  await app.ready()
  t.after(async () => {
    await app.close()
    await access.close()
  })
  return { app, access }
}

/** A reseller on a plan, and a key of it; by default one that may do everything without limits. Returns the key's secret. */
export async function insertResellerWithKey(
  database: Database,
  slug: string,
  key: Partial<NewKey> & { plan?: string; createdAt?: Date } = {},
): Promise<{ apiKey: string; keyId: string }> {
  const { plan = 'enterprise', createdAt = new Date(), ...rest } = key
  await createReseller(database, { slug, name: slug, plan }, createdAt)
  const made = await createKey(database, slug, { name: 'test', scopes: ['*'], perMinute: 0, perDay: 0, ...rest }, createdAt)
  return { apiKey: made.apiKey, keyId: made.key.keyId }
}

/** Undoes last what was done first: an API must end before its database. `node:test` runs clean-ups in the order they were added. */
export function lastFirst(t: CleanUp): CleanUp {
  const cleanUps: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  return { after: (cleanUp) => cleanUps.push(cleanUp) }
}

export async function openTestDatabaseAndApi(
  t: CleanUp,
  options: TestApiOptions = {},
): Promise<TestApi & { database: Database; ownerUrl: string }> {
  const cleanUp = lastFirst(t)
  const { database, ownerUrl } = await openTestDatabase(cleanUp)
  return { database, ownerUrl, ...(await openTestApi(cleanUp, database, options)) }
}
