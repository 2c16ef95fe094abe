// Makes a backup: a folder that appears under its name when it is whole.

import path from 'node:path'
import { createGzip } from 'node:zlib'
import { checkValue } from '@roadworthy/service-kit/postgres/database-roles'
import type { Migration } from '@roadworthy/service-kit/postgres/migrate'
import type { FileStore } from '../history/file-store.ts'
import { BackupProblem } from './backup-problem.ts'
import { copyHistory } from './history-parts.ts'
import { knownTables } from './known-tables.ts'
import { FORMAT, FORMAT_VERSION, type Manifest, type TableEntry, writeManifest } from './manifest.ts'
import { inDraft, writePart } from './part-file.ts'
import { checkPassphrase, type KeyFiles, sealKeys } from './passphrase.ts'
import { historyParts } from './read-backup.ts'
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
  const manifest = await inDraft(request.to, (draft) => fill(draft, request), request.signal)
  const parts = [...manifest.tables, ...historyParts(manifest.history)]
  return { folder: request.to, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), manifest }
}

async function fill(draft: string, request: BackupRequest): Promise<Manifest> {
  const snapshot = await openSnapshot(request.ownerUrl, request.secretKey)
  try {
    refuseNewer(snapshot, request.migrations)
    const keys = request.passphrase === undefined ? undefined : await sealKeys(request.passphrase, requireKeyFiles(snapshot, request))
    const { included, notIncluded } = divide(snapshot, request.migrations)
    // First: a file that has been replaced is deleted two hours later.
    if (!request.isHistoryLeftOut) await copyHistory(draft, snapshot.historyFiles, request)
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
    await writeManifest(draft, manifest, keys)
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
    throw new BackupProblem('The secret key is not known here: set SECRET_KEY, or leave it out with --no-secret-key.')
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
