// Imports readings of before, while the service runs: the source is read twice, first to check all of it, then to store it. A reading is known by its content, so an import
// that was interrupted is run again.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { createDirectory, type Directory } from '../devices/directory.ts'
import { keptDaysBy, selectRetention } from '../history/retention.sql.ts'
import type { SealingDeps } from '../history/seal-weeks.ts'
import { selectSealedAcrossResellers } from '../history/sealed-files.sql.ts'
import { type CreateDeps, createDevices } from './create-devices.ts'
import { judgePast, type PastJudge, type PastTerms } from './judge-past.ts'
import { BackfillProblem, type PastSource } from './past-source.ts'
import { type PlannedFleet, planFleet } from './planned-fleet.ts'
import { PastStore } from './store-past.ts'
import { type Found, Tally } from './tally.ts'

export type BackfillRequest = PastJudge & {
  readonly source: PastSource
  readonly database: Database
  readonly systemUrl: string
  /** Only checks. */
  readonly isCheck: boolean
  /** For how many days the service keeps readings, unless the reseller sets it otherwise. */
  readonly retentionDays: number
  /** Stores what can be stored, whatever is refused. */
  readonly skipsInvalid: boolean
  readonly create: CreateDeps
  readonly author: Author
  /** Runs with the turn of who writes files of the history; undefined: no place for it is set, or DuckDB is not installed. */
  readonly withSealing: (<T>(run: (deps: SealingDeps) => Promise<T>) => Promise<T | undefined>) | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, text: string) => void) | undefined
  /** Called when `signal` ends it while it stores, with how many readings it has stored. */
  readonly onStopped?: ((newCount: number) => void) | undefined
}

type Judging = BackfillRequest & { readonly terms: PastTerms }

export type Backfilled = {
  readonly found: Found
  /** IMEIs of devices, references of vehicles: created, or to be created where it is a check. */
  readonly newDevices: readonly string[]
  readonly newVehicles: readonly string[]
  /** Undefined: nothing was imported, as it is a check, or as something is refused. */
  readonly stored: { readonly newCount: number; readonly knownCount: number } | undefined
  readonly sealedUntil: Date | undefined
}

/** Of the progress, what checking is shown to take. */
const CHECKED = 0.4

export async function backfill(asked: BackfillRequest): Promise<Backfilled> {
  const { database, isCheck, skipsInvalid, source, withSealing } = asked
  const request: Judging = { ...asked, terms: await termsOf(asked) }
  const directory = createDirectory({ database, now: () => new Date(), onFleetChanged: () => undefined })
  const sealed = await selectSealedAcrossResellers(database.systemPool)
  const { found, planned } = await check(request, directory, sealed?.until)
  const [newDevices, newVehicles] = [[...planned.newDevices.keys()], [...planned.newVehicles.keys()]]
  const outcome = { found, newDevices, newVehicles, sealedUntil: sealed?.until }
  if (isCheck || found.readingCount === 0 || (found.refusedCount > 0 && !skipsInvalid)) return { ...outcome, stored: undefined }
  if (found.sealedCount > 0 && withSealing === undefined) throw cannotSeal(found.sealedCount, sealed?.until)
  await createDevices(request.create, { resellerId: request.resellerId, subClientPin: request.subClientId }, source, newDevices)
  directory.forget(request.resellerId)
  const newCount = await storeWithTurn(request, directory)
  return { ...outcome, stored: { newCount, knownCount: Math.max(0, found.readingCount - newCount) } }
}

async function termsOf({ database, resellerId, retentionDays }: BackfillRequest): Promise<PastTerms> {
  const terms = await selectRetention(database.systemPool, resellerId)
  const keptDays = keptDaysBy(terms, retentionDays)
  return { keptDays, longestDays: Math.max(keptDays(undefined), ...terms.map(({ subClientId }) => keptDays(subClientId))) }
}

function cannotSeal(count: number, until: Date | undefined): BackfillProblem {
  return new BackfillProblem(
    `${count} readings are of before ${until?.toISOString() ?? ''}, which this installation keeps in files of the history, and where these are is not set here, or DuckDB is not ` +
      'installed. Set HISTORY_DIR or HISTORY_S3_… as for the service. Nothing was imported.',
  )
}

async function check(
  request: Judging,
  directory: Directory,
  sealedUntil: Date | undefined,
): Promise<{ found: Found; planned: PlannedFleet }> {
  const { source, signal, onProgress, createsMissing, subClientId, isCheck, skipsInvalid } = request
  const planned = planFleet(directory, subClientId)
  const tally = new Tally(sealedUntil)
  for await (const { records, share } of source.read()) {
    signal?.throwIfAborted()
    for (const judged of await judgePast(request, createsMissing ? planned.directory : directory, records)) {
      if ('refusal' in judged) tally.refuse(judged.place, judged.refusal)
      else tally.add(judged.reading, judged.warnings)
    }
    onProgress?.(share * (isCheck ? 1 : CHECKED), 'checking')
    // There is more to mend than is listed: the rest of the source need not be read.
    if (tally.isFull && !skipsInvalid) break
  }
  return { found: tally.found(), planned }
}

/** With the turn of who writes files of the history, so that no week is sealed meanwhile. */
async function storeWithTurn(request: Judging, directory: Directory): Promise<number> {
  const { withSealing } = request
  if (withSealing === undefined) return await storeAll(request, directory, undefined)
  const stored = await withSealing((sealing) => storeAll(request, directory, sealing))
  if (stored !== undefined) return stored
  throw new BackfillProblem(
    'Another import, a sealing of readings into files, or an erasure is under way, and one is done at a time. No reading was imported: run the import again when it is done.',
  )
}

async function storeAll(request: Judging, directory: Directory, sealing: SealingDeps | undefined): Promise<number> {
  const { source, database, systemUrl, resellerId, signal, onProgress } = request
  const sealed = await selectSealedAcrossResellers(database.systemPool)
  const store = new PastStore({ database, systemUrl, resellerId, sealedUntil: sealed?.until, sealing })
  const tally = new Tally(sealed?.until)
  try {
    for await (const { records, share } of source.read()) {
      signal?.throwIfAborted()
      const judged = await judgePast(request, directory, records)
      for (const each of judged) {
        if ('reading' in each) tally.add(each.reading)
        else if (!request.skipsInvalid) throw changedMeanwhile(source, each.place, each.refusal.text)
      }
      await store.add(judged.flatMap((each) => ('reading' in each ? each.reading : [])))
      onProgress?.(CHECKED + share * (1 - CHECKED), 'storing')
    }
    const newCount = await store.finish(({ month }) => {
      signal?.throwIfAborted()
      onProgress?.(1, `files of ${month}`)
    }, signal)
    if (newCount > 0) await writeEntry(request, newCount, tally.found())
    return newCount
  } catch (error) {
    // What was stored stays, and the next import counts it as known. Any other error is of the database, which then takes no entry either.
    const isInterrupted = signal?.aborted === true || error instanceof BackfillProblem
    if (isInterrupted && store.newCount > 0) await writeEntry(request, store.newCount, tally.found())
    if (signal?.aborted === true) request.onStopped?.(store.newCount)
    throw error
  } finally {
    await store.close()
  }
}

function changedMeanwhile(source: PastSource, place: string, why: string): BackfillProblem {
  return new BackfillProblem(
    `${source.name}, ${place}, could be imported when it was checked and cannot now: ${why}. What was stored stays; run the import again.`,
  )
}

async function writeEntry(
  { database, author, source, resellerId, subClientId }: BackfillRequest,
  newCount: number,
  found: Found,
): Promise<void> {
  const { firstRecordedAt, lastRecordedAt } = found
  const after = { kind: source.kind, readings: newCount, from: firstRecordedAt, until: lastRecordedAt }
  await database.tenant(resellerId, (db) =>
    writeAudit(db, author, { action: 'readings.imported', objectId: resellerId, subClientId, after }),
  )
}
