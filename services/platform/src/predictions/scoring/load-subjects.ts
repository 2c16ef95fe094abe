import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type EngineInput, MAX_HISTORY, newestRecordedAtMs, toEngineInput } from '../engine/engine-input.ts'
import { selectKeptAcrossResellers } from '../kept-vehicles.read.sql.ts'
import { type VehicleKey, vehicleKeyText } from '../vehicle-key.ts'
import { type ScoringSubject, selectHistoriesAcrossResellers, selectScoringSubjectsAcrossResellers } from './scoring.sql.ts'

const DAY_MS = 24 * 3_600_000
/** Earlier readings looked for. A day is longer than any stretch of driving. */
const HISTORY_WINDOW_MS = DAY_MS
/** Of a vehicle with fewer readings in it: what it reported in the week before, and a day for being late, so that what holds is found where it reports that rarely. */
const RARE_BELOW = 10
const RARE_WINDOW_MS = 8 * DAY_MS

export type LoadedSubject = ScoringSubject & {
  readonly input: EngineInput
  /** Recorded time of the newest reading of any source. */
  readonly readingAt: Date
}

/**
 * What the engine is asked about each vehicle that ever reported, from what is stored now; in four statements at most, however many vehicles. `sourceIds`: of the
 * vehicles, where only the nodes that have them can be asked.
 */
export async function loadSubjectsAcrossResellers(
  db: Db,
  vehicles: readonly VehicleKey[],
  sourceIds?: readonly string[],
): Promise<LoadedSubject[]> {
  const subjects = (await selectScoringSubjectsAcrossResellers(db, vehicles, sourceIds)).map((subject) => {
    const readingAt = new Date(newestRecordedAtMs(subject.sources) ?? 0)
    return { ...subject, readingAt, before: readingAt }
  })
  const kept = await selectKeptAcrossResellers(db, subjects)
  const asked = { limit: MAX_HISTORY, isOfSomeNodes: sourceIds !== undefined }
  const recent = await selectHistoriesAcrossResellers(db, subjects, { ...asked, windowMs: HISTORY_WINDOW_MS })
  const rare = subjects.filter((subject) => (recent.get(vehicleKeyText(subject))?.length ?? 0) < RARE_BELOW && hasJustBeenRead(subject))
  const histories = new Map([...recent, ...(await selectHistoriesAcrossResellers(db, rare, { ...asked, windowMs: RARE_WINDOW_MS }))])
  return subjects.map((subject) => {
    const key = vehicleKeyText(subject)
    return { ...subject, input: toEngineInput({ ...subject, ...kept.get(key), history: histories.get(key) ?? [] }) }
  })
}

/** A device that sends its position every second and nothing else has a great many rows, none of which the engine is shown. */
function hasJustBeenRead({ sources, readingAt }: ScoringSubject & { readonly readingAt: Date }): boolean {
  return sources.some(({ signals, states }) =>
    [...Object.values(signals), ...Object.values(states)].some(([, recordedAtMs]) => recordedAtMs === readingAt.getTime()),
  )
}
