// Readings of one reseller as files, a file for each week and month. What is sealed already is copied as it is; the rest is written by what seals, as Parquet, or as NDJSON
// where DuckDB is not installed.

import { createHash } from 'node:crypto'
import { chmod, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { copyPart, flush, writePart } from '../backup/part-file.ts'
import type { Duckdb } from '../history/duckdb.ts'
import { createFolderStore, discardFetched, type FileStore } from '../history/file-store.ts'
import { weekSpan, withinMonth } from '../history/seal-weeks.ts'
import { writeSealedFile } from '../history/sealed-file.ts'
import { lineOf } from '../history/sealed-reading.ts'
import { readStoredReadings, type Span } from '../history/week.read.sql.ts'
import type { StoredReading } from '../readings/stored-reading.ts'
import type { MovedReadingsEntry } from './export-manifest.ts'
import { MoveProblem } from './move-problem.ts'
import { type LiveFile, selectLiveFilesOf, selectSourceIdsOf, selectWeeksOf, type WeekOfMonth } from './readings.read.sql.ts'

/** For its owner only, as all of an export. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const FOLDER = 'readings'

export type ReadingsToExport = {
  /** Of the snapshot; its statements may take minutes. */
  readonly db: Db
  readonly resellerId: string
  readonly draft: string
  /** Undefined: not installed. */
  readonly duckdb: Duckdb | undefined
  /** Undefined: none is set. */
  readonly history: FileStore | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export async function exportReadings(request: ReadingsToExport): Promise<MovedReadingsEntry[]> {
  const { db, resellerId, draft, onProgress, signal } = request
  const sealed = await selectLiveFilesOf(db, resellerId)
  const weeks = await selectWeeksOf(db, resellerId)
  const count = sealed.length + weeks.length
  const entries: MovedReadingsEntry[] = []
  // First: a file that has been replaced is deleted two minutes later.
  for (const [nth, file] of sealed.entries()) {
    onProgress?.(nth / count, file.path)
    entries.push(await copySealed(request, file))
  }
  for (const [nth, each] of weeks.entries()) {
    signal?.throwIfAborted()
    onProgress?.((sealed.length + nth) / count, `readings of the week of ${each.week}`)
    entries.push(await (request.duckdb === undefined ? writeLines(request, each) : writeParquet(request, request.duckdb, each)))
  }
  await rm(path.join(draft, FOLDER, '.staging'), { recursive: true, force: true })
  return entries
}

async function copySealed({ history, draft, signal }: ReadingsToExport, file: LiveFile): Promise<MovedReadingsEntry> {
  if (history === undefined) {
    throw new MoveProblem(
      'Readings are in files of the history, and where these are is not set here. Set HISTORY_DIR or HISTORY_S3_… as for the service.',
    )
  }
  const { week, month, contentSha256, readingCount: rowCount } = file
  const target = `${FOLDER}/${month}/${path.basename(file.path)}`
  const source = await history.fetch(file.path)
  const written = await copyPart(source, path.join(draft, target), signal).finally(() => discardFetched(history, source))
  if (written.sha256 !== file.sha256) {
    throw new MoveProblem(
      `The file ${file.path} of the history is not as it was sealed. "npx roadworthy history verify" checks every file.`,
    )
  }
  return { week, month, form: 'parquet', rowCount, contentSha256, file: target, ...written }
}

async function writeParquet(request: ReadingsToExport, duckdb: Duckdb, { week, month }: WeekOfMonth): Promise<MovedReadingsEntry> {
  const store = createFolderStore(path.join(request.draft, FOLDER))
  const storedPath = `${month}/${week}.parquet`
  await mkdir(path.join(request.draft, FOLDER, month), { recursive: true, mode: FOLDER_MODE })
  const facts = await writeSealedFile({ duckdb, store }, { fileId: week, storedPath }, readingsOf(request, spanOf({ week, month })))
  const { bytes, sha256, contentSha256, readingCount: rowCount } = requireSome(facts, week)
  await chmod(path.join(request.draft, FOLDER, storedPath), FILE_MODE)
  await flush(path.join(request.draft, FOLDER, storedPath))
  return { week, month, form: 'parquet', rowCount, contentSha256, file: `${FOLDER}/${storedPath}`, bytes, sha256 }
}

async function writeLines(request: ReadingsToExport, { week, month }: WeekOfMonth): Promise<MovedReadingsEntry> {
  const file = `${FOLDER}/${month}/${week}.ndjson`
  const content = createHash('sha256')
  let rowCount = 0
  const lines = async function* () {
    for await (const readings of readingsOf(request, spanOf({ week, month }))) {
      const text = readings.map(lineOf).join('')
      content.update(text)
      rowCount += readings.length
      yield Buffer.from(text)
    }
  }
  const written = await writePart(path.join(request.draft, file), [Readable.from(lines())], request.signal)
  return { week, month, form: 'ndjson', rowCount, contentSha256: content.digest('hex'), file, ...written }
}

/** What of a week lies in the month. */
export function spanOf({ week, month }: WeekOfMonth): Span {
  return withinMonth(weekSpan(new Date(`${week}T00:00:00.000Z`)), month)
}

/** In the order of files: by source, time and digest. */
async function* readingsOf({ db, resellerId, signal }: ReadingsToExport, span: Span): AsyncGenerator<StoredReading[]> {
  for (const sourceId of await selectSourceIdsOf(db, resellerId, span)) {
    for await (const part of readStoredReadings(db, resellerId, { sourceId, span })) {
      signal?.throwIfAborted()
      yield part
    }
  }
}

function requireSome<T>(facts: T | undefined, week: string): T {
  if (facts === undefined) throw new Error(`the week of ${week} had readings and has none`)
  return facts
}
