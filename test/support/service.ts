// The running service as its callers see it: resellers with keys of their own, and answers that are checked while they are read.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { systemAuthor } from '@roadworthy/platform/audit/audit'
import { createKey, type NewKey } from '@roadworthy/platform/keys/keys'
import { createReseller, updateReseller } from '@roadworthy/platform/resellers/resellers'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { type Answer, call, type RunningPlatform, startPlatform } from './running-platform.ts'
import { until } from './until.ts'

export type CallOptions = Omit<NonNullable<Parameters<typeof call>[3]>, 'key'>
export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Answer>
export type Row = Readonly<Record<string, unknown>>
export type MadeKey = { readonly id: string; readonly secret: string }

/** A reseller of its own: what one section of the tests does is nothing to another. */
export type Tenant = {
  readonly slug: string
  /** Everything allowed, no limits. */
  readonly key: string
  /** Paths below `/api/external`. */
  readonly external: Caller
  /** Paths below `/api/v1`. */
  readonly platform: Caller
  /** Paths below `/api/sim-billing`. */
  readonly simBilling: Caller
  /** A key through `POST /api/v1/api-keys`, as a person makes one. Without limits unless given. */
  makeKey(given: { scopes: readonly string[] } & Row): Promise<MadeKey>
  update(changes: { plan?: string; subscription?: string }): Promise<void>
}

export type Service = {
  readonly platform: RunningPlatform
  readonly database: Database
  readonly baseUrl: string
  readonly engine: Caller
  newTenant(options?: { plan?: string; subscription?: string; key?: Partial<NewKey> }): Promise<Tenant>
}

export async function openService(t: CleanUp, options: Parameters<typeof startPlatform>[1] = {}): Promise<Service> {
  const cleanUps: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  const platform = await startPlatform({ after: (cleanUp) => cleanUps.push(cleanUp) }, options)
  const { databaseUrl: url, credentials } = platform
  const database = openDatabasePatiently(
    { owner: url, app: url, system: url },
    { appConnections: 2, systemConnections: 1, onError: (error) => console.error(error) },
  )
  cleanUps.push(() => database.close())
  return {
    platform,
    database,
    baseUrl: credentials.base_url,
    engine: (method, path, options) => call(credentials.engine_url, method, path, options),
    newTenant: async ({ plan = 'enterprise', subscription = 'active', key = {} } = {}) => {
      const slug = `fleet-${randomBytes(4).toString('hex')}`
      await createReseller(database, { slug, name: slug, plan, subscription }, new Date())
      const { apiKey } = await createKey(database, slug, { name: 'test', scopes: ['*'], perMinute: 0, perDay: 0, ...key }, new Date())
      return tenantOf(credentials.base_url, database, slug, apiKey)
    },
  }
}

function tenantOf(baseUrl: string, database: Database, slug: string, key: string): Tenant {
  const platform = callerAt(`${baseUrl}/api/v1`, key)
  return {
    slug,
    key,
    external: callerAt(`${baseUrl}/api/external`, key),
    platform,
    simBilling: callerAt(`${baseUrl}/api/sim-billing`, key),
    makeKey: async (given) => {
      const body = { name: 'made for a test', perMinute: 0, perDay: 0, ...given }
      const { secret, apiKey } = ok<{ secret: string; apiKey: { id: string } }>(await platform('POST', '/api-keys', { body }))
      return { id: apiKey.id, secret }
    },
    update: async (changes) => {
      await updateReseller(database, slug, changes, systemAuthor(slug, new Date()))
    },
  }
}

/** Calls below `prefix` with one key; null sends none. */
export function callerAt(prefix: string, key: string | null): Caller {
  return (method, path, options) => call(prefix, method, `${prefix}${path}`, { key, ...options })
}

/**
 * Until all is well, and what each check reports then. Asked once, it may be that it is not: a check has its time, the engine's a second, and a machine with
 * much to do may take longer.
 */
export async function untilReady({ baseUrl }: Service): Promise<Row> {
  let checks: Row = {}
  await until('the service is ready', async () => {
    const { status, body } = await call(baseUrl, 'GET', '/readyz')
    checks = body['checks'] ?? {}
    return status === 200
  })
  return checks
}

/** The body of an answer that must be 200. */
export function ok<Body>(answer: Answer): Body {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as Body
}

/** The error of an answer that must be a refusal: its status, its code, and nothing in its body that the contract does not have. */
export function refused(answer: Answer, status: number, code: string, surface: 'external' | 'platform' | 'engine' = 'external'): Row {
  const text = JSON.stringify(answer.body)
  assert.equal(answer.status, status, text)
  const { error, ...rest } = answer.body as unknown as { error: Row }
  assert.deepEqual(rest, surface === 'external' ? { success: false } : {}, text)
  assert.equal(error['code'], code, text)
  const { code: _, message, request_id: requestId, ...more } = error
  assert.ok(typeof message === 'string' && message.length > 5, text)
  assert.equal(requestId, answer.headers.get('x-request-id'), text)
  for (const key of Object.keys(more)) assert.ok(['details', 'action_required', 'retry_after'].includes(key), text)
  assert.equal(answer.headers.get('retry-after'), 'retry_after' in more ? String(more['retry_after']) : null, text)
  return error
}

/** Spec §2.1: ISO 8601, UTC, milliseconds. */
export function assertTime(value: unknown): asserts value is string {
  assert.ok(typeof value === 'string', `${value} is not a time`)
  assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(new Date(value).toISOString(), value)
}

export function assertKeys(value: object, expected: readonly string[]): void {
  assert.deepEqual(Object.keys(value).sort(), [...expected].sort())
}
