// The cluster on disk: where it lives, how it is created in one step, and the settings it runs with.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, asAccount, canEnter, chooseAccount } from './postgres-account.ts'

/** Superuser and owner of everything in the cluster. The API connects as a lesser role that the migrations make. */
export const OWNER_ROLE = 'roadworthy'

/** Grows when the arrangement of files in the home folder changes in a way older code cannot read. */
const LAYOUT_VERSION = 1

const INITDB_TIMEOUT_MS = 60_000

const run = promisify(execFile)

export type ClusterOptions = {
  /** The path of the program. */
  readonly initdb: string
  readonly account: Account | undefined
  readonly signal?: AbortSignal | undefined
}

/** Where root may keep what another account must reach, in order: survives a restart of the machine, then survives on most. */
const SHARED_FOLDERS = ['/var/lib/roadworthy', '/var/tmp/roadworthy']

/**
 * Durability is PostgreSQL's default and is spelled out because an acknowledgement rests on it (DESIGN §4). The rest is for one small
 * machine: 128 MB of buffers, connections for the roles of one process, and a write-ahead log long enough that ingest at full rate
 * does not force a checkpoint every few seconds, yet short enough that recovery after a kill stays within seconds. Until autovacuum has
 * looked at a table for the first time PostgreSQL plans blindly: with ten thousand vehicles just registered a list took over 5 s.
 */
const SETTINGS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  max_connections: '60',
  wal_buffers: '16MB',
  min_wal_size: '256MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  autovacuum_naptime: '10s',
  timezone: "'UTC'",
  log_timezone: "'UTC'",
  log_min_messages: 'log',
  log_checkpoints: 'off',
  password_encryption: "'scram-sha-256'",
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
}

/**
 * The folder that holds the cluster, its password and its log. It is `<dataDir>/postgres`, unless the server's account cannot enter
 * that (a clone in a home closed to others, run as root): then it is a folder of its own outside, and `<dataDir>/postgres/location`
 * names it.
 */
export function resolveHome(dataDir: string, account: Account | undefined): { homePath: string; notes: string[] } {
  const inside = join(dataDir, 'postgres')
  const locationPath = join(inside, 'location')
  mkdirSync(inside, { recursive: true, mode: 0o755 })
  if (existsSync(locationPath)) {
    const homePath = findHome(dataDir)
    if (!existsSync(homePath)) throw new Error(`${locationPath} states that the database is in ${homePath}, which is not there.`)
    return { homePath, notes: [`PostgreSQL's data is in ${homePath}, as stated in ${locationPath}`] }
  }
  if (account === undefined || existsSync(join(inside, 'cluster')) || canEnter(account, inside)) return { homePath: inside, notes: [] }

  const homePath = join(sharedFolder(account), `data-${randomBytes(6).toString('hex')}`)
  mkdirSync(homePath, { mode: 0o755 })
  writeFileSync(join(homePath, 'origin'), `${dataDir}\n`)
  writeFileSync(locationPath, `${homePath}\n`)
  return { homePath, notes: [`PostgreSQL runs as ${account.name}, who cannot enter ${dataDir}: its data is in ${homePath}`] }
}

/** Where `resolveHome` put it, for those who only look. */
export function findHome(dataDir: string): string {
  const inside = join(dataDir, 'postgres')
  const locationPath = join(inside, 'location')
  return existsSync(locationPath) ? readFileSync(locationPath, 'utf8').trim() : inside
}

/** A folder outside the clone that the account can enter and that nobody but root could have prepared. */
export function sharedFolder(account: Account): string {
  for (const folder of SHARED_FOLDERS) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 })
      const { uid, mode } = statSync(folder)
      const isClosedToOthers = (mode & 0o022) === 0
      if (uid === 0 && isClosedToOthers && canEnter(account, folder)) return folder
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOSPC' && code !== 'ENOTDIR') throw error
    }
  }
  throw new Error(
    `${account.name} can enter none of ${SHARED_FOLDERS.join(', ')}. Choose a --data-dir outside closed folders, or set DATABASE_URL.`,
  )
}

/** Creates the cluster when there is none, and checks that an existing one is of the version these programs can open. */
export async function ensureCluster(
  homePath: string,
  { version, ...options }: ClusterOptions & { readonly version: string },
): Promise<void> {
  removeUnfinished(homePath)
  const clusterPath = join(homePath, 'cluster')
  if (!existsSync(clusterPath)) await createCluster(homePath, options)
  const clusterMajor = readFileSync(join(clusterPath, 'PG_VERSION'), 'utf8').trim()
  const major = version.split('.')[0]
  if (clusterMajor !== major) {
    throw new Error(
      `${clusterPath} was written by PostgreSQL ${clusterMajor} and this is PostgreSQL ${major}. ` +
        'Dump it with the earlier release and restore it here, or choose an empty --data-dir.',
    )
  }
  const layout = JSON.parse(readFileSync(join(homePath, 'layout.json'), 'utf8')) as { version: number }
  if (layout.version > LAYOUT_VERSION) {
    throw new Error(
      `${homePath} was written by a later release of Roadworthy (layout ${layout.version}). Run that release, or choose another --data-dir.`,
    )
  }
}

export function readPassword(homePath: string): string {
  return readFileSync(join(homePath, 'password'), 'utf8').trim()
}

/** Written anew at every start: the settings belong to the release. `postgresql.local.conf` beside it is the owner's and wins. */
export function writeSettings(clusterPath: string, port: number, overrides: Record<string, string>, account: Account | undefined): void {
  const lines = Object.entries({ ...SETTINGS, ...overrides, port: String(port) }).map(([name, value]) => `${name} = ${value}`)
  const header = '# Written by Roadworthy at every start. Put changes of your own in postgresql.local.conf.\n'
  const include = existsSync(join(clusterPath, 'postgresql.local.conf')) ? "include 'postgresql.local.conf'\n" : ''
  write(join(clusterPath, 'postgresql.conf'), `${header}${lines.join('\n')}\n${include}`, account)
  write(join(clusterPath, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n', account)
}

/** `initdb` works in a folder of another name that is renamed when it is whole, so a kill in the middle leaves nothing half made. */
async function createCluster(homePath: string, { initdb, account, signal }: ClusterOptions): Promise<void> {
  const draftPath = join(homePath, `.unfinished-${process.pid}`)
  const passwordDraft = `${draftPath}.password`
  const password = randomBytes(24).toString('base64url')
  mkdirSync(draftPath, { mode: 0o700 })
  write(passwordDraft, password, account)
  if (account !== undefined) chownSync(draftPath, account.uid, account.gid)
  const args = [
    ['-D', draftPath],
    ['-U', OWNER_ROLE],
    ['--pwfile', passwordDraft],
    ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
  ].flat()
  try {
    await run(initdb, args, {
      ...asAccount(account),
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      timeout: INITDB_TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    rmSync(draftPath, { recursive: true, force: true })
    signal?.throwIfAborted()
    const { stderr = '', message } = error as { stderr?: string; message: string }
    const reason = stderr.trim() || message
    // A container run with a bare user id, for which the image has no account.
    const isNameless = reason.includes('could not look up effective user ID')
    const fix = isNameless ? ' Run as a user that /etc/passwd knows, or set DATABASE_URL.' : ''
    throw new Error(`The database in ${homePath} could not be created: ${reason}.${fix}`)
  } finally {
    rmSync(passwordDraft, { force: true })
  }
  nameCluster(homePath, draftPath, password)
}

/** The last step of making a cluster: from here on it is one. */
function nameCluster(homePath: string, draftPath: string, password: string): void {
  writeFileSync(join(homePath, 'password'), `${password}\n`, { mode: 0o600 })
  chmodSync(join(homePath, 'password'), 0o600)
  writeFileSync(join(homePath, 'layout.json'), `${JSON.stringify({ version: LAYOUT_VERSION })}\n`)
  renameSync(draftPath, join(homePath, 'cluster'))
}

/** As whom the cluster of a data folder is run; undefined: as the user of this process. */
export function accountOf(dataDir: string): Account | undefined {
  return chooseAccount(join(findHome(dataDir), 'cluster'))
}

/** A cluster from a copy of the files of another, whose owner's password this is. `fill` copies them into the folder that it is given. */
export async function placeCluster(dataDir: string, password: string, fill: (clusterPath: string) => Promise<void>): Promise<void> {
  const { homePath } = resolveHome(dataDir, chooseAccount(join(dataDir, 'postgres', 'cluster')))
  const account = chooseAccount(join(homePath, 'cluster'))
  removeUnfinished(homePath)
  const draftPath = join(homePath, `.unfinished-${process.pid}`)
  mkdirSync(draftPath, { mode: 0o700 })
  await fill(draftPath)
  if (account !== undefined) {
    for (const name of ['.', ...readdirSync(draftPath, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(draftPath, name), account.uid, account.gid)
    }
  }
  nameCluster(homePath, draftPath, password)
}

function removeUnfinished(homePath: string): void {
  for (const name of readdirSync(homePath)) {
    // An initdb whose service was killed may still be writing there for a moment, hence the retries.
    if (name.startsWith('.unfinished-')) rmSync(join(homePath, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

/** Files inside the cluster must belong to the server's account, whoever writes them. */
function write(path: string, content: string, account: Account | undefined): void {
  const draft = join(dirname(path), `.${process.pid}.draft`)
  writeFileSync(draft, content, { mode: 0o600 })
  if (account !== undefined) chownSync(draft, account.uid, account.gid)
  renameSync(draft, path)
}
