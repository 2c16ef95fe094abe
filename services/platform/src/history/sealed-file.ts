// Writing one Parquet file and reading it back. Rows go through a DuckDB database on disk, so that memory is bounded whatever the size.

import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import type { StoredReading } from '../readings/stored-reading.ts'
import { type Duckdb, openDuckdb } from './duckdb.ts'
import { discardFetched, type FileStore, sha256OfFile } from './file-store.ts'
import { CREATE_PART, readWholeFile, writeFile } from './parquet.sql.ts'
import type { FileFacts } from './sealed-files.sql.ts'
import { type ColumnType, fromSealedRow, lineOf, type SealedRow, SealedRows, type SealedValue, sealedColumns } from './sealed-reading.ts'

/** What an append takes at once. */
const CHUNK_ROWS = 2_048

type WritingDeps = { readonly duckdb: Duckdb; readonly store: FileStore }

/**
 * Writes readings, which come sorted by source, time and digest, to a new file of the store, reads it back and compares every value. Undefined when there
 * are none. When it throws, there may be a file that is to be removed.
 */
export async function writeSealedFile(
  { duckdb, store }: WritingDeps,
  { fileId, storedPath }: { fileId: string; storedPath: string },
  readings: AsyncIterable<readonly StoredReading[]>,
): Promise<FileFacts | undefined> {
  await mkdir(store.stagingFolder, { recursive: true })
  const staged = path.join(store.stagingFolder, `${fileId}.parquet`)
  const work = path.join(store.stagingFolder, `${fileId}.duckdb`)
  try {
    const written = await withDuckdb(duckdb, work, async (connection) => await writeRows(duckdb, connection, readings, staged))
    if (written === undefined) return undefined
    const before = await sha256OfFile(staged)
    await store.put(staged, storedPath)
    const readBack = await contentOfFile(duckdb, store, storedPath)
    const { contentSha256, ...facts } = written
    if (readBack.sha256 !== before.sha256 || readBack.contentSha256 !== contentSha256 || readBack.readingCount !== facts.readingCount) {
      throw new Error(`the file ${storedPath} does not hold what was written to it`)
    }
    return { ...before, ...facts, contentSha256 }
  } finally {
    await removeStaged(store, fileId)
  }
}

/** What is needed while a file is being written; a process that was killed leaves it. */
export async function removeStaged({ stagingFolder }: FileStore, fileId: string): Promise<void> {
  const work = path.join(stagingFolder, `${fileId}.duckdb`)
  for (const left of [path.join(stagingFolder, `${fileId}.parquet`), work, `${work}.wal`, `${work}.spill`]) {
    await rm(left, { force: true, recursive: true })
  }
}

/** What is in a stored file, all of it read. */
export async function contentOfFile(
  duckdb: Duckdb,
  store: FileStore,
  storedPath: string,
): Promise<{ sha256: string; bytes: number; contentSha256: string; readingCount: number }> {
  const content = createHash('sha256')
  let readingCount = 0
  const { sha256, bytes } = await digestOf(store, storedPath)
  for await (const readings of readSealedFile(duckdb, store, storedPath)) {
    for (const reading of readings) content.update(lineOf(reading))
    readingCount += readings.length
  }
  return { sha256, bytes, contentSha256: content.digest('hex'), readingCount }
}

/** What is made of a file that was altered would pass for whole: a new one has hashes of its own. */
export async function requireAsSealed(
  store: FileStore,
  { path: storedPath, sha256 }: { readonly path: string; readonly sha256: string },
): Promise<void> {
  try {
    if ((await digestOf(store, storedPath)).sha256 === sha256) return
  } catch (cause) {
    throw notAsSealed(storedPath, cause)
  }
  throw notAsSealed(storedPath)
}

async function digestOf(store: FileStore, storedPath: string): ReturnType<typeof sha256OfFile> {
  const file = await store.fetch(storedPath)
  try {
    return await sha256OfFile(file)
  } finally {
    await discardFetched(store, file)
  }
}

function notAsSealed(storedPath: string, cause?: unknown): Error {
  return new Error(
    `The file ${storedPath} of the history is gone, or is not as it was sealed, so that no other can be made of it. Bring it back from a backup and repeat this; "npx roadworthy history verify" checks every file.`,
    { cause },
  )
}

/** The readings of a stored file in their order. */
export async function* readSealedFile(duckdb: Duckdb, store: FileStore, storedPath: string): AsyncGenerator<StoredReading[]> {
  const file = await store.fetch(storedPath)
  try {
    const instance = await openDuckdb(duckdb, ':memory:', store.stagingFolder)
    const connection = await instance.connect()
    try {
      const result = await connection.stream(readWholeFile(file))
      for await (const rows of result.yieldRowObjectJs()) yield rows.map((row) => fromSealedRow(row as SealedRow))
    } finally {
      connection.closeSync()
      instance.closeSync()
    }
  } finally {
    await discardFetched(store, file)
  }
}

async function withDuckdb<T>(duckdb: Duckdb, file: string, run: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await openDuckdb(duckdb, file, `${file}.spill`)
  const connection = await instance.connect()
  try {
    return await run(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

type Written = Omit<FileFacts, 'bytes' | 'sha256'>

async function writeRows(
  duckdb: Duckdb,
  connection: DuckDBConnection,
  readings: AsyncIterable<readonly StoredReading[]>,
  file: string,
): Promise<Written | undefined> {
  await connection.run(CREATE_PART)
  const appender = await connection.createAppender('part')
  const types = sealedColumns.map(([, type]) => duckdbType(duckdb, type))
  const content = createHash('sha256')
  const sealedRows = new SealedRows()
  let readingCount = 0
  let [firstUs, lastUs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [firstSourceId, lastSourceId] = ['', '']
  const subClientIds = new Set<string>()
  for await (const part of readings) {
    for (let at = 0; at < part.length; at += CHUNK_ROWS) {
      const rows = part.slice(at, at + CHUNK_ROWS).map((reading) => {
        content.update(lineOf(reading))
        subClientIds.add(reading.subClientId ?? '')
        firstUs = Math.min(firstUs, Number(reading.recordedAtUs))
        lastUs = Math.max(lastUs, Number(reading.recordedAtUs))
        return sealedRows.next(reading)
      })
      const chunk = duckdb.DuckDBDataChunk.create(types, rows.length)
      chunk.setColumns(sealedColumns.map(([name, type]) => rows.map((row) => duckdbValue(duckdb, type, row[name]))))
      appender.appendDataChunk(chunk)
    }
    if (readingCount === 0) firstSourceId = part[0]?.sourceId ?? ''
    lastSourceId = part.at(-1)?.sourceId ?? lastSourceId
    readingCount += part.length
  }
  appender.flushSync()
  appender.closeSync()
  if (readingCount === 0) return undefined
  await connection.run(writeFile(file))
  const [firstRecordedAt, lastRecordedAt] = [new Date(Math.floor(firstUs / 1000)), new Date(Math.floor(lastUs / 1000))]
  return {
    ...{ contentSha256: content.digest('hex'), readingCount, firstRecordedAt, lastRecordedAt, firstSourceId, lastSourceId },
    subClientIds: [...subClientIds].sort(),
  }
}

function duckdbType(duckdb: Duckdb, type: ColumnType): DuckDBType {
  const { VARCHAR, TIMESTAMPTZ, DOUBLE, BOOLEAN, BLOB, SMALLINT, INTEGER, LIST } = duckdb
  return {
    text: VARCHAR,
    time: TIMESTAMPTZ,
    number: DOUBLE,
    flag: BOOLEAN,
    texts: LIST(VARCHAR),
    bytes: BLOB,
    small: SMALLINT,
    whole: INTEGER,
  }[type]
}

function duckdbValue(duckdb: Duckdb, type: ColumnType, value: SealedValue): DuckDBValue {
  if (value === null) return null
  if (type === 'time') return new duckdb.DuckDBTimestampTZValue(value as bigint)
  if (type === 'texts') return duckdb.listValue([...(value as readonly string[])])
  if (type === 'bytes') return new duckdb.DuckDBBlobValue(value as Uint8Array)
  return value as string | number | boolean
}
