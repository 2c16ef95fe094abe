// A real PostgreSQL as a child of this service, from the programs that npm installed. It listens on loopback only, keeps everything it
// acknowledges, comes back by itself when it is killed, and never outlives a clean stop.

import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { lockFolder } from '../process/folder-lock.ts'
import { isAlive, isPostmasterOf } from '../process/process-identity.ts'
import { chooseAccount } from './postgres-account.ts'
import { prepareBinaries } from './postgres-binaries.ts'
import { ensureCluster, findHome, OWNER_ROLE, readPassword, resolveHome, sharedFolder } from './postgres-cluster.ts'
import { clearPostmaster, readPostmaster } from './postgres-postmaster.ts'
import { type PostgresServer, PostgresSupervisor } from './postgres-supervisor.ts'
import { resolveWalArchive, type WalArchive, walArchiveSettings } from './wal-archive.ts'

export type EmbeddedPostgres = {
  /** Connects as the owner of everything. Stays the same when the server is restarted after a crash. */
  url: string
  port: number
  /** The folder that holds the cluster, its password and its log. */
  dataPath: string
  /** What a person should know: where things are when they are not where one would look, and what was repaired. */
  notes: string[]
  /** Bounded at 4.5 s; leaves no process. Safe to call twice. */
  stop(): Promise<void>
  /** Asks the server to stop without waiting for its clients or for the end; nothing committed is lost. */
  force(): void
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  /** 0 or absent picks a free one. */
  port?: number
  log: (message: string) => void
  /** Gives up a start under way, and leaves no process. */
  signal?: AbortSignal
  /** Changes to the server's settings: for a restore, and for tests that need speed and no durability. */
  settings?: Record<string, string>
  /** Left out: the log is not archived. */
  walArchive?: WalArchive | 'as before' | undefined
  /** For a server that first reads its log, which may take hours. */
  readyWaitMs?: number
}

const DATABASE = 'roadworthy'

/**
 * Starts the server, creating the cluster on first use. A server that an earlier, killed service left running is stopped first. Throws
 * `FolderInUseError` when another living service holds the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const unlock = lockFolder(dataDir, join(dataDir, 'service.lock'))
  try {
    return await startLocked(dataDir, options, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * The owner's URL of the server that a service runs on this data folder right now, or `undefined` when none does. For programs beside the
 * service: starts nothing and writes nothing. Who cannot read the folder gets EACCES.
 */
export function findRunningPostgres(dataDir: string): string | undefined {
  if (!existsSync(dataDir) || !statSync(dataDir).isDirectory()) return undefined
  const homePath = findHome(realpathSync(dataDir))
  const clusterPath = join(homePath, 'cluster')
  const postmaster = readPostmaster(clusterPath)
  if (postmaster === undefined || !isAlive(postmaster.pid) || !isPostmasterOf(postmaster.pid, clusterPath)) return undefined
  return ownerUrl(homePath, postmaster.port, DATABASE)
}

function ownerUrl(homePath: string, port: number, database: string): string {
  return `postgresql://${OWNER_ROLE}:${encodeURIComponent(readPassword(homePath))}@127.0.0.1:${port}/${database}`
}

async function startLocked(dataDir: string, options: EmbeddedPostgresOptions, unlock: () => void): Promise<EmbeddedPostgres> {
  const { server, notes } = await prepareServer(dataDir, options)
  const cleared = await clearPostmaster(server.clusterPath)
  const supervisor = new PostgresSupervisor(server, options.log)
  const giveUp = () => void supervisor.stop()
  options.signal?.addEventListener('abort', giveUp, { once: true })
  options.signal?.throwIfAborted()
  const port = await supervisor.start(options.port ?? 0)
  const urlOf = (database: string): string => ownerUrl(server.homePath, port, database)
  try {
    await ensureDatabase(urlOf('postgres'))
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  // From here on the service stops in order: the database last, when nothing has anything left to write.
  options.signal?.removeEventListener('abort', giveUp)
  options.signal?.throwIfAborted()
  return {
    url: urlOf(DATABASE),
    port,
    dataPath: server.homePath,
    notes: cleared === undefined ? notes : [...notes, cleared],
    stop: () => supervisor.stop().finally(unlock),
    force: () => supervisor.force(),
  }
}

async function prepareServer(
  dataDir: string,
  { settings = {}, walArchive, readyWaitMs, signal }: EmbeddedPostgresOptions,
): Promise<{ server: PostgresServer; notes: string[] }> {
  const chosen = chooseAccount(join(dataDir, 'postgres', 'cluster'))
  const { homePath, notes } = resolveHome(dataDir, chosen)
  const clusterPath = join(homePath, 'cluster')
  const account = chosen === undefined ? undefined : chooseAccount(clusterPath)
  const binaries = prepareBinaries(account, () => (account === undefined ? homePath : sharedFolder(account)))
  const { initdb, version } = binaries
  await ensureCluster(homePath, { initdb, version, account, signal })
  const archive = resolveWalArchive(homePath, walArchive, account)
  const allSettings = { ...walArchiveSettings(archive), ...settings }
  const server = { clusterPath, homePath, postgres: binaries.postgres, account, settings: allSettings, readyWaitMs }
  return { server, notes: [...notes, ...binaries.notes] }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
