// For tests only: a migrated database of their own, opened as the service opens it.

import path from 'node:path'
import { type Database, databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import { type CleanUp, createTestDatabase, isTestCluster } from '@roadworthy/service-kit/postgres/test-database'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import pg from 'pg'
import { distribute } from './cluster/distribute.sql.ts'
import { defaultGroupCommitLimits, type GroupCommit } from './ingest/group-commit.ts'
import { createReadingStore } from './ingest/reading-store.ts'
import { createPartition, selectPartitions } from './main/database/partitions.sql.ts'
import type { Reading } from './readings/reading.ts'
import { ensureReadingPartitions } from './readings/readings.sql.ts'

export const TEST_SECRET_KEY = 'test secret key, 32 characters or more'
const MIGRATIONS = path.join(import.meta.dirname, '../migrations')
/** On a machine that is busy with other tests a new connection takes longer than the service waits for one. What is refused then is no fault of the test. */
const ACQUIRE_TIMEOUT_MS = 60_000

export type TestPlatformDatabase = { readonly database: Database; readonly ownerUrl: string }

/**
 * Closed and dropped after the test (or file: pass `{ after }` of `node:test`). Partitions of readings cover 40 days around now, and around `at`
 * where it is given.
 */
export async function openTestDatabase(t: CleanUp, at?: Date): Promise<TestPlatformDatabase> {
  const dropDatabase: (() => Promise<void>)[] = []
  const { url } = await createTestDatabase({ after: (cleanUp) => dropDatabase.push(cleanUp) }, { migrate: prepareTemplate })
  const database = openTestPools(url)
  t.after(async () => {
    await database.close()
    for (const drop of dropDatabase) await drop()
  })
  if (at !== undefined) await ensurePartitionsAround(database, at)
  return { database, ownerUrl: url }
}

/** What each database begins with: copying the partitions is cheaper than making them again for every test. */
export async function prepareTemplate(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl, { directory: MIGRATIONS, secretKey: TEST_SECRET_KEY })
  // Two on each of two workers: every database of a test is made of files.
  if (isTestCluster()) await distribute(ownerUrl, { shardCount: 4 })
  const database = openTestPools(ownerUrl)
  try {
    await ensurePartitionsAround(database, new Date())
    // Their clocks are anywhere.
    for (const table of ['health_history', 'vehicle_use', 'events', 'audit_log', 'webhook_attempts']) {
      const [last] = (await selectPartitions(database.systemPool, table)).slice(-1)
      if (last !== undefined) await createPartition(database.systemPool, table, last.to, new Date('2100-01-04T00:00:00Z'))
    }
  } finally {
    await database.close()
  }
}

/** As `openDatabase`, for what a test itself asks of a database. */
export const openDatabasePatiently: typeof openDatabase = (urls, options) =>
  openDatabase(urls, { acquireTimeoutMs: ACQUIRE_TIMEOUT_MS, ...options })

function openTestPools(ownerUrl: string): Database {
  return openDatabasePatiently(databaseUrls(ownerUrl, TEST_SECRET_KEY), {
    appConnections: 4,
    systemConnections: 2,
    onError: (error) => console.error('idle connection failed:', error.message),
  })
}

async function ensurePartitionsAround(database: Database, at: Date): Promise<void> {
  const days = (count: number) => new Date(at.getTime() + count * 86_400_000)
  await ensureReadingPartitions(database.systemPool, days(-40), days(40))
}

/** For tests of what is so on one PostgreSQL only; `why` names what is otherwise on a cluster. */
export function onOnePostgres(why: string): { readonly skip: string | false } {
  return { skip: isTestCluster() && `on a cluster ${why}` }
}

export const onACluster = { skip: !isTestCluster() && 'needs a cluster (npm run test:citus)' }

const stores = new WeakMap<Database, GroupCommit>()

/** Stores readings as ingest does once it has judged them, on one PostgreSQL or on the nodes of a cluster. */
export async function storeReadings(database: Database, readings: readonly Reading[]): Promise<void> {
  const onUnstorable = (error: unknown) => {
    throw error
  }
  const store = stores.get(database) ?? createReadingStore({ database, limits: defaultGroupCommitLimits, onUnstorable })
  stores.set(database, store)
  await store.store({ readings })
}

/** A reseller to own what a test makes. */
export async function insertReseller(database: Database, resellerId: string): Promise<string> {
  await database.systemPool.query('insert into resellers (reseller_id, name) values ($1, $1)', [resellerId])
  return resellerId
}

/** A session of the owner, for tests that need one to hold locks. Ended after the test. */
export async function connectAsOwner(t: CleanUp, ownerUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl, statement_timeout: 120_000 })
  await client.connect()
  t.after(() => client.end())
  return client
}

const MAX_REPEATS = 200

/**
 * As clients do: what is answered with 503 is asked again. Of a hundred calls at once, some wait longer for a connection than is allowed when the machine
 * is busy.
 */
export async function untilTaken<A extends { readonly status: number }>(ask: () => Promise<A>): Promise<A> {
  let answer = await ask()
  for (let repeats = 0; repeats < MAX_REPEATS && answer.status === 503; repeats++) answer = await ask()
  return answer
}

/** The same of what is called directly, and fails where it would be answered with 503. */
export async function untilNoOutage<T>(run: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await run()
    } catch (error) {
      if (repeats === MAX_REPEATS || !isOutage(error)) throw error
    }
  }
}
