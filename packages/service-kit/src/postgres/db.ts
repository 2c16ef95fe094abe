// Connections to PostgreSQL. Two roles that own nothing: `roadworthy_app` sees only the resellers named in its transaction (row-level
// security), `roadworthy_system` sees all and is for what happens before or across tenants: looking up a key, scoring, housekeeping.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { pgTypes } from './pg-types.ts'
import type { StatementGate } from './statement-gate.ts'
import { type Before, type CopyStatement, TransactionQuery } from './transaction-query.ts'

export const APP_ROLE = 'roadworthy_app'
export const SYSTEM_ROLE = 'roadworthy_system'

export type Row = Record<string, unknown>
/** The one thing SQL modules ask for: a connection, or a pool, that runs a statement. */
export type Db = {
  query<R extends Row = Row>(
    statement: string | NamedStatement,
    values?: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number | null }>
}
/** Parsed and planned once a connection; for the few statements that run all the time. */
export type NamedStatement = { readonly name: string; readonly text: string }

const STATEMENT_TIMEOUT_MS = 5_000
/** Of each session. The roles have them too (`database-roles.ts`), because a pooler takes none from who connects. */
export const SESSION_TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
} as const
const ACQUIRE_TIMEOUT_MS = 2_000
/** While a process starts nobody waits for an answer, and a machine that starts everything at once has much to do. Assumption. */
export const ACQUIRE_WHILE_STARTING_MS = 10_000
const GOODBYE_MS = 500
/** SQLSTATE of a statement that ran into `statement_timeout`. */
const QUERY_CANCELED = '57014'
/** To each other node of a cluster, at most. */
export const NODE_CONNECTIONS = 4
/**
 * With `off`, which a server or a database may have as its default, COMMIT returns before anything is on disk. The other values are left as
 * they are: each flushes locally, and how long to wait for standbys is the operator's choice.
 */
const FLUSH_COMMITS = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`

export type NodeAddress = { readonly host: string; readonly port: number }

/** What is done with the rows of some resellers, and no others. */
export type TenantDatabase = Pick<Database, 'tenant' | 'tenantPool' | 'copyIn'>

/** Rows to be copied in, if any, and the statements that belong to them. */
export type CopyIn = {
  readonly copies: readonly CopyStatement[]
  readonly statement: NamedStatement
  /** In binary. */
  readonly values: readonly Buffer[]
  /** Runs before the statement, where there is any. */
  readonly beside?: { readonly text: string; readonly values: readonly Buffer[] } | undefined
}

export type Database = {
  /** Rows of one reseller (or of the few named), and no other. Rolls back when `run` throws. */
  tenant<T>(resellerIds: string | readonly string[], run: (db: Db) => Promise<T>): Promise<T>
  /** For single statements on the rows of these resellers: each is a transaction of its own, in one round trip where `tenant` takes three. */
  tenantPool(resellerIds: string | readonly string[]): Db
  /** One transaction in one round trip: rows of these resellers are copied into tables without policies, and the statements run; of each part in turn. */
  copyIn(resellerIds: string | readonly string[], parts: readonly CopyIn[]): Promise<void>
  /**
   * The same rows on another node of a Citus cluster, by connections of their own, which are opened when first used. `preamble`: a statement that each
   * transaction begins with; where it fails, the transaction does.
   */
  onNode(node: NodeAddress, preamble: string): TenantDatabase
  /** One transaction across resellers. Functions called with it have `AcrossResellers` in their name. */
  system<T>(run: (db: Db) => Promise<T>): Promise<T>
  /** Single statements across resellers, without a transaction. */
  readonly systemPool: Db
  /** The database's clock, which all processes share: what is compared with times that other processes wrote goes by it, never by one's own. */
  now(): Promise<Date>
  /** Whether a trivial statement is answered. */
  ping(): Promise<boolean>
  /** From now on a statement waits for a connection for as long as where nothing is set. */
  acquireInTime(): void
  close(): Promise<void>
}

export type DatabaseUrls = {
  /** To PostgreSQL itself, for what needs a session: migrations, and detaching partitions. */
  readonly owner: string
  readonly app: string
  readonly system: string
  /** As `app` and `system`, to PostgreSQL itself: for what needs a session, such as LISTEN. */
  readonly direct: { readonly app: string; readonly system: string }
  /** `app` and `system` lead to a pooler that gives a connection for a transaction only, as PgBouncer does in transaction mode. */
  readonly isPooled: boolean
}

/**
 * The two roles' URLs, from the owner's. Their passwords are derived from the secret key, so that replicas agree and nothing is stored. `poolerUrl`:
 * where the pooler is; its user and password are not used.
 */
export function databaseUrls(ownerUrl: string, secretKey: string, poolerUrl?: string): DatabaseUrls {
  const as = (role: string, at: string) => {
    const url = new URL(at)
    url.username = role
    url.password = rolePassword(role, secretKey)
    return url.href
  }
  const at = poolerUrl ?? ownerUrl
  const [app, system] = [as(APP_ROLE, at), as(SYSTEM_ROLE, at)]
  const direct = { app: as(APP_ROLE, ownerUrl), system: as(SYSTEM_ROLE, ownerUrl) }
  return { owner: ownerUrl, app, system, direct, isPooled: poolerUrl !== undefined }
}

export function rolePassword(role: string, secretKey: string): string {
  return createHmac('sha256', secretKey).update(`database role ${role}`).digest('base64url')
}

/** What PostgreSQL answers when it cannot write. */
export const storageSqlStates = {
  '53100': 'its disk is full',
  '58030': 'its disk fails',
  '25006': 'it is read-only',
} as const satisfies Record<string, string>
/** Whether a statement failed because the database cannot write at all. */
export function isStorageError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && code in storageSqlStates
}

export type StorageError = { readonly code: keyof typeof storageSqlStates; readonly message: string }

type DatabaseOptions = {
  readonly appConnections: number
  readonly systemConnections: number
  readonly onError: (error: Error) => void
  /** Called for every statement that failed because the database cannot write. */
  readonly onStorageError?: (error: StorageError) => void
  /** Of all statements but those on other nodes (`onNode`). */
  readonly gate?: StatementGate
  /** How long a statement may wait for a connection; two seconds unless set. */
  readonly acquireTimeoutMs?: number
}

export function openDatabase(urls: Pick<DatabaseUrls, 'app' | 'system'> & Partial<DatabaseUrls>, options: DatabaseOptions): Database {
  const { isPooled = false, direct = urls } = urls
  const nodePools = new Map<string, Pool>()
  let { acquireTimeoutMs = ACQUIRE_TIMEOUT_MS } = options
  const poolOfNode = ({ host, port }: NodeAddress): Pool => {
    const url = new URL(direct.app)
    url.host = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const known = nodePools.get(url.host)
    if (known !== undefined) return known
    const pool = createPool(url.href, NODE_CONNECTIONS, { ...options, acquireTimeoutMs, gate: undefined, isPooled: false })
    nodePools.set(url.host, pool)
    return pool
  }
  const appPool = createPool(urls.app, options.appConnections, { ...options, acquireTimeoutMs, isPooled })
  const systemPool = createPool(urls.system, options.systemConnections, { ...options, acquireTimeoutMs, isPooled })
  return {
    ...tenantDatabase(appPool),
    onNode: (node, preamble) => tenantDatabase(poolOfNode(node), preamble),
    system: (run) => inTransaction(systemPool, [], run),
    systemPool: dbOf(systemPool, systemPool),
    now: async () => {
      const { rows } = await systemPool.query<{ now: Date }>('select clock_timestamp() as now')
      return rows[0]?.now ?? assert.fail('a select without a table has one row')
    },
    ping: async () => {
      try {
        await systemPool.query('select 1')
        return true
      } catch {
        // The answer to "does it answer" is no; the reason is in the pool's own error log.
        return false
      }
    },
    acquireInTime: () => {
      acquireTimeoutMs = ACQUIRE_TIMEOUT_MS
      // Read by the pool whenever it is asked for a connection.
      for (const { options: ofPool } of [appPool, systemPool, ...nodePools.values()]) ofPool.connectionTimeoutMillis = acquireTimeoutMs
    },
    close: async () => {
      await Promise.all([appPool, systemPool, ...nodePools.values()].map(endPool))
    },
  }
}

function tenantDatabase(pool: Pool, preamble?: string): TenantDatabase {
  const preambleOf = (resellerIds: string | readonly string[]) =>
    preamble === undefined ? [setResellers(resellerIds)] : [setResellers(resellerIds), preamble]
  return {
    tenant: async (resellerIds, run) => await inTransaction(pool, preambleOf(resellerIds), run),
    tenantPool: (resellerIds) => {
      const before = preambleOf(resellerIds)
      return {
        query: async (statement, values) => {
          const refusal = pool.gate?.refusalOf(textOf(statement), values)
          if (refusal !== undefined) throw refusal
          return await inOneRoundTrip(pool, before, statement, values)
        },
      } as Db
    },
    copyIn: async (resellerIds, parts) => {
      for (const { statement, values } of parts) {
        const refusal = pool.gate?.refusalOf(statement.text, values)
        if (refusal !== undefined) throw refusal
      }
      const steps = parts.flatMap(({ copies, beside, statement, values }): Before[] => {
        const named = { name: pool.isPooled ? undefined : statement.name, text: statement.text, values }
        return [...copies, ...(beside === undefined ? [] : [beside]), named]
      })
      const { statement, values } = parts.at(-1) ?? assert.fail('nothing to copy in')
      await inOneRoundTrip(pool, [...preambleOf(resellerIds), ...steps.slice(0, -1)], statement, values)
    },
  }
}

type Pool = pg.Pool & {
  /** Statements are sent without their names: the connection that has parsed one is another transaction's by then. */
  isPooled: boolean
  gate: StatementGate | undefined
}

type PoolOptions = Pick<DatabaseOptions, 'onError' | 'onStorageError'> & {
  acquireTimeoutMs: number
  isPooled: boolean
  gate?: StatementGate | undefined
}

function createPool(connectionString: string, max: number, options: PoolOptions): Pool {
  const { onError, onStorageError, isPooled, gate, acquireTimeoutMs } = options
  const ofSession = {
    ...SESSION_TIMEOUTS,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(FLUSH_COMMITS)
    },
  }
  const opened = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 60_000,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    application_name: 'roadworthy',
    types: pgTypes,
    ...(isPooled ? {} : ofSession),
    // Statements need not wait for the answer to the one before; what is awaited one by one is unaffected.
    pipeline: true,
  })
  const pool = Object.assign(opened, { isPooled, gate })
  // A connection reports its death by this event even while it is in use and the statement under way is rejected as well. Without a
  // listener of its own it would end the process; the pool's event, for idle ones, reports the same once more.
  pool.on('connect', (client) => {
    client.on('error', onError)
    const { connection } = client as unknown as { connection: EventEmitter }
    // Whoever sent the statement: each sees only its own failure.
    connection.on('errorMessage', ({ code, message }: { code: string; message: string }) => {
      if (code in storageSqlStates) onStorageError?.({ code: code as StorageError['code'], message })
      if (code === QUERY_CANCELED) gate?.noteTimeout()
    })
  })
  pool.on('error', () => undefined)
  return pool
}

/**
 * `pool.end()` waits for the connections that are in use and not for the others, to which it only sends the end. Whoever stops the server
 * next would cut those off, which the server's log reports like a fault.
 */
async function endPool(pool: pg.Pool): Promise<void> {
  let openCount = pool.totalCount
  const { promise: allClosed, resolve } = Promise.withResolvers<void>()
  const onClosed = () => {
    if (--openCount <= 0) resolve()
  }
  pool.on('remove', onClosed)
  await pool.end()
  if (openCount <= 0) return
  // A server that is frozen never closes its side.
  const patience = setTimeout(resolve, GOODBYE_MS)
  await allClosed
  clearTimeout(patience)
}

/** `_operator` is the book of whoever runs the installation; no reseller can have that name. */
const RESELLER_ID = /^([a-z0-9-]{1,64}|_operator)$/

/** The setting ends with the transaction, so a pooled connection carries nothing over. */
function setResellers(resellers: string | readonly string[]): string {
  const resellerIds = typeof resellers === 'string' ? [resellers] : resellers
  for (const id of resellerIds) if (!RESELLER_ID.test(id)) throw new Error(`not a reseller id: ${JSON.stringify(id)}`)
  return `set local app.resellers = '{${resellerIds.join(',')}}'`
}

function dbOf(pool: Pool, target: pg.Pool | pg.PoolClient): Db {
  const db = target as unknown as Db
  const { isPooled, gate } = pool
  if (!isPooled && gate === undefined) return db
  return {
    query: (statement, values) => {
      const refusal = gate?.refusalOf(textOf(statement), values)
      if (refusal !== undefined) return Promise.reject(refusal)
      return db.query(isPooled ? textOf(statement) : statement, values)
    },
  }
}

function textOf(statement: string | NamedStatement): string {
  return typeof statement === 'string' ? statement : statement.text
}

async function inTransaction<T>(pool: Pool, before: readonly string[], run: (db: Db) => Promise<T>): Promise<T> {
  return await withClient(pool, async (client) => {
    await client.query(['begin', ...before].join('; '))
    const result = await run(dbOf(pool, client))
    await client.query('commit')
    return result
  })
}

/** What `run` leaves open when it throws is rolled back. */
async function withClient<T>(pool: Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    const result = await run(client)
    client.release()
    return result
  } catch (error) {
    if (isUnanswered(error)) pool.gate?.noteTimeout()
    // What did not answer in time would not answer a rollback either: the coordinator of a cluster ends the transaction only when the node that hangs goes on.
    // Cut off, the transaction rolls back by itself.
    if (isUnanswered(error) || isCanceled(error)) client.release(error)
    else await rollBack(client)
    throw error
  }
}

async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch (rollbackError) {
    // The connection is gone and its transaction with it; the error that led here is the one to report.
    client.release(rollbackError as Error)
  }
}

/** Within a transaction: what `run` did is undone where it throws, and the transaction goes on. */
export async function inSavepoint<T>(db: Db, run: () => Promise<T>): Promise<T> {
  await db.query('savepoint part')
  try {
    const result = await run()
    await db.query('release savepoint part')
    return result
  } catch (error) {
    if (isUnanswered(error)) throw error
    await db.query('rollback to savepoint part; release savepoint part')
    throw error
  }
}

async function inOneRoundTrip(pool: Pool, before: readonly Before[], statement: string | NamedStatement, values?: readonly unknown[]) {
  const text = textOf(statement)
  const name = typeof statement === 'string' ? undefined : statement.name
  return await withClient(pool, async (client) => {
    const query = new TransactionQuery<Awaited<ReturnType<Db['query']>>>(before, { name: pool.isPooled ? undefined : name, text, values })
    client.query(query as unknown as pg.Submittable)
    return await query.result
  })
}

/** The settings of the server with which a commit that was acknowledged can be lost, as `name=value`. Only its operator can change them. */
export async function findDurabilityRisks(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name`,
  )
  return rows.map(({ name }) => `${name}=off`)
}

/** Whether a statement was given up because nothing came back within `query_timeout`. pg gives this error no code. */
function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Whether the server gave a statement up after `statement_timeout`. */
function isCanceled(error: unknown): error is Error {
  return (error as { code?: unknown }).code === QUERY_CANCELED
}

/** Whether an error is the violation of the named unique constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && (constraint === undefined || violated === constraint)
}

/** Whether an error is a row that others refer to, or one that refers to nothing. */
export function isForeignKeyViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23503'
}
