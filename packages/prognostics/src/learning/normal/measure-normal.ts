// How often the learned normal calls sound driving unusual, asked as the engine asks: reading by reading, with the history before each.
import { MAX_HISTORY, type Observation } from '../../inputs/observation.ts'
import { buildTimeline } from '../../inputs/timeline.ts'
import type { LearnedNormal } from './learned-normal.ts'

export type FalseAlarms = {
  readonly readings: number
  readonly engineHours: number
  /** Readings that are called unusual. */
  readonly detectedReadings: number
  /** Times it begins to call readings unusual. */
  readonly alarms: number
}

const MS_PER_HOUR = 3_600_000
/** Readings further apart are no driving. */
const MAX_GAP_MS = 30_000
/** Silent for this long, the next one is another alarm. */
const SAME_ALARM_WITHIN_MS = 60_000
const EVERY_MS = 1000
const ALMOST = 0.9

/** Of one sound trip, at one reading a second. */
export function countFalseAlarms(judge: LearnedNormal, trip: readonly Observation[]): FalseAlarms {
  let dueMs = Number.NEGATIVE_INFINITY
  const kept = trip.filter(({ recordedAtMs }) => {
    if (recordedAtMs < dueMs) return false
    dueMs = recordedAtMs + EVERY_MS * ALMOST
    return true
  })
  let [engineMs, detectedReadings, alarms, lastAlarmMs] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  for (const [index, observation] of kept.entries()) {
    const { recordedAtMs } = observation
    engineMs += Math.min(MAX_GAP_MS, recordedAtMs - (kept[index - 1]?.recordedAtMs ?? recordedAtMs))
    const history = kept.slice(Math.max(0, index - MAX_HISTORY), index)
    const timeline = buildTimeline({ ...observation, history, ageDays: undefined, previousStatus: undefined })
    if (!judge(timeline).isDetected) continue
    detectedReadings++
    if (recordedAtMs - lastAlarmMs > SAME_ALARM_WITHIN_MS) alarms++
    lastAlarmMs = recordedAtMs
  }
  return { readings: kept.length, engineHours: engineMs / MS_PER_HOUR, detectedReadings, alarms }
}

export function addUp(parts: readonly FalseAlarms[]): FalseAlarms {
  const sum = (key: keyof FalseAlarms) => parts.reduce((total, part) => total + part[key], 0)
  return {
    readings: sum('readings'),
    engineHours: sum('engineHours'),
    detectedReadings: sum('detectedReadings'),
    alarms: sum('alarms'),
  }
}
