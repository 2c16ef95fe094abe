import type { Db } from '@roadworthy/service-kit/db'
import { type EngineInput, MAX_HISTORY, newestRecordedAtMs, toEngineInput } from './engine-input.ts'
import { selectKeptAcrossResellers } from './kept-vehicles.read.sql.ts'
import { type ScoringSubject, selectHistoriesAcrossResellers, selectScoringSubjectsAcrossResellers } from './scoring.sql.ts'
import { type VehicleKey, vehicleKeyText } from './vehicle-key.ts'

/** Earlier readings looked for. A day is longer than any stretch of driving the engine joins up. */
const HISTORY_WINDOW_MS = 24 * 3_600_000

export type LoadedSubject = ScoringSubject & {
  readonly input: EngineInput
  /** Recorded time of the newest reading of any source. */
  readonly readingAt: Date
}

/** What the engine is asked about each vehicle that ever reported, from what is stored now; in three statements, however many vehicles. */
export async function loadSubjectsAcrossResellers(db: Db, vehicles: readonly VehicleKey[]): Promise<LoadedSubject[]> {
  const subjects = (await selectScoringSubjectsAcrossResellers(db, vehicles)).map((subject) => {
    const readingAt = new Date(newestRecordedAtMs(subject.sources) ?? 0)
    return { ...subject, readingAt, before: readingAt }
  })
  const kept = await selectKeptAcrossResellers(db, subjects)
  const histories = await selectHistoriesAcrossResellers(db, subjects, { limit: MAX_HISTORY, windowMs: HISTORY_WINDOW_MS })
  return subjects.map((subject) => {
    const key = vehicleKeyText(subject)
    return { ...subject, input: toEngineInput({ ...subject, ...kept.get(key), history: histories.get(key) ?? [] }) }
  })
}
