// Puts the readings of an export where the other installation looks for them: in PostgreSQL, or in files of the history where their weeks are sealed there. What is there already
// stays, so that an import that was interrupted is run again.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { addToSealedWeek, compareStored } from '../history/add-to-week.ts'
import { forgetCleared } from '../history/cleared.sql.ts'
import { type Duckdb, loadDuckdb } from '../history/duckdb.ts'
import type { SealingDeps } from '../history/seal-weeks.ts'
import { weekSpan } from '../history/seal-weeks.ts'
import { readSealedFile } from '../history/sealed-file.ts'
import { selectSealedAcrossResellers } from '../history/sealed-files.sql.ts'
import { lineOf } from '../history/sealed-reading.ts'
import { insertPastReadings, selectSourcesOfOthersAcrossResellers } from '../readings/past.sql.ts'
import { ensureReadingPartitions } from '../readings/readings.sql.ts'
import type { StoredReading } from '../readings/stored-reading.ts'
import { checkReading } from './check-reading.ts'
import type { MovedReadingsEntry } from './export-manifest.ts'
import { spanOf } from './export-readings.ts'
import { MoveProblem } from './move-problem.ts'
import type { OpenExport } from './read-export.ts'
import { linesOf } from './row-lines.ts'

export type ReadingsToImport = {
  readonly export: OpenExport
  readonly database: Database
  /** Runs with the turn of who writes files of the history; undefined: no place for it is set, or DuckDB is not installed. */
  readonly withSealing: (<T>(run: (deps: SealingDeps) => Promise<T>) => Promise<T | undefined>) | undefined
  /** For what does not fit into memory. */
  readonly workFolder: string
  readonly now: Date
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export type ImportedReadings = { readonly newCount: number; readonly knownCount: number }

/** Rows of one statement. */
const BATCH_ROWS = 2_000
/** Their content at most, but for the last: a reading may be as large as a body. */
const PART_CHARACTERS = 16 * 1024 * 1024
/** Readings of later are of a clock that is wrong. */
const MAX_AHEAD_MS = 8 * 86_400_000

export async function importReadings(request: ReadingsToImport): Promise<ImportedReadings> {
  const { readings } = request.export.manifest
  if (readings.length === 0) return { newCount: 0, knownCount: 0 }
  const duckdb = await loadDuckdb()
  refuseWhatCannotBeRead(readings, duckdb, request.now)
  const { withSealing } = request
  if (withSealing === undefined) return await importWeeks(request, duckdb, undefined)
  const imported = await withSealing((deps) => importWeeks(request, duckdb, deps))
  if (imported !== undefined) return imported
  throw new MoveProblem(
    'Another import, a sealing of readings into files, or an erasure is under way, and one is done at a time. Run the import again when it is done: it goes on where it was.',
  )
}

function refuseWhatCannotBeRead(readings: readonly MovedReadingsEntry[], duckdb: Duckdb | undefined, now: Date): void {
  if (duckdb === undefined && readings.some(({ form }) => form === 'parquet')) {
    throw new MoveProblem('Readings in the export are Parquet, which DuckDB reads. Install the optional dependency @duckdb/node-api.')
  }
  for (const entry of readings) {
    const { from, to } = spanOf(entry)
    const isMonday = new Date(`${entry.week}T00:00:00.000Z`).getUTCDay() === 1
    if (isMonday && from < to && from.getTime() < now.getTime() + MAX_AHEAD_MS) continue
    throw new MoveProblem(`${entry.file}: ${entry.week} has to be a Monday that is over or has begun, of ${entry.month}.`)
  }
}

async function importWeeks(
  request: ReadingsToImport,
  duckdb: Duckdb | undefined,
  sealing: SealingDeps | undefined,
): Promise<ImportedReadings> {
  const { database, onProgress, signal } = request
  const { readings, resellerId } = request.export.manifest
  const checked = new Set<string>()
  let [newCount, count] = [0, 0]
  for (const [nth, entry] of readings.entries()) {
    signal?.throwIfAborted()
    onProgress?.(nth / readings.length, `readings of the week of ${entry.week}`)
    const weekFrom = new Date(`${entry.week}T00:00:00.000Z`)
    const boundary = await selectSealedAcrossResellers(database.systemPool)
    const stream = checkedReadings(request, entry, readingsOf(request, duckdb, entry), checked)
    if (boundary === undefined || weekFrom >= boundary.until) newCount += await storeWeek(request, entry, stream)
    else newCount += await addToSealedWeek(requireSealing(sealing, boundary.until), { resellerId, weekFrom, month: entry.month }, stream)
    count += entry.rowCount
  }
  return { newCount, knownCount: count - newCount }
}

function requireSealing(sealing: SealingDeps | undefined, until: Date): SealingDeps {
  if (sealing !== undefined) return sealing
  throw new MoveProblem(
    `This installation keeps readings of before ${until.toISOString()} in files of the history, and where these are is not set here, or DuckDB is not installed. ` +
      'Set HISTORY_DIR or HISTORY_S3_… as for the service, and run the import again: it goes on where it was.',
  )
}

async function* readingsOf(
  { export: { folder }, workFolder }: ReadingsToImport,
  duckdb: Duckdb | undefined,
  { file, form }: MovedReadingsEntry,
): AsyncGenerator<StoredReading[]> {
  if (form === 'parquet') {
    const nothing = async () => undefined
    const store = {
      stagingFolder: workFolder,
      put: nothing,
      remove: nothing,
      fetch: async () => path.join(folder, file),
      local: async () => '',
    }
    return yield* readSealedFile(duckdb as Duckdb, store, file)
  }
  for await (const lines of linesOf(createReadStream(path.join(folder, file)), file)) yield lines.map((line) => fromLine(line, file))
}

function fromLine(line: string, file: string): StoredReading {
  try {
    const { recordedAtUs, receivedAtUs, ...rest } = JSON.parse(line) as StoredReading & { recordedAtUs: string; receivedAtUs: string }
    return { ...rest, recordedAtUs: BigInt(recordedAtUs), receivedAtUs: BigInt(receivedAtUs) }
  } catch (cause) {
    throw new MoveProblem(`${file} has a line that is no reading. Make another export.`, { cause })
  }
}

/** Ends with a refusal where the file does not hold what the manifest has of it, in its order, or what belongs to another reseller. */
async function* checkedReadings(
  { database, export: { manifest } }: ReadingsToImport,
  entry: MovedReadingsEntry,
  readings: AsyncIterable<StoredReading[]>,
  checkedSources: Set<string>,
): AsyncGenerator<StoredReading[]> {
  const span = spanOf(entry)
  const content = createHash('sha256')
  let count = 0
  let before: StoredReading | undefined
  try {
    for await (const part of readings) {
      let [from, characters] = [0, 0]
      for (const [nth, reading] of part.entries()) {
        characters += checkReading(reading, span, entry.file)
        if (before !== undefined && compareStored(before, reading) >= 0) throw new MoveProblem(`${entry.file} is not in its order.`)
        content.update(lineOf(reading))
        before = reading
        count++
        if (characters < PART_CHARACTERS && nth < part.length - 1) continue
        const some = part.slice(from, nth + 1)
        await refuseSourcesOfOthers(database, manifest.resellerId, some, checkedSources)
        yield some
        from = nth + 1
        characters = 0
      }
    }
  } catch (error) {
    if (error instanceof MoveProblem || !/^(Invalid|IO|Binder|Conversion|Catalog|Parser|Serialization)\b/.test((error as Error).message))
      throw error
    throw new MoveProblem(`${entry.file} cannot be read: ${(error as Error).message.split('\n')[0]}. Make another export.`, {
      cause: error,
    })
  }
  if (count !== entry.rowCount || content.digest('hex') !== entry.contentSha256) {
    throw new MoveProblem(`${entry.file} does not hold the ${entry.rowCount} readings that the manifest has of it. Make another export.`)
  }
}

async function refuseSourcesOfOthers(
  { systemPool }: Database,
  resellerId: string,
  readings: readonly StoredReading[],
  checked: Set<string>,
): Promise<void> {
  const sourceIds = [...new Set(readings.map(({ sourceId }) => sourceId))].filter((id) => !checked.has(id))
  if (sourceIds.length === 0) return
  const [other] = await selectSourcesOfOthersAcrossResellers(systemPool, resellerId, sourceIds)
  if (other !== undefined)
    throw new MoveProblem(`The export has readings of ${other}, which belongs to another reseller of this installation.`)
  for (const id of sourceIds) checked.add(id)
}

/** Into PostgreSQL. Answers how many were new. */
async function storeWeek(
  { database, export: { manifest }, signal }: ReadingsToImport,
  entry: MovedReadingsEntry,
  readings: AsyncIterable<StoredReading[]>,
): Promise<number> {
  const { from } = weekSpan(new Date(`${entry.week}T00:00:00.000Z`))
  await ensureReadingPartitions(database.systemPool, from, from)
  let newCount = 0
  for await (const part of readings) {
    for (let at = 0; at < part.length; at += BATCH_ROWS) {
      signal?.throwIfAborted()
      const batch = part.slice(at, at + BATCH_ROWS)
      const stored = await insertPastReadings(database.systemPool, manifest.resellerId, batch)
      if (stored.storedCount !== batch.length) throw new MoveProblem(`Readings of ${entry.file} are there as those of another reseller.`)
      await forgetCleared(database.systemPool, manifest.resellerId)
      newCount += stored.newCount
    }
  }
  return newCount
}
