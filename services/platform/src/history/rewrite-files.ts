// Sealed files again without some of their readings: what somebody has a right to have forgotten. The files of before go when no answer is read from them
// any more.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { StoredReading } from '../readings/stored-reading.ts'
import type { SealingDeps } from './seal-weeks.ts'
import { nameFile, removeFile, removeUnfinished } from './seal-weeks.ts'
import { readSealedFile, requireAsSealed, writeSealedFile } from './sealed-file.ts'
import {
  insertFileAcrossResellers,
  type SealedFile,
  selectLiveFiles,
  selectVerifiedFiles,
  updateFileStateAcrossResellers,
  updateVerifiedAcrossResellers,
} from './sealed-files.sql.ts'

export type Rewritten = { readonly fileCount: number; readonly removedCount: number }
export type IsRemoved = (reading: StoredReading) => boolean

/** Readings of a vehicle, whichever device reported them; and those of a device, in whichever vehicle it was. */
export function isOf({ vehicleId, deviceId }: { vehicleId?: string | undefined; deviceId?: string | undefined }): IsRemoved {
  return (reading) =>
    (vehicleId !== undefined && reading.vehicleId === vehicleId) || (deviceId !== undefined && reading.deviceId === deviceId)
}

/**
 * Every live file of the reseller that holds such a reading is written anew without them. Files of a week whose sealing was interrupted go: that week is still in
 * PostgreSQL, and is sealed anew. Its caller has the turn (`trySealingTurn`).
 */
export async function rewriteWithout(deps: SealingDeps, resellerId: string, isRemoved: IsRemoved): Promise<Rewritten> {
  await removeUnfinished(deps)
  for (const file of await selectVerifiedFiles(deps.database.systemPool, resellerId)) await removeFile(deps, file)
  let [fileCount, removedCount] = [0, 0]
  for (const file of await selectLiveFiles(deps.database.systemPool, resellerId)) {
    const removed = await countOf(deps, file, isRemoved)
    if (removed === 0) continue
    await rewriteFile(deps, file, isRemoved, file.readingCount - removed)
    fileCount++
    removedCount += removed
  }
  return { fileCount, removedCount }
}

/** A file that is lost now may come back from a backup, with the readings in it: they do not count as removed. */
export async function countOf({ duckdb, store }: SealingDeps, file: SealedFile, isCounted: IsRemoved): Promise<number> {
  await requireAsSealed(store, file)
  let count = 0
  for await (const part of readSealedFile(duckdb, store, file.path)) count += part.filter(isCounted).length
  return count
}

/** Without any left, it goes. */
export async function rewriteFile(deps: SealingDeps, file: SealedFile, isRemoved: IsRemoved, keptCount: number): Promise<void> {
  const { database, duckdb, store } = deps
  if (keptCount === 0) return await database.system((db) => updateFileStateAcrossResellers(db, file.fileId, 'live', 'replaced'))
  const { resellerId, month, weekFrom } = file
  const { fileId, path } = nameFile(resellerId, month, weekFrom)
  await insertFileAcrossResellers(database.systemPool, { fileId, resellerId, weekFrom, month, path })
  const kept = async function* (): AsyncGenerator<StoredReading[]> {
    for await (const part of readSealedFile(duckdb, store, file.path)) yield part.filter((each) => !isRemoved(each))
  }
  const facts = await writeSealedFile(deps, { fileId, storedPath: path }, kept())
  if (facts?.readingCount !== keptCount)
    throw new Error(`${file.path}: ${keptCount} readings are to stay and ${facts?.readingCount ?? 0} did`)
  await updateVerifiedAcrossResellers(database.systemPool, fileId, facts)
  await exchange(database, file.fileId, fileId)
}

/** At once: whoever asks sees one of the two. */
async function exchange(database: Database, before: string, after: string): Promise<void> {
  await database.system(async (db) => {
    await updateFileStateAcrossResellers(db, before, 'live', 'replaced')
    await updateFileStateAcrossResellers(db, after, 'verified', 'live')
  })
}
