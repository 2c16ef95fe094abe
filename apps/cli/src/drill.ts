// The rehearsal of a restore: everything that a restore at night would do, in a scratch instance that is removed at the end.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkParts, type OpenBackup, openBackup } from '@roadworthy/platform/backup/read-backup'
import { type Restored, restoreDatabase } from '@roadworthy/platform/backup/restore-backup'
import { SECRET_KEY_FILE } from '@roadworthy/platform/backup/write-backup'
import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import { createFolderStore } from '@roadworthy/platform/history/file-store'
import { verifyFiles } from '@roadworthy/platform/history/verify-files'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { CommandFailure, exitCodes } from './failure.ts'
import { type Step, tryService } from './try-service.ts'

/** A scratch instance that a loss of power takes is made again. */
const SCRATCH_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_locks_per_transaction: '512',
  max_wal_size: '4GB',
}

export type Drilled = { readonly steps: readonly Step[]; readonly compared: Restored['compared']; readonly asOf: string }

export type Drill = {
  readonly backup: string
  readonly passphrase: string | undefined
  /** For a backup without a key. */
  readonly secretKey: string | undefined
  readonly scratch: Scratch
  readonly now: Date
  readonly signal: AbortSignal
  readonly note: (line: string) => void
  readonly onProgress: (share: number, name: string) => void
}

export type Scratch = { readonly folder: string; remove(): void }

/** Below `above`. Nobody else reads what is in it but for the account that PostgreSQL runs as, which enters its own cluster. */
export function makeScratch(above: string): Scratch {
  mkdirSync(above, { recursive: true })
  const folder = mkdtempSync(join(above, 'roadworthy-drill-'))
  chmodSync(folder, 0o711)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export async function drill(options: Drill): Promise<Drilled> {
  const { backup: folder, passphrase, onProgress, scratch, signal, note } = options
  const backup = await openBackup(folder, passphrase, await readMigrations(MIGRATIONS))
  const secretKey = requireKey(options, backup)
  await checkParts(backup, (share, name) => onProgress(share / 4, `checking ${name}`))
  const partCount = backup.manifest.tables.length + (backup.manifest.history.isIncluded ? backup.manifest.history.files.length : 0)
  const dataDir = join(scratch.folder, 'instance')
  mkdirSync(dataDir, { mode: 0o711 })
  const historyFolder = join(scratch.folder, 'history')
  mkdirSync(historyFolder, { mode: 0o700 })
  const server = await startEmbeddedPostgres({ dataDir, settings: SCRATCH_SETTINGS, log: note, signal })
  try {
    const restored = await restoreDatabase({
      ...{ backup, ownerUrl: server.url, secretKey, history: createFolderStore(historyFolder), migrationsDirectory: MIGRATIONS },
      ...{ comparison: 'reported', signal, onProgress: (share, name) => onProgress(0.25 + share * 0.6, name) },
    })
    onProgress(0.85, 'history')
    const history = await readHistory(backup, server.url, secretKey, historyFolder)
    onProgress(0.95, 'service')
    const service = await tryService({ ...options, databaseUrl: server.url, secretKey, historyFolder, dataDir })
    const files = { step: 'parts of the backup', isOk: true, detail: `${partCount} files as they were written` }
    return { steps: [files, describeRows(restored), history, ...service], compared: restored.compared, asOf: backup.manifest.snapshotAt }
  } finally {
    await server.stop()
    // Of a server whose account cannot enter the scratch folder.
    if (!server.dataPath.startsWith(scratch.folder)) rmSync(server.dataPath, { recursive: true, force: true })
  }
}

function requireKey({ secretKey }: Drill, backup: OpenBackup): string {
  const key = backup.keyFiles?.[SECRET_KEY_FILE] ?? secretKey
  if (key !== undefined) return key
  const fix = backup.manifest.keys === null ? 'The backup has no secret key: set SECRET_KEY.' : 'Give the passphrase of the backup.'
  throw new CommandFailure(`A drill starts the service on what it restores, which needs the secret key. ${fix}`, exitCodes.usage)
}

function describeRows({ compared = [], migrated }: Restored): Step {
  const different = compared.filter(({ isEqual }) => !isEqual)
  const rows = compared.reduce((sum, { found }) => sum + found.rowCount, 0)
  const further = migrated.length === 0 ? '' : `, then migrated ${migrated.length} steps further`
  return {
    step: 'rows of the database',
    isOk: different.length === 0,
    detail:
      different.length === 0
        ? `${rows} rows of ${compared.length} tables, counts and hashes as in the manifest${further}`
        : `${different.length} of ${compared.length} tables differ`,
  }
}

/** Reads every file whole, where DuckDB is installed; that their bytes are right has been checked before. */
async function readHistory({ manifest }: OpenBackup, ownerUrl: string, secretKey: string, folder: string): Promise<Step> {
  const step = 'files of the history'
  const count = manifest.history.files.length
  if (count === 0) return { step, isOk: true, detail: 'there are none' }
  if (!manifest.history.isIncluded) return { step, isOk: true, detail: `${count} files are not in the backup, and were not looked at` }
  const duckdb = await loadDuckdb()
  if (duckdb === undefined)
    return { step, isOk: true, detail: `${count} files, bytes as they were; not read, because DuckDB is not installed` }
  const database = openDatabase(databaseUrls(ownerUrl, secretKey), { appConnections: 1, systemConnections: 1, onError: () => {} })
  try {
    const problems: string[] = []
    for await (const { path, problem } of verifyFiles({ database, store: createFolderStore(folder), duckdb })) {
      if (problem !== undefined) problems.push(`${path}: ${problem}`)
    }
    return {
      step,
      isOk: problems.length === 0,
      detail: problems.length === 0 ? `${count} files, all readings as they were sealed` : problems.join('; '),
    }
  } finally {
    await database.close()
  }
}
