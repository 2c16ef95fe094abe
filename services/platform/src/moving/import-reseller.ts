// Imports an export into another installation, while that runs. Everything but readings comes in one transaction, or nothing does; readings follow, and may follow again.

import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkValue } from '@roadworthy/service-kit/postgres/database-roles'
import { type Database, databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { WEEK_MS } from '@roadworthy/service-kit/time/weeks'
import type pg from 'pg'
import { type Author, writeAudit } from '../audit/audit.ts'
import { selectKeyCheckValue } from '../backup/load.sql.ts'
import { RowSum } from '../backup/rows-digest.ts'
import { connect, dbOf } from '../backup/snapshot.sql.ts'
import { patiently } from '../cluster/patient-session.ts'
import type { MovedTableEntry } from './export-manifest.ts'
import { type ImportedReadings, importReadings, type ReadingsToImport } from './import-readings.ts'
import { MoveProblem } from './move-problem.ts'
import { type MovedRow, type MovedTable, movedTables } from './moved-tables.ts'
import { checkFiles, type OpenExport } from './read-export.ts'
import { linesOf } from './row-lines.ts'
import {
  copyIncoming,
  copyRowsOut,
  countIncoming,
  createIncoming,
  insertIncoming,
  openColumns,
  SEPARATOR,
  selectColumns,
  selectMigrations,
  selectReseller,
  selectTaken,
} from './rows.sql.ts'
import { lock } from './travelling-secrets.ts'

export type ImportRequest = {
  readonly export: OpenExport
  readonly ownerUrl: string
  /** Of the installation. */
  readonly secretKey: string
  readonly database: Database
  /** Makes the partitions of a table that hold these times, which are Mondays. */
  readonly ensurePartitions: (table: string, weeks: readonly Date[]) => Promise<void>
  readonly author: (resellerId: string) => Author
} & Omit<ReadingsToImport, 'export' | 'database'>

export type Imported = {
  /** The rows were there from an import before that did not end. */
  readonly isResumed: boolean
  readonly rowCount: number
  readonly readings: ImportedReadings
}

/** Share of the progress that each part is shown to take. */
const CHECKED = 0.2
const LOADED = 0.5
const MAX_NAMED = 5
/** PostgreSQL's classes for data and for constraints. */
const REFUSED_VALUE = /^2[23]/

export async function importReseller(request: ImportRequest): Promise<Imported> {
  const { export: moved, onProgress } = request
  await checkFiles(moved, (share, name) => onProgress?.(share * CHECKED, `checking ${name}`))
  const state = await refuseUnlike(request)
  if (state === 'none') await loadRows(request)
  const onReadings = (share: number, name: string) => onProgress?.(LOADED + share * (1 - LOADED), name)
  const readings = await importReadings({ ...request, onProgress: onReadings })
  const rowCount = moved.manifest.tables.reduce((sum, table) => sum + table.rowCount, 0)
  return { isResumed: state === 'imported', rowCount, readings }
}

/** Whether no service was ever started on it. */
export async function isEmptyDatabase(ownerUrl: string): Promise<boolean> {
  const owner = await connect(ownerUrl)
  try {
    return (await selectMigrations(owner)) === undefined
  } finally {
    await owner.end()
  }
}

/** Throws where the installation cannot take this export: another schema, another key, a reseller of that id. */
async function refuseUnlike({ ownerUrl, secretKey, export: moved }: ImportRequest): Promise<'none' | 'imported'> {
  const owner = await connect(ownerUrl)
  try {
    const there = await selectMigrations(owner)
    if (there === undefined) throw new MoveProblem('The database is empty. Start the service on it once; that makes the tables.')
    const { migrations, productVersion, resellerId } = moved.manifest
    const newer = migrations.find(({ name, sha256 }) => !there.some((each) => each.name === name && each.sha256 === sha256))
    if (newer !== undefined) {
      throw new MoveProblem(
        `The export is of a newer version (${newer.name}). Bring this installation to Roadworthy ${productVersion} first.`,
      )
    }
    const older = there.find(({ name }) => !migrations.some((each) => each.name === name))
    if (older !== undefined) {
      throw new MoveProblem(
        `The export is of an older version, without ${older.name}. Bring the other installation to this version, and export again.`,
      )
    }
    if ((await selectKeyCheckValue(owner)) !== checkValue(secretKey)) {
      throw new MoveProblem(
        'The secret key given here is not the one of this database. Set SECRET_KEY to the one that the service runs with.',
      )
    }
    return await refuseTaken(owner, resellerId, moved.sha256)
  } finally {
    await owner.end()
  }
}

async function refuseTaken(client: pg.Client, resellerId: string, sha256: string): Promise<'none' | 'imported'> {
  const state = await selectReseller(client, resellerId, sha256)
  if (state !== 'taken') return state
  throw new MoveProblem(
    `There is a reseller "${resellerId}" here, which did not come from this export. Nothing is ever replaced or merged: import into an installation without it, or before the first start of a new one.`,
  )
}

async function loadRows(request: ImportRequest): Promise<void> {
  const { ownerUrl, secretKey, export: moved, now } = request
  for (const { name, weeks } of moved.manifest.tables) {
    if (weeks.length > 0)
      await request.ensurePartitions(
        name,
        weeks.map((week) => requireWeek(name, week, now)),
      )
  }
  await request.ensurePartitions('audit_log', [now])
  const client = await connect(databaseUrls(ownerUrl, secretKey).direct.system)
  try {
    // The role has timeouts of its own, on every node.
    await client.query(['begin', ...patiently(0)].join('; '))
    await createIncoming(client)
    for (const [nth, table] of movedTables.entries()) {
      request.signal?.throwIfAborted()
      request.onProgress?.(CHECKED + (nth / movedTables.length) * (LOADED - CHECKED), table.name)
      await loadTable(client, request, table)
    }
    const { resellerId, snapshotAt } = moved.manifest
    const after = { manifest: moved.sha256, as_of: snapshotAt }
    await writeAudit(dbOf(client), request.author(resellerId), { action: 'reseller.imported', objectId: resellerId, after })
    await client.query('commit')
  } catch (error) {
    // A connection that is gone has rolled back by itself; the first error is the one to report.
    await client.query('rollback').catch(() => undefined)
    throw explain(error, moved)
  } finally {
    await client.end()
  }
}

function requireWeek(table: string, week: string, now: Date): Date {
  const at = new Date(`${week}T00:00:00.000Z`)
  if (at.getUTCDay() === 1 && at.getTime() < now.getTime() + WEEK_MS) return at
  throw new MoveProblem(`The manifest has ${week} as a week of ${table}, which is no Monday that has begun.`)
}

async function loadTable(client: pg.Client, { export: moved, secretKey, signal }: ImportRequest, table: MovedTable): Promise<void> {
  const entry = moved.manifest.tables.find(({ name }) => name === table.name) as MovedTableEntry
  const { resellerId } = moved.manifest
  const columns = openColumns(table, await selectColumns(client, table.name))
  if (columns.join() !== entry.columns.join()) throw new MoveProblem(`The manifest has other columns of ${table.name} than there are.`)
  const toCopied = (line: string) => {
    const { row, sealed } = partsOf(line, table)
    if (sealed === undefined) return `${row}${SEPARATOR}\n`
    const secrets = lock(table, secretKey, JSON.parse(row) as MovedRow, moved.secrets.open(table.name, row, sealed))
    return `${row}${SEPARATOR}${JSON.stringify(secrets)}\n`
  }
  async function* toRows(source: AsyncIterable<Buffer>) {
    for await (const lines of linesOf(source, entry.file)) yield Buffer.from(lines.map(toCopied).join(''))
  }
  const file = createReadStream(path.join(moved.folder, entry.file))
  await pipeline(file, toRows, copyIncoming(client), signal === undefined ? {} : { signal })
  const { rowCount, foreignCount } = await countIncoming(client, resellerId)
  if (foreignCount > 0) throw new MoveProblem(`${entry.file} has ${foreignCount} rows that are not of the reseller "${resellerId}".`)
  if (rowCount !== entry.rowCount) throw new MoveProblem(`${entry.file} has ${rowCount} rows, and the manifest has ${entry.rowCount}.`)
  await refuseTakenIds(client, table, resellerId)
  await insertIncoming(client, table, columns)
  await compareRows(client, table, entry, resellerId)
}

/** The row as it was hashed, and its secrets behind it. */
function partsOf(line: string, table: MovedTable): { row: string; sealed: string | undefined } {
  if (table.secrets === undefined) return { row: line, sealed: undefined }
  const at = line.lastIndexOf(',"secrets":"')
  const sealed = /^,"secrets":"([A-Za-z0-9+/=]*)"\}$/.exec(line.slice(at))?.[1]
  if (at === -1 || sealed === undefined) throw new MoveProblem(`A row of ${table.name} has no secrets. Make another export.`)
  return { row: `${line.slice(0, at)}}`, sealed }
}

async function refuseTakenIds(client: pg.Client, { name }: MovedTable, resellerId: string): Promise<void> {
  if (name !== 'devices' && name !== 'vehicles') return
  const taken = await selectTaken(client, name === 'devices' ? 'device' : 'vehicle', resellerId, MAX_NAMED)
  if (taken.length === 0) return
  throw new MoveProblem(
    `Of the ${name} of the export, another reseller of this installation has ${taken.join(', ')}. An id belongs to one reseller: import into an installation without them.`,
  )
}

/** What is there now is what was exported: the same rows, to the last value. */
async function compareRows(client: pg.Client, table: MovedTable, entry: MovedTableEntry, resellerId: string): Promise<void> {
  const rows = new RowSum()
  const copied = copyRowsOut(client, table, { resellerId, columns: entry.columns, isWithSecrets: false })
  for await (const lines of linesOf(copied, table.name)) for (const line of lines) rows.add(line)
  if (rows.rowCount === entry.rowCount && rows.digest === entry.rowsDigest) return
  throw new MoveProblem(
    `The rows of ${table.name} are not those of the manifest once they are stored: ${rows.rowCount} of ${entry.rowCount} are. Some name what is not of the reseller, or were changed.`,
  )
}

/** What PostgreSQL refuses of the rows, in words; any other error, as it is. */
function explain(error: unknown, { manifest }: OpenExport): unknown {
  const { code, message, detail, table } = error as { code?: string; message: string; detail?: string; table?: string }
  if (typeof code !== 'string' || !REFUSED_VALUE.test(code)) return error
  const what = detail === undefined ? message : `${message} (${detail.replace(/\.$/, '')})`
  if (code !== '23505')
    return new MoveProblem(`Rows of ${table ?? 'the export'} cannot be stored, and nothing was: ${what}.`, { cause: error })
  return new MoveProblem(
    `Something of ${table ?? 'the export'} is taken in this installation, and nothing was stored: ${what}. ` +
      `Import "${manifest.resellerId}" into an installation without it.`,
    { cause: error },
  )
}
