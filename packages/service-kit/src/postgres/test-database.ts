// A fresh PostgreSQL database for each test file, cloned from a migrated template. One server serves a whole `npm test`; a file run
// alone with `node --test` starts its own and stops it afterwards.

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { readPostmaster } from './postgres-postmaster.ts'

export type TestDatabase = {
  /** Connects as the owner, like `DATABASE_URL`. */
  url: string
  name: string
}

export type TestDatabaseOptions = {
  /** Brings an empty database to the current schema. Called once per template and server; it must close its connections. */
  migrate?: (url: string) => Promise<void>
  /** Names the template, for test files that need one of their own beside the migrated schema. */
  template?: string
}

/** What the helper needs of a test or of the `node:test` module: somewhere to put its clean-up. */
export type CleanUp = { after(cleanUp: () => Promise<void>): void }

/** Loses everything in a power cut, which a test does not survive either; ingest tests measure behaviour, not the disk. */
const TEST_SETTINGS = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300', shared_buffers: '64MB' },
  // It would come at a moment that no test knows: it makes other plans of the same statements, and holds locks that somebody is to have at once.
  autovacuum: 'off',
}

/** Where Linux keeps files in memory. A database that is cloned there takes a tenth of the processor's time of one on a disk. */
const MEMORY_FOLDER = '/dev/shm'

/** The largest databases of tests have less than half of this. Containers have 64 MB by default. */
const MIN_MEMORY_FOLDER_BYTES = 4 * 1024 ** 3

/** Names of databases have 63 bytes. */
const MAX_NAME_LENGTH = 40

let ownServer: Promise<TestServer> | undefined

export type TestServer = {
  url: string
  /** For temporary files of tests: in memory, where there is room. Removed with the server. */
  temporaryFolder: string
  stop(): Promise<void>
}

/**
 * A database of its own, dropped after the test or file that asked. `createTestDatabase({ after }, …)` with `after` of `node:test`
 * shares it among the tests of a file.
 */
export async function createTestDatabase(t: CleanUp, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL ?? (await ownServerOfThisProcess()).url
  const template = await ensureTemplate(serverUrl, options)
  const name = `test_${nameOfTestFile()}_${randomBytes(6).toString('hex')}`
  await onEveryNode(serverUrl, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  t.after(async () => {
    await onEveryNode(serverUrl, (client) => dropDatabase(client, name))
  })
  return { url: withDatabase(serverUrl, name), name }
}

/** Of the file that calls, for who reads the log of a server that many files share. */
function nameOfTestFile(): string {
  const [, name = 'of_no_file'] = /([\w.-]+)\.test\.ts/.exec(new Error().stack ?? '') ?? []
  return name.replaceAll(/\W/g, '_').slice(0, MAX_NAME_LENGTH)
}

/** A throw-away server in a temporary folder. `npm test` holds one for the whole run. */
export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), 'roadworthy-test-'))
  // Run as root, the server belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  let server: EmbeddedPostgres
  try {
    server = await startEmbeddedPostgres({ dataDir: folder, log: (message) => console.error(message), settings: TEST_SETTINGS })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const reaper = startReaper(server, folder)
  const temporaryFolder = join(folder, 'tmp')
  mkdirSync(temporaryFolder)
  // As /tmp: programs of several accounts write there.
  chmodSync(temporaryFolder, 0o1777)
  return {
    url: server.url,
    temporaryFolder,
    stop: async () => {
      await server.stop()
      reaper.kill()
      if (!server.dataPath.startsWith(folder)) rmSync(server.dataPath, { recursive: true, force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MIN_MEMORY_FOLDER_BYTES
}

/**
 * Ends the server and removes its folder when this process is killed and cannot. The reaper waits for the end of its standard input,
 * which the kernel brings about however this process dies.
 */
function startReaper(server: EmbeddedPostgres, folder: string): ChildProcess {
  const pid = readPostmaster(join(server.dataPath, 'cluster'))?.pid ?? 0
  const script = 'cat > /dev/null; kill -QUIT "$1" 2> /dev/null; sleep 1; rm -rf "$2" "$3"'
  const reaper = spawn('/bin/sh', ['-c', script, 'sh', String(pid), server.dataPath, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  reaper.unref()
  ;(reaper.stdin as Socket).unref()
  return reaper
}

/** Several test processes ask at once; an advisory lock lets one build the template while the others wait for it. */
async function ensureTemplate(serverUrl: string, { migrate, template }: TestDatabaseOptions): Promise<string> {
  if (migrate === undefined && !isTestCluster()) return 'template0'
  const name = `template_${createHash('sha256')
    .update(template ?? (migrate === undefined ? 'empty' : 'migrated'))
    .digest('hex')
    .slice(0, 12)}`
  await onServer(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', ['roadworthy test templates'])
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 1) return
    const draft = `${name}_draft`
    await onEveryNode(serverUrl, async (node) => {
      await node.query(`drop database if exists ${draft} with (force)`)
      await node.query(`create database ${draft} template template0`)
    })
    if (isTestCluster()) await joinNodes(serverUrl, draft)
    await migrate?.(withDatabase(serverUrl, draft))
    // The coordinator first: its maintenance daemon, which looks at the workers, is gone before they are closed.
    if (isTestCluster()) await onServer(serverUrl, (coordinator) => endSessions(coordinator, draft))
    await onEveryNode(serverUrl, async (node) => {
      if (isTestCluster()) await endSessions(node, draft)
      await node.query(`alter database ${draft} rename to ${name}`)
    })
  })
  return name
}

/** Whether tests run on a Citus cluster: `TEST_DATABASE_URL` is its coordinator, and `TEST_DATABASE_WORKERS` are the URLs of its workers. */
export function isTestCluster(): boolean {
  return process.env.TEST_DATABASE_WORKERS !== undefined
}

/** The coordinator, and the workers where there are any: a database of a cluster is one of the same name on each. */
async function onEveryNode(serverUrl: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const workers = process.env.TEST_DATABASE_WORKERS?.split(',') ?? []
  await Promise.all([serverUrl, ...workers].map((url) => onServer(url, work)))
}

const DROP_ATTEMPTS = 5

/** The background worker of Citus may come back between the end of its session and the drop. */
async function dropDatabase(client: Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`drop database if exists ${name} with (force)`)
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55006' || attempt === DROP_ATTEMPTS) throw error
    }
  }
}

async function joinNodes(serverUrl: string, database: string): Promise<void> {
  await onEveryNode(serverUrl, ({ host, port }) =>
    onServer(withDatabase(`postgresql://postgres@${host}:${port}`, database), (client) => client.query('create extension citus')),
  )
  await onServer(withDatabase(serverUrl, database), async (client) => {
    const { hostname, port } = new URL(serverUrl)
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
    for (const url of process.env.TEST_DATABASE_WORKERS?.split(',') ?? []) {
      const worker = new URL(url)
      await client.query('select citus_add_node($1, $2)', [worker.hostname, Number(worker.port)])
    }
  })
}

/** A database in which Citus keeps a background worker cannot be copied. Nobody may connect to it from now on. */
async function endSessions(node: Client, database: string): Promise<void> {
  await node.query(`alter database ${database} with allow_connections false`)
  for (let left = 1; left > 0; ) {
    const { rows } = await node.query<{ left: number }>(
      'select count(pg_terminate_backend(pid, 1000))::int as left from pg_stat_activity where datname = $1',
      [database],
    )
    left = rows[0]?.left ?? 0
  }
}

/** Kept until the tests of this process are over and nothing else is left to do. */
function ownServerOfThisProcess(): Promise<TestServer> {
  ownServer ??= startTestServer().then((server) => {
    process.once('beforeExit', () => void server.stop())
    return server
  })
  return ownServer
}

async function onServer<T>(serverUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
