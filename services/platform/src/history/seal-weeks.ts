// Moves weeks of readings from PostgreSQL into files. Each step may be the last of its process: see README.md.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { WEEK_MS } from '@roadworthy/service-kit/time/weeks'
import type { StoredReading } from '../readings/stored-reading.ts'
import type { Duckdb } from './duckdb.ts'
import type { FileStore } from './file-store.ts'
import { removeStaged, writeSealedFile } from './sealed-file.ts'
import {
  closePartition,
  deleteFileAcrossResellers,
  insertFileAcrossResellers,
  selectFilesOfWeekAcrossResellers,
  selectSealedAcrossResellers,
  selectUnfinishedAcrossResellers,
  updateVerifiedAcrossResellers,
  updateWeekLiveAcrossResellers,
  upsertSealedUntilAcrossResellers,
} from './sealed-files.sql.ts'
import { readStoredReadings, type SourceCount, type Span, selectSourcesAcrossResellers } from './week.read.sql.ts'

export type SealingDeps = {
  readonly database: Database
  /** Of the system role; its statements may take minutes. */
  readonly slowDb: Db
  readonly store: FileStore
  readonly duckdb: Duckdb
}

/** A partition of the readings, which is a week from Monday to Monday in UTC. */
export type Week = Span & { readonly partition: string }
export type SealedWeek = { readonly from: Date; readonly fileCount: number; readonly readingCount: number; readonly bytes: number }

/** Longer than any request that began before may read a file, or rows of a week that is sealed. */
export const READ_FOR_S = 120

/**
 * Oldest first, which must be the oldest there are; those that another process sealed meanwhile are passed over. Whoever calls it has the turn
 * (`trySealingTurn`). Ends early, with what is sealed, when the signal aborts.
 */
export async function sealWeeks(deps: SealingDeps, weeks: readonly Week[], signal: AbortSignal): Promise<SealedWeek[]> {
  await removeUnfinished(deps)
  const sealed: SealedWeek[] = []
  for (const week of weeks) {
    if (signal.aborted) break
    const boundary = await selectSealedAcrossResellers(deps.database.systemPool)
    if (boundary !== undefined && week.from < boundary.until) continue
    sealed.push(await sealWeek(deps, week))
  }
  return sealed
}

type RemovingDeps = Pick<SealingDeps, 'database' | 'store'>

export async function removeUnfinished(deps: RemovingDeps): Promise<void> {
  for (const file of await selectUnfinishedAcrossResellers(deps.database.systemPool, READ_FOR_S)) await removeFile(deps, file)
}

/** Of a file that is not live. The file goes first: a row without a file is found again, a file without a row is not. */
export async function removeFile({ database, store }: RemovingDeps, { fileId, path }: { fileId: string; path: string }): Promise<void> {
  await removeStaged(store, fileId)
  await store.remove(path)
  await deleteFileAcrossResellers(database.systemPool, fileId)
}

async function sealWeek(deps: SealingDeps, week: Week): Promise<SealedWeek> {
  const { database, slowDb } = deps
  await closePartition(database.systemPool, week.partition)
  const parts = Map.groupBy(await selectSourcesAcrossResellers(slowDb, week), partOf)
  const done = await keepVerified(deps, week, parts)
  for (const [part, ofPart] of parts) {
    if (done.has(part)) continue
    const [stored, sealed] = [countOf(ofPart), await sealPart(deps, week, ofPart)]
    if (sealed !== stored) throw new Error(`${part}: ${stored} readings are stored and ${sealed} are in its file`)
  }
  await database.system(async (db) => {
    const count = await updateWeekLiveAcrossResellers(db, week.from)
    if (count !== parts.size) throw new Error(`the week has ${parts.size} files and ${count} of them are verified`)
    if (!(await upsertSealedUntilAcrossResellers(db, week.to))) throw new Error('the week is sealed already')
  })
  const files = await selectFilesOfWeekAcrossResellers(database.systemPool, week.from)
  const sum = (of: 'readingCount' | 'bytes') => files.reduce((total, file) => total + file[of], 0)
  return { from: week.from, fileCount: files.length, readingCount: sum('readingCount'), bytes: sum('bytes') }
}

/**
 * The parts that an interrupted sealing has files of. In a closed partition readings are only deleted, as their retention or `history erase` does: a file
 * that holds more than is stored by now is removed, and its part is sealed anew.
 */
async function keepVerified(
  deps: SealingDeps,
  week: Week,
  parts: ReadonlyMap<string, readonly SourceCount[]>,
): Promise<ReadonlySet<string>> {
  const files = await selectFilesOfWeekAcrossResellers(deps.database.systemPool, week.from)
  const kept = new Set<string>()
  for (const file of files.filter(({ state }) => state === 'verified')) {
    const part = partOf(file)
    if (countOf(parts.get(part) ?? []) === file.readingCount) kept.add(part)
    else await removeFile(deps, file)
  }
  return kept
}

const countOf = (sources: readonly SourceCount[]) => sources.reduce((sum, { count }) => sum + count, 0)
const partOf = ({ resellerId, month }: { resellerId: string; month: string }) => `${resellerId} ${month}`

/** One reseller's readings of the week in one month. Answers how many. */
async function sealPart(deps: SealingDeps, week: Week, sources: readonly SourceCount[]): Promise<number> {
  const [first] = sources
  if (first === undefined) return 0
  const { resellerId, month } = first
  const { fileId, path } = nameFile(resellerId, month, week.from)
  await insertFileAcrossResellers(deps.database.systemPool, { fileId, resellerId, weekFrom: week.from, month, path })
  const readings = readingsOf(deps.slowDb, resellerId, sources, withinMonth(week, month))
  const facts = await writeSealedFile(deps, { fileId, storedPath: path }, readings)
  if (facts === undefined) return 0
  await updateVerifiedAcrossResellers(deps.database.systemPool, fileId, facts)
  return facts.readingCount
}

/** Ids of resellers are letters, digits and hyphens (`0001_access.sql`), which mean nothing in a path or a key. */
export function nameFile(resellerId: string, month: string, weekFrom: Date): { fileId: string; path: string } {
  const fileId = newId('srf')
  const week = weekFrom.toISOString().slice(0, 10)
  return { fileId, path: `reseller=${resellerId}/month=${month}/${week}-${fileId}.parquet` }
}

/** From a Monday on. */
export function weekSpan(from: Date): Span {
  return { from, to: new Date(from.getTime() + WEEK_MS) }
}

export function withinMonth({ from, to }: Span, month: string): Span {
  const start = new Date(`${month}-01T00:00:00.000Z`)
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
  return { from: from > start ? from : start, to: to < end ? to : end }
}

async function* readingsOf(db: Db, resellerId: string, sources: readonly SourceCount[], span: Span): AsyncGenerator<StoredReading[]> {
  for (const { sourceId } of sources) yield* readStoredReadings(db, resellerId, { sourceId, span })
}
