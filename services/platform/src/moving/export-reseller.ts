// Makes an export of one reseller: a folder that appears under its name when it is whole. Everything in it is of one moment, while the service runs.

import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { checkValue } from '@roadworthy/service-kit/postgres/database-roles'
import type { Migration } from '@roadworthy/service-kit/postgres/migrate'
import { BackupProblem } from '../backup/backup-problem.ts'
import { writeManifest } from '../backup/manifest.ts'
import { inDraft, writePart } from '../backup/part-file.ts'
import { checkPassphrase, sealKeys } from '../backup/passphrase.ts'
import { RowSum } from '../backup/rows-digest.ts'
import { dbOf, openSnapshot, type Snapshot } from '../backup/snapshot.sql.ts'
import { WritesNotHeld, withWritesHeld } from '../cluster/hold-writes.ts'
import { isDistributed } from '../cluster/is-distributed.sql.ts'
import { withOwnerSession } from '../cluster/owner-session.ts'
import type { Duckdb } from '../history/duckdb.ts'
import type { FileStore } from '../history/file-store.ts'
import { type ExportManifest, FORMAT, FORMAT_VERSION, type MovedTableEntry } from './export-manifest.ts'
import { exportReadings } from './export-readings.ts'
import { MoveProblem } from './move-problem.ts'
import { type MovedRow, type MovedTable, movedTables, tablesLeft } from './moved-tables.ts'
import { linesOf, MAX_LINE_BYTES } from './row-lines.ts'
import { copyRowsOut, openColumns, SEPARATOR, selectColumns, selectReseller, selectWeeks } from './rows.sql.ts'
import { EXPORT_KEY, type Secrets, travelling, unlock } from './travelling-secrets.ts'

export type ExportRequest = {
  readonly ownerUrl: string
  /** Of the installation. Undefined: not known here, which only an export without secrets can be made with. */
  readonly secretKey: string | undefined
  readonly resellerId: string
  /** Where nothing is yet. */
  readonly to: string
  /** Undefined: without secrets, for reading only. */
  readonly passphrase: string | undefined
  readonly duckdb: Duckdb | undefined
  readonly history: FileStore | undefined
  /** Does what `reading_effects` asks for, where readings are on several nodes. */
  readonly drain: () => Promise<void>
  readonly productVersion: string
  readonly migrations: readonly Migration[]
  readonly now: Date
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export type MadeExport = { readonly folder: string; readonly bytes: number; readonly manifest: ExportManifest }

/** Share of the progress that tables are shown to take. */
const TABLES_SHARE = 0.3
const KEY_BYTES = 32

export async function exportReseller(request: ExportRequest): Promise<MadeExport> {
  if (request.passphrase !== undefined) checkPassphrase(request.passphrase)
  const manifest = await inDraft(request.to, (draft) => fill(draft, request), request.signal)
  const bytes = [...manifest.tables, ...manifest.readings].reduce((sum, file) => sum + file.bytes, 0)
  return { folder: request.to, bytes, manifest }
}

async function fill(draft: string, request: ExportRequest): Promise<ExportManifest> {
  const { resellerId, passphrase, onProgress } = request
  const snapshot = await openMovedSnapshot(request)
  try {
    refuseOtherSchema(snapshot, request.migrations)
    const secretKey = passphrase === undefined ? undefined : requireKey(snapshot, request)
    if ((await selectReseller(snapshot.reader, resellerId, '')) === 'none') {
      throw new MoveProblem(`There is no reseller "${resellerId}". "npx roadworthy resellers list" shows those there are.`)
    }
    const key = randomBytes(KEY_BYTES).toString('base64url')
    const keys = passphrase === undefined ? undefined : await sealKeys(passphrase, { [EXPORT_KEY]: key })
    const onReadings = (share: number, name: string) => onProgress?.(TABLES_SHARE + share * (1 - TABLES_SHARE), name)
    // First, for what is said of files of the history.
    const readings = await exportReadings({ ...request, db: dbOf(snapshot.reader), draft, onProgress: onReadings })
    const tables: MovedTableEntry[] = []
    for (const [nth, table] of movedTables.entries()) {
      request.signal?.throwIfAborted()
      onProgress?.((nth / movedTables.length) * TABLES_SHARE, table.name)
      tables.push(await exportTable(draft, snapshot, table, { ...request, secretKey, key }))
    }
    const manifest: ExportManifest = {
      ...{ format: FORMAT, formatVersion: FORMAT_VERSION, productVersion: request.productVersion, madeAt: request.now.toISOString() },
      ...{ snapshotAt: snapshot.at, resellerId, migrations: [...snapshot.migrations], tables, readings, keys: keys?.box ?? null },
      notIncluded: notIncluded(passphrase !== undefined),
    }
    await writeManifest(draft, manifest, keys)
    return manifest
  } finally {
    await snapshot.close()
  }
}

/** Of one moment, where readings are on several nodes too. */
async function openMovedSnapshot({ ownerUrl, secretKey, drain }: ExportRequest): Promise<Snapshot> {
  if (!(await withOwnerSession(ownerUrl, (db) => isDistributed(db, 'readings')))) return await openSnapshot(ownerUrl, secretKey)
  try {
    return await withWritesHeld(ownerUrl, drain, async () => openSnapshot(ownerUrl, secretKey, { areWritesHeld: true }))
  } catch (error) {
    if (!(error instanceof WritesNotHeld)) throw error
    throw new MoveProblem(
      'The nodes of the Citus cluster did not come to one moment: what follows readings could not be done in time, a shard is being moved, or a node is down. Try again at a quieter hour.',
      { cause: error },
    )
  }
}

/** Tables that this version does not know would be left out. */
function refuseOtherSchema({ migrations }: Snapshot, known: readonly Migration[]): void {
  const other = migrations.find(({ name, sha256 }) => !known.some((each) => each.name === name && each.sha256 === sha256))
  const missing = known.find(({ name }) => !migrations.some((each) => each.name === name))
  const different = other?.name ?? missing?.name
  if (different === undefined) return
  throw new MoveProblem(`The database is of another version than this program (${different}). Export with the version that runs on it.`)
}

function requireKey({ keyCheckValue }: Snapshot, { secretKey }: ExportRequest): string {
  if (secretKey === undefined) throw new MoveProblem('The secret key is not known here: set SECRET_KEY, or export with --no-secrets.')
  if (keyCheckValue === undefined || checkValue(secretKey) === keyCheckValue) return secretKey
  throw new BackupProblem('The secret key given here is not the one of this database. Set SECRET_KEY to that one.')
}

function notIncluded(isWithSecrets: boolean): ExportManifest['notIncluded'] {
  return [
    ...(isWithSecrets
      ? []
      : [{ what: 'secrets, and hashes of keys and passwords', why: 'they were to be left out. It cannot be imported' }]),
    { what: 'passwords of people', why: 'people are invited anew' },
    ...Object.entries(tablesLeft).map(([what, why]) => ({ what, why })),
  ]
}

type TableSecrets = {
  readonly resellerId: string
  readonly secretKey: string | undefined
  readonly key: string
  readonly signal?: AbortSignal | undefined
}

async function exportTable(
  draft: string,
  { reader }: Snapshot,
  table: MovedTable,
  { resellerId, secretKey, key, signal }: TableSecrets,
): Promise<MovedTableEntry> {
  const { name } = table
  const columns = openColumns(table, await selectColumns(reader, name))
  const weeks = await selectWeeks(reader, table, resellerId)
  const rows = new RowSum()
  const secrets = travelling(key)
  const toLine = (copied: string): string => {
    const [row = '', sealed] = copied.split(SEPARATOR)
    rows.add(row)
    if (Buffer.byteLength(copied) > MAX_LINE_BYTES / 2) throw new MoveProblem(`A row of ${name} is too large to be moved.`)
    if (sealed === undefined || secretKey === undefined) return `${row}\n`
    const open = unlock(table, secretKey, JSON.parse(row) as MovedRow, JSON.parse(sealed) as Secrets)
    return `${row.slice(0, -1)},"secrets":${JSON.stringify(secrets.seal(name, row, open))}}\n`
  }
  async function* toLines(copied: AsyncIterable<Buffer>) {
    for await (const lines of linesOf(copied, name)) yield Buffer.from(lines.map(toLine).join(''))
  }
  const file = `tables/${name}.ndjson`
  const source = copyRowsOut(reader, table, { resellerId, columns, isWithSecrets: secretKey !== undefined })
  const written = await writePart(path.join(draft, file), [source, toLines as unknown as NodeJS.ReadWriteStream], signal)
  return { name, columns, rowCount: rows.rowCount, rowsDigest: rows.digest, weeks, file, ...written }
}
