// A fresh PostgreSQL database for each test file, cloned from a migrated template. One server serves a whole `npm test`; a file run
// alone with `node --test` starts its own and stops it afterwards.

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
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
const TEST_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300', shared_buffers: '64MB' }

/** Where Linux keeps files in memory. A database that is cloned there takes a tenth of the processor's time of one on a disk. */
const MEMORY_FOLDER = '/dev/shm'

/** The largest databases of tests have less than half of this. Containers have 64 MB by default. */
const MIN_MEMORY_FOLDER_BYTES = 4 * 1024 ** 3

let ownServer: Promise<TestServer> | undefined

export type TestServer = { url: string; stop(): Promise<void> }

/**
 * A database of its own, dropped after the test or file that asked. `createTestDatabase({ after }, …)` with `after` of `node:test`
 * shares it among the tests of a file.
 */
export async function createTestDatabase(t: CleanUp, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL ?? (await ownServerOfThisProcess()).url
  const template = await ensureTemplate(serverUrl, options)
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(serverUrl, (client) => client.query(`create database ${name} template ${template}`))
  t.after(async () => {
    await onServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
  })
  return { url: withDatabase(serverUrl, name), name }
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
  return {
    url: server.url,
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
  if (migrate === undefined) return 'template0'
  const name = `template_${createHash('sha256')
    .update(template ?? 'migrated')
    .digest('hex')
    .slice(0, 12)}`
  await onServer(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', ['roadworthy test templates'])
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 1) return
    const draft = `${name}_draft`
    await client.query(`drop database if exists ${draft} with (force)`)
    await client.query(`create database ${draft} template template0`)
    await migrate(withDatabase(serverUrl, draft))
    await client.query(`alter database ${draft} rename to ${name}`)
  })
  return name
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
