// Restores a backup into an empty database. Everything of it is loaded in one transaction, so that what fails leaves the database as empty as it was.

import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { checkValue, refuseOtherKey } from '@roadworthy/service-kit/postgres/database-roles'
import { buildSchema, lockSchema, migrate } from '@roadworthy/service-kit/postgres/migrate'
import type pg from 'pg'
import type { FileStore } from '../history/file-store.ts'
import { BackupProblem, OccupiedDatabase } from './backup-problem.ts'
import { type Ended, endWhatIsOver } from './end-what-is-over.ts'
import { putHistory } from './history-parts.ts'
import {
  analyze,
  checkpoint,
  closePartitions,
  copyIn,
  copyOut,
  replacePartitions,
  resumeChecks,
  selectKeyCheckValue,
  selectOccupants,
  setSequences,
  suspendChecks,
} from './load.sql.ts'
import type { Manifest, TableEntry } from './manifest.ts'
import type { OpenBackup } from './read-backup.ts'
import { RowsDigest } from './rows-digest.ts'
import { connect, dbOf } from './snapshot.sql.ts'

export type RestoreRequest = {
  /** Its parts have been checked. */
  readonly backup: OpenBackup
  readonly ownerUrl: string
  /** Undefined: it is not known. The database is then as old as the backup until a start that has the key. */
  readonly secretKey: string | undefined
  /** Where the files of the history go. */
  readonly history: FileStore | undefined
  /** Of every migration that this program knows, for what is to be applied to the restored schema. */
  readonly migrationsDirectory: string
  /** Where the owner is a superuser, as of the embedded PostgreSQL: what was loaded is in the tables' files, so that the server can be stopped at once. */
  readonly isFlushed?: boolean
  /** Whether every table is read back and compared with the manifest, before anything of it is changed; `required`: what differs undoes the restore. */
  readonly comparison: 'none' | 'required' | 'reported'
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export type Compared = { readonly table: string; readonly wanted: RowsFacts; readonly found: RowsFacts; readonly isEqual: boolean }
type RowsFacts = { readonly rowCount: number; readonly digest: string }

export type Restored = {
  readonly ended: Ended
  /** Undefined: nothing was compared. */
  readonly compared: readonly Compared[] | undefined
  /** Migrations that were applied to what was restored. */
  readonly migrated: readonly string[]
}

const MAX_NAMED_OCCUPANTS = 5

export async function restoreDatabase(request: RestoreRequest): Promise<Restored> {
  const { ownerUrl, secretKey, backup, migrationsDirectory } = request
  const client = await connect(ownerUrl)
  try {
    await refuseOccupied(client)
    if (secretKey !== undefined) await refuseOtherKey(client, ownerUrl, secretKey)
    // Before the database has anything: a row of the catalogue has its file.
    const { isIncluded, files } = backup.manifest.history
    if (isIncluded) await putHistory(path.join(backup.folder, 'history'), files, request.history)
    const { ended, compared } = await inTransaction(client, () => load(client, request))
    const { applied } = secretKey === undefined ? { applied: [] } : await migrate(ownerUrl, { directory: migrationsDirectory, secretKey })
    await analyze(client)
    if (request.isFlushed === true) await checkpoint(client)
    return { ended, compared, migrated: applied }
  } catch (error) {
    request.signal?.throwIfAborted()
    if ((error as { code?: unknown }).code !== '42501') throw error
    const fix =
      'The owner of the database needs the right to create roles (CREATEROLE), or the roles roadworthy_app and roadworthy_system must be there.'
    throw new BackupProblem(`PostgreSQL refuses a step of restoring ${backup.folder}: ${(error as Error).message}. ${fix}`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

async function refuseOccupied(client: pg.Client): Promise<void> {
  const names = await selectOccupants(client)
  if (names.length === 0) return
  const shown = names.slice(0, MAX_NAMED_OCCUPANTS).join(', ')
  const more = names.length > MAX_NAMED_OCCUPANTS ? ` and ${names.length - MAX_NAMED_OCCUPANTS} more` : ''
  throw new OccupiedDatabase(
    `The database is not empty: it has ${shown}${more}. A backup is restored into an empty one only, and nothing is ever replaced: create a new database and name that.`,
  )
}

async function inTransaction<T>(client: pg.Client, run: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await run()
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that is gone has rolled back by itself; the first error is the one to report.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function load(client: pg.Client, request: RestoreRequest): Promise<Pick<Restored, 'ended' | 'compared'>> {
  const { backup, secretKey, comparison, onProgress, signal } = request
  const { manifest, migrations, folder } = backup
  await lockSchema(client)
  // A service that was started on it meanwhile has made its tables.
  await refuseOccupied(client)
  await buildSchema(client, migrations)
  for (const table of manifest.tables) if (table.isPartitioned) await replacePartitions(client, table)
  const suspended = await suspendChecks(client)
  refuseUnknownTables(manifest.tables, suspended.tables)
  const steps = manifest.tables.length * (comparison === 'none' ? 1 : 2)
  for (const [nth, table] of manifest.tables.entries()) {
    onProgress?.(nth / steps, table.name)
    await loadTable(client, folder, table, signal)
  }
  await setSequences(client, manifest)
  if (secretKey !== undefined) await refuseWrongKey(client, secretKey)
  const onCompare = (nth: number, name: string) => onProgress?.((manifest.tables.length + nth) / steps, name)
  const compared = comparison === 'none' ? undefined : await compareTables(client, manifest, onCompare, signal)
  if (comparison === 'required') refuseDifferences(compared ?? [])
  const ended = await endWhatIsOver(dbOf(client), new Set(suspended.tables))
  await closePartitions(client, manifest)
  await resumeChecks(client, suspended)
  return { ended, compared }
}

function refuseUnknownTables(tables: readonly TableEntry[], made: readonly string[]): void {
  const missing = tables.find(({ name }) => !made.includes(name))
  if (missing !== undefined) throw new BackupProblem(`The manifest has a table ${missing.name}, which its schema has not.`)
}

async function loadTable(client: pg.Client, folder: string, table: TableEntry, signal: AbortSignal | undefined): Promise<void> {
  const rows = new RowsDigest()
  await pipeline(
    createReadStream(path.join(folder, table.file)),
    createGunzip(),
    rows,
    copyIn(client, table),
    signal === undefined ? {} : { signal },
  )
  if (rows.rowCount === table.rowCount && rows.digest === table.rowsDigest) return
  throw new BackupProblem(`${table.file} does not hold the rows that the manifest has of ${table.name}.`)
}

async function compareTables(
  client: pg.Client,
  { tables }: Manifest,
  onTable: (nth: number, name: string) => void,
  signal: AbortSignal | undefined,
): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const [nth, table] of tables.entries()) {
    onTable(nth, table.name)
    compared.push(await compareTable(client, table, signal))
  }
  return compared
}

function refuseDifferences(compared: readonly Compared[]): void {
  const different = compared.filter(({ isEqual }) => !isEqual).map(({ table }) => table)
  if (different.length > 0) throw new BackupProblem(`These tables are not as in the backup, and nothing was kept: ${different.join(', ')}.`)
}

async function compareTable(client: pg.Client, table: TableEntry, signal: AbortSignal | undefined): Promise<Compared> {
  const rows = new RowsDigest()
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(copyOut(client, table), rows, nowhere, signal === undefined ? {} : { signal })
  const wanted = { rowCount: table.rowCount, digest: table.rowsDigest }
  const found = { rowCount: rows.rowCount, digest: rows.digest }
  return { table: table.name, wanted, found, isEqual: wanted.rowCount === found.rowCount && wanted.digest === found.digest }
}

async function refuseWrongKey(client: pg.Client, secretKey: string): Promise<void> {
  const wanted = await selectKeyCheckValue(client)
  if (wanted === undefined || wanted === checkValue(secretKey)) return
  throw new BackupProblem(
    'The secret key given here (SECRET_KEY, or the file secret-key of the data folder) is not the one of this backup, and would open nothing that is encrypted in it.',
  )
}
