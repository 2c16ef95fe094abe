// Takes out for good what a vehicle or a device reported, wherever it is: in PostgreSQL and in files.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import {
  deleteErasedMessages,
  deleteErasedReadings,
  deleteErasedStates,
  type Erased,
  type Span,
  selectErasedSources,
} from '../readings/erase.sql.ts'
import { type IsRemoved, isOf, type Rewritten } from './rewrite-files.ts'
import type { SealingDeps } from './seal-weeks.ts'
import { selectSealedAcrossResellers } from './sealed-files.sql.ts'

/** Few enough that others hardly wait for their locks. */
const ROWS_PER_DELETE = 5_000

export type ErasedCounts = {
  /** Readings that were in PostgreSQL alone. */
  readonly storedCount: number
  /** Readings that were in files, and the files that held them. */
  readonly files: Rewritten
}

/**
 * The caller has the turn (`trySealingTurn`), so that no reading moves from PostgreSQL into files meanwhile. After an interruption, call it again: it deletes the rest.
 * `rewriteFiles` is undefined where the instance has no files.
 */
export async function eraseReadings(
  { database, slowDb }: Pick<SealingDeps, 'database' | 'slowDb'>,
  erased: Erased,
  rewriteFiles: ((isRemoved: IsRemoved) => Promise<Rewritten>) | undefined,
  author: Author,
): Promise<ErasedCounts> {
  const files = (await rewriteFiles?.(isOf(erased))) ?? { fileCount: 0, removedCount: 0 }
  const { systemPool } = database
  const sources = await selectErasedSources(systemPool, erased)
  const sealed = await selectSealedAcrossResellers(systemPool)
  const storedCount = await deleteAll(slowDb, erased, { sources, from: sealed?.until })
  // A partition that was sealed is dropped within minutes: until then what is in files is there once more.
  if (sealed !== undefined) await deleteAll(slowDb, erased, { sources, to: sealed.until })
  await deleteErasedStates(systemPool, erased, sources)
  await deleteErasedMessages(systemPool, erased, sources)
  await database.tenant(erased.resellerId, async (db) => {
    const objectId = erased.vehicleId ?? erased.deviceId ?? ''
    const after = { deviceId: erased.deviceId, readings: storedCount + files.removedCount, files: files.fileCount }
    await writeAudit(db, author, { action: 'readings.erased', objectId, after })
  })
  return { storedCount, files }
}

/** Of a device that was in another vehicle before, millions of readings may have to be passed over. */
async function deleteAll(db: Db, erased: Erased, which: { readonly sources: readonly string[] } & Span): Promise<number> {
  for (let count = 0; ; ) {
    const deleted = await deleteErasedReadings(db, erased, which, ROWS_PER_DELETE)
    count += deleted
    if (deleted < ROWS_PER_DELETE) return count
  }
}
