// Adds readings to a week that is sealed already: those of a reseller that comes from elsewhere, and history of before. Its caller has the turn (`trySealingTurn`).

import type { StoredReading } from '../readings/stored-reading.ts'
import { nameFile, removeFile, type SealingDeps } from './seal-weeks.ts'
import { readSealedFile, requireAsSealed, writeSealedFile } from './sealed-file.ts'
import {
  insertFileAcrossResellers,
  type SealedFile,
  selectFilesOfWeekAcrossResellers,
  updateFileStateAcrossResellers,
  updateVerifiedAcrossResellers,
} from './sealed-files.sql.ts'

export type AddingDeps = Pick<SealingDeps, 'database' | 'duckdb' | 'store'>

/**
 * Writes the reseller's files of the week and month anew, as one that holds what they held and the readings, which come sorted by source, time and digest. A reading that is
 * there already stays as it is. In one transaction it takes their place. Answers how many were new; with none, everything stays.
 */
export async function addToSealedWeek(
  deps: AddingDeps,
  { resellerId, weekFrom, month }: { resellerId: string; weekFrom: Date; month: string },
  readings: AsyncIterable<readonly StoredReading[]>,
): Promise<number> {
  const { database, duckdb, store } = deps
  const files = (await selectFilesOfWeekAcrossResellers(database.systemPool, weekFrom)).filter(
    (file) => file.resellerId === resellerId && file.month === month && file.state === 'live',
  )
  for (const file of files) await requireAsSealed(store, file)
  const keptCount = files.reduce((sum, { readingCount }) => sum + readingCount, 0)
  const { fileId, path } = nameFile(resellerId, month, weekFrom)
  await insertFileAcrossResellers(database.systemPool, { fileId, resellerId, weekFrom, month, path })
  let merged = readings
  for (const file of files) merged = mergeReadings(readSealedFile(duckdb, store, file.path), merged)
  const facts = await writeSealedFile(deps, { fileId, storedPath: path }, merged)
  if (facts === undefined || facts.readingCount === keptCount) {
    await removeFile(deps, { fileId, path })
    return 0
  }
  await updateVerifiedAcrossResellers(database.systemPool, fileId, facts)
  await exchange(deps, files, fileId)
  return facts.readingCount - keptCount
}

async function exchange({ database }: AddingDeps, before: readonly SealedFile[], after: string): Promise<void> {
  await database.system(async (db) => {
    for (const { fileId } of before) await updateFileStateAcrossResellers(db, fileId, 'live', 'replaced')
    await updateFileStateAcrossResellers(db, after, 'verified', 'live')
  })
}

/** Two sorted streams as one. Of two readings with one key, the first stream's is kept. */
async function* mergeReadings(
  first: AsyncIterable<readonly StoredReading[]>,
  second: AsyncIterable<readonly StoredReading[]>,
): AsyncGenerator<StoredReading[], void> {
  const [a, b] = [new Ahead(first), new Ahead(second)]
  let part: StoredReading[] = []
  try {
    for (;;) {
      const [ofFirst, ofSecond] = [await a.head(), await b.head()]
      if (ofFirst === undefined && ofSecond === undefined) break
      const order = ofFirst === undefined ? 1 : ofSecond === undefined ? -1 : compareStored(ofFirst, ofSecond)
      part.push((order <= 0 ? ofFirst : ofSecond) as StoredReading)
      if (order <= 0) a.skip()
      if (order >= 0) b.skip()
      if (part.length === PART_ROWS) {
        yield part
        part = []
      }
    }
    if (part.length > 0) yield part
  } finally {
    await Promise.all([a.close(), b.close()])
  }
}

const PART_ROWS = 2_048

/** By source, time and digest, as PostgreSQL's collation "C" orders them. */
export function compareStored(a: StoredReading, b: StoredReading): number {
  if (a.sourceId !== b.sourceId) return a.sourceId < b.sourceId ? -1 : 1
  if (a.recordedAtUs !== b.recordedAtUs) return a.recordedAtUs < b.recordedAtUs ? -1 : 1
  if (a.digestHex === b.digestHex) return 0
  return a.digestHex < b.digestHex ? -1 : 1
}

/** A stream of parts, reading by reading. */
class Ahead {
  readonly #parts: AsyncIterator<readonly StoredReading[]>
  #part: readonly StoredReading[] = []
  #at = 0

  constructor(parts: AsyncIterable<readonly StoredReading[]>) {
    this.#parts = parts[Symbol.asyncIterator]()
  }

  async head(): Promise<StoredReading | undefined> {
    while (this.#at >= this.#part.length) {
      const next = await this.#parts.next()
      if (next.done === true) return undefined
      this.#part = next.value
      this.#at = 0
    }
    return this.#part[this.#at]
  }

  skip(): void {
    this.#at++
  }

  async close(): Promise<void> {
    await this.#parts.return?.()
  }
}
