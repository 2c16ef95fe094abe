// Puts readings where they are looked for: in PostgreSQL, or in files of the history where their weeks are sealed. What is there already stays. Only the log is written: nothing is
// metered, nothing is due for scoring, and nobody is notified.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { mondayMs } from '@roadworthy/service-kit/time/weeks'
import { addToSealedWeek } from '../history/add-to-week.ts'
import { forgetCleared } from '../history/cleared.sql.ts'
import type { SealingDeps } from '../history/seal-weeks.ts'
import { KnownSources } from '../ingest/known-sources.ts'
import { insertFirstStates } from '../readings/first-states.sql.ts'
import { LatestStateFold } from '../readings/latest-state.ts'
import { insertPastReadings } from '../readings/past.sql.ts'
import type { Reading } from '../readings/reading.ts'
import { ensureReadingPartitions } from '../readings/readings.sql.ts'
import type { StoredReading } from '../readings/stored-reading.ts'
import { BackfillProblem } from './past-source.ts'
import { type SealedPart, StagedReadings } from './staged-readings.sql.ts'

export type StoreDeps = {
  readonly database: Database
  readonly systemUrl: string
  readonly resellerId: string
  /** What was recorded before is in files. */
  readonly sealedUntil: Date | undefined
  /** Undefined: files of the history cannot be written here. */
  readonly sealing: SealingDeps | undefined
}

const US_PER_MS = 1_000n
const STATES_AT_ONCE = 1_000

export class PastStore {
  readonly #deps: StoreDeps
  readonly #knownSources: KnownSources
  readonly #states = new LatestStateFold()
  readonly #madeWeeks = new Set<number>()
  #staged: StagedReadings | undefined
  #newCount = 0

  constructor(deps: StoreDeps) {
    this.#deps = deps
    this.#knownSources = new KnownSources(deps.database)
  }

  /** How many readings that were new are stored. */
  get newCount(): number {
    return this.#newCount
  }

  async add(readings: readonly Reading[]): Promise<void> {
    if (readings.length === 0) return
    await this.#knownSources.note(readings)
    const sealedUntilMs = this.#deps.sealedUntil?.getTime() ?? Number.NEGATIVE_INFINITY
    const { hot = [], sealed = [] } = Object.groupBy(readings, ({ recordedAtMs }) => (recordedAtMs < sealedUntilMs ? 'sealed' : 'hot'))
    if (hot.length > 0) await this.#storeHot(hot)
    if (sealed.length > 0) await this.#stage(sealed)
    // By when it was recorded: nobody is to look as if they had reported today.
    for (const reading of readings) this.#states.add({ ...reading, receivedAtMs: reading.recordedAtMs })
  }

  async #storeHot(readings: readonly Reading[]): Promise<void> {
    const { database, resellerId } = this.#deps
    for (const weekMs of new Set(readings.map(({ recordedAtMs }) => mondayMs(recordedAtMs)))) {
      if (this.#madeWeeks.has(weekMs)) continue
      await ensureReadingPartitions(database.systemPool, new Date(weekMs), new Date(weekMs))
      this.#madeWeeks.add(weekMs)
    }
    const { newCount, storedCount } = await insertPastReadings(database.systemPool, resellerId, readings.map(toStored))
    if (storedCount !== readings.length) throw new BackfillProblem('Readings of these devices are there as those of another reseller.')
    await forgetCleared(database.systemPool, resellerId)
    this.#newCount += newCount
  }

  async #stage(readings: readonly Reading[]): Promise<void> {
    this.#staged ??= await StagedReadings.open(this.#deps.systemUrl)
    await this.#staged.add(
      readings.map((reading) => ({
        weekFrom: new Date(mondayMs(reading.recordedAtMs)),
        month: new Date(reading.recordedAtMs).toISOString().slice(0, 7),
        reading: toStored(reading),
      })),
    )
  }

  /** Writes what goes into files, and where vehicles are last known to have been. Answers how many readings were new. A file that `signal` interrupts is as one of an import that was killed. */
  async finish(onPart: (part: SealedPart) => void, signal?: AbortSignal): Promise<number> {
    const { database, resellerId, sealing } = this.#deps
    if (this.#staged !== undefined) {
      if (sealing === undefined) throw new Error('there is nothing to write files with')
      for (const part of await this.#staged.parts()) {
        onPart(part)
        const readings = untilAborted(this.#staged.readings(part), signal)
        this.#newCount += await addToSealedWeek(sealing, { resellerId, ...part }, readings)
      }
    }
    const states = this.#states.states()
    for (let at = 0; at < states.length; at += STATES_AT_ONCE) {
      await insertFirstStates(database.systemPool, states.slice(at, at + STATES_AT_ONCE))
    }
    // Sources are found by their states.
    await forgetCleared(database.systemPool, resellerId)
    return this.#newCount
  }

  async close(): Promise<void> {
    await this.#staged?.close()
  }
}

/** A file may have a million readings: who stops does not wait for all of them. */
async function* untilAborted<T>(parts: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void> {
  for await (const part of parts) {
    signal?.throwIfAborted()
    yield part
  }
}

function toStored(reading: Reading): StoredReading {
  const { sourceId, digestHex, kind, deviceId, vehicleId, subClientId, position } = reading
  return {
    ...{ sourceId, digestHex, kind, deviceId: deviceId ?? null, vehicleId: vehicleId ?? null, subClientId: subClientId ?? null },
    recordedAtUs: BigInt(reading.recordedAtMs) * US_PER_MS,
    receivedAtUs: BigInt(reading.receivedAtMs) * US_PER_MS,
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
    signals: JSON.parse(reading.signalsJson ?? '{}') as StoredReading['signals'],
    attributes: JSON.parse(reading.attributesJson ?? '{}') as StoredReading['attributes'],
  }
}
