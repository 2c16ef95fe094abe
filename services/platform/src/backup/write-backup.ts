// Makes a backup: a folder that appears under its name when it is whole.

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { checkValue } from '@roadworthy/service-kit/database-roles'
import type { Migration } from '@roadworthy/service-kit/migrate'
import type { FileStore } from '../history/file-store.ts'
import { BackupProblem } from './backup-problem.ts'
import { knownTables } from './known-tables.ts'
import { checkOf, FORMAT, FORMAT_VERSION, MANIFEST, MANIFEST_CHECK, type Manifest, type TableEntry } from './manifest.ts'
import { copyPart, flush, writePart } from './part-file.ts'
import { checkPassphrase, type KeyFiles, sealKeys } from './passphrase.ts'
import { RowsDigest } from './rows-digest.ts'
import { openSnapshot, type Snapshot, type TableFacts } from './snapshot.sql.ts'

/** The fastest: a backup is made beside a service that needs the processors more than the disk needs the last third. */
const GZIP_LEVEL = 1

export type BackupRequest = {
  readonly ownerUrl: string
  /** Of the installation. Undefined: not known here, which only a backup without the key can be made with. */
  readonly secretKey: string | undefined
  /** Where nothing is yet. */
  readonly to: string
  /** Undefined: neither the key nor the credentials are in the backup. */
  readonly passphrase: string | undefined
  /** Beside the key. */
  readonly keyFiles: KeyFiles
  /** Undefined: none is set. */
  readonly history: FileStore | undefined
  /** Their names and hashes are in the manifest all the same. */
  readonly isHistoryLeftOut: boolean
  readonly productVersion: string
  readonly migrations: readonly Migration[]
  readonly now: Date
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export type MadeBackup = { readonly folder: string; readonly bytes: number; readonly manifest: Manifest }

export const SECRET_KEY_FILE = 'secret-key'

export async function writeBackup(request: BackupRequest): Promise<MadeBackup> {
  if (request.passphrase !== undefined) checkPassphrase(request.passphrase)
  if (existsSync(request.to)) throw new BackupProblem(`${request.to} is there already. A backup replaces nothing: choose another name.`)
  const above = path.dirname(request.to)
  await mkdir(above, { recursive: true })
  const draft = await mkdtemp(`${request.to}.unfinished-`)
  try {
    const manifest = await fill(draft, request)
    await flushFolders(draft)
    await rename(draft, request.to)
    await flush(above)
    const parts = [...manifest.tables, ...(manifest.history.isIncluded ? manifest.history.files : [])]
    return { folder: request.to, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), manifest }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    request.signal?.throwIfAborted()
    const { code } = error as { code?: unknown }
    if (code === 'ENOSPC') throw new BackupProblem(`The disk of ${above} is full. Nothing was kept.`, { cause: error })
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      throw new BackupProblem(`${request.to} appeared meanwhile, and is left as it is.`, { cause: error })
    throw error
  }
}

async function fill(draft: string, request: BackupRequest): Promise<Manifest> {
  const snapshot = await openSnapshot(request.ownerUrl, request.secretKey)
  try {
    refuseNewer(snapshot, request.migrations)
    const keys = request.passphrase === undefined ? undefined : await sealKeys(request.passphrase, requireKeyFiles(snapshot, request))
    const { included, notIncluded } = divide(snapshot, request.migrations)
    // First: a file that has been replaced is deleted two hours later.
    await copyHistory(draft, snapshot, request)
    const tables: TableEntry[] = []
    for (const [nth, table] of included.entries()) {
      request.onProgress?.(nth / included.length, table.name)
      tables.push(await copyTable(draft, snapshot, table, request.signal))
    }
    const manifest: Manifest = {
      ...{ format: FORMAT, formatVersion: FORMAT_VERSION, productVersion: request.productVersion, madeAt: request.now.toISOString() },
      ...{ snapshotAt: snapshot.at, postgresVersion: snapshot.postgresVersion, migrations: [...snapshot.migrations] },
      ...{ tables, sequences: [...snapshot.sequences] },
      history: { isIncluded: !request.isHistoryLeftOut, files: [...snapshot.historyFiles] },
      keys: keys?.box ?? null,
      notIncluded: [...notIncluded, ...leftOut(request, snapshot)],
    }
    const text = `${JSON.stringify(manifest, undefined, 2)}\n`
    await writePart(path.join(draft, MANIFEST), [streamOf(text)])
    await writePart(path.join(draft, MANIFEST_CHECK), [streamOf(checkOf(text, keys?.sign(text) ?? null))])
    return manifest
  } finally {
    await snapshot.close()
  }
}

/** A newer version may have tables that this one would leave out. */
function refuseNewer({ migrations }: Snapshot, known: readonly Migration[]): void {
  const newer = migrations.find(({ name }) => !known.some((each) => each.name === name))
  if (newer === undefined) return
  throw new BackupProblem(`The database was migrated by a newer version (${newer.name}). Make its backup with that version's roadworthy.`)
}

function requireKeyFiles({ keyCheckValue }: Snapshot, { secretKey, keyFiles }: BackupRequest): KeyFiles {
  if (secretKey === undefined)
    throw new BackupProblem('The secret key is not known here: set SECRET_KEY, or leave it out with --without-secret-key.')
  if (keyCheckValue !== undefined && checkValue(secretKey) !== keyCheckValue) {
    throw new BackupProblem(
      'The secret key given here is not the one of this database, which the backup would be useless with. Set SECRET_KEY to that one.',
    )
  }
  return { ...keyFiles, [SECRET_KEY_FILE]: secretKey }
}

function divide({ tables }: Snapshot, migrations: readonly Migration[]) {
  const known = knownTables(migrations)
  // The manifest has the migrations, and a restore records them as it applies them.
  const included = tables.filter(({ name, isUnlogged }) => known.has(name) && !isUnlogged && name !== 'schema_migrations')
  const notIncluded = tables.flatMap(({ name, isUnlogged }) => {
    if (isUnlogged) return [{ what: `rows of ${name}`, why: 'they are short-lived: PostgreSQL itself drops them after a crash' }]
    return known.has(name) ? [] : [{ what: `table ${name}`, why: 'Roadworthy has no such table: it is a detached partition, or your own' }]
  })
  return { included, notIncluded }
}

function leftOut({ passphrase, isHistoryLeftOut }: BackupRequest, { historyFiles }: Snapshot): Manifest['notIncluded'] {
  const history = `${historyFiles.length} files of the history`
  return [
    ...(passphrase === undefined
      ? [{ what: 'the secret key', why: 'no passphrase was given. Without the key, what is encrypted in the database cannot be read' }]
      : []),
    ...(isHistoryLeftOut && historyFiles.length > 0
      ? [{ what: history, why: 'they were to be left out. Readings in them are not in the backup' }]
      : []),
    { what: 'settings, and the folders map and demo files of the data folder', why: 'they are yours to keep, or made anew' },
  ]
}

async function copyTable(draft: string, snapshot: Snapshot, table: TableFacts, signal: AbortSignal | undefined): Promise<TableEntry> {
  const file = `tables/${table.name}.copy.gz`
  const rows = new RowsDigest()
  const written = await writePart(path.join(draft, file), [snapshot.copyOut(table), rows, createGzip({ level: GZIP_LEVEL })], signal)
  const { name, columns, isPartitioned, partitions } = table
  return {
    name,
    columns: [...columns],
    rowCount: rows.rowCount,
    rowsDigest: rows.digest,
    file,
    ...written,
    isPartitioned,
    partitions: [...partitions],
  }
}

async function copyHistory(draft: string, { historyFiles }: Snapshot, { history, isHistoryLeftOut, signal }: BackupRequest): Promise<void> {
  if (isHistoryLeftOut || historyFiles.length === 0) return
  if (history === undefined) {
    throw new BackupProblem(
      `Readings are in ${historyFiles.length} files of the history, and where these are is not set here. Set HISTORY_DIR or HISTORY_S3_… as for the service, or give --without-history.`,
    )
  }
  for (const { path: storedPath, sha256 } of historyFiles) {
    const written = await copyPart(await history.fetch(storedPath), path.join(draft, 'history', storedPath), signal)
    if (written.sha256 !== sha256) {
      throw new BackupProblem(
        `The file ${storedPath} of the history is not as it was sealed. "npx roadworthy history verify" checks every file.`,
      )
    }
  }
}

/** Names of files are durable once the folder that holds them is. */
async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushFolders(path.join(folder, entry.name))
  }
  await flush(folder)
}

function streamOf(text: string): Readable {
  return Readable.from([Buffer.from(text)])
}
