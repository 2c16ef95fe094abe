// What is due changes as days pass and kilometres are driven: schedules are looked at again every few minutes, and at once when a person
// changes their state. Their alerts follow.

import { type Database, type Db, inSavepoint } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { localTextAt } from '@roadworthy/service-kit/time/zoned-time'
import type { ReportedAlert } from '../alerts/alert.ts'
import { type ScheduleVerdict, settleScheduledAlertsAcrossResellers } from '../alerts/settle-scheduled-alerts.ts'
import type { Ending } from '../incidents/incident.ts'
import type { JobKind } from '../jobs/job.ts'
import { periodicJob } from '../jobs/periodic-job.ts'
import { vehicleKeyText } from '../predictions/vehicle-key.ts'
import { selectResellerTerms } from '../resellers/resellers.sql.ts'
import { bounded, oneLine } from '../words/one-line.ts'
import { type Due, dueOf, judgeSchedule, type Schedule, withMetersKnown } from './schedule.ts'
import { takeSchedulesToReviewAcrossResellers, updateReviewedAcrossResellers, updateUnjudgedAcrossResellers } from './schedules.sql.ts'
import { nothingKnown, selectUseAcrossResellers } from './use.read.sql.ts'

export type ReviewDeps = {
  readonly database: Database
  readonly now: () => Date
  /** A schedule that could not be judged; it is tried again as all are, and holds up no other. */
  readonly onUnjudged: (schedule: Schedule, error: unknown) => void
}

const REVIEW_INTERVAL_MS = 5 * 60_000
const BATCH_SIZE = 500
/** Between two looks for schedules whose interval is over. */
const ROUND_MS = 30_000
/** Schedules that cannot be judged, each logged once; a program that fails on more of them has logged enough. */
const MAX_LOGGED = 1_000
/** Of the work, in the title of its alert, which is to fit the subject of a message beside the name of the vehicle. */
const MAX_NAMED_CHARACTERS = 80

/** One round; answers how many schedules were looked at. Of two processes at it at once each takes others. Ends early when aborted. */
export async function reviewSchedules({ database, now, onUnjudged }: ReviewDeps, signal?: AbortSignal): Promise<number> {
  const at = now()
  let reviewed = 0
  for (;;) {
    const taken = await database.system(async (db) => {
      const schedules = await takeSchedulesToReviewAcrossResellers(db, REVIEW_INTERVAL_MS, BATCH_SIZE)
      await settleIsolatingAcrossResellers(db, schedules, at, onUnjudged)
      return schedules.length
    })
    reviewed += taken
    if (taken < BATCH_SIZE || signal?.aborted === true) return reviewed
  }
}

/** Of schedules that cannot be judged together, the halves are, down to the one that cannot be judged by itself. */
async function settleIsolatingAcrossResellers(
  db: Db,
  schedules: readonly Schedule[],
  at: Date,
  onUnjudged: ReviewDeps['onUnjudged'],
): Promise<void> {
  try {
    await inSavepoint(db, () => settleSchedulesAcrossResellers(db, schedules, at))
  } catch (error) {
    if (isOutage(error)) throw error
    const [only] = schedules
    if (only !== undefined && schedules.length === 1) {
      await updateUnjudgedAcrossResellers(db, [only])
      return onUnjudged(only, error)
    }
    const middle = schedules.length >> 1
    for (const half of [schedules.slice(0, middle), schedules.slice(middle)]) {
      await settleIsolatingAcrossResellers(db, half, at, onUnjudged)
    }
  }
}

/**
 * Judges schedules that the transaction holds, stores what it found, and opens and ends their alerts; `ending` is of the incidents that end with these.
 * Answers them as they are now.
 */
export async function settleSchedulesAcrossResellers(
  db: Db,
  schedules: readonly Schedule[],
  at: Date,
  ending?: Ending,
): Promise<Schedule[]> {
  if (schedules.length === 0) return []
  const uses = await selectUseAcrossResellers(db, schedules, at)
  const zoneOf = await timeZonesOf(db, schedules)
  const judged = schedules.map((schedule) => {
    const use = uses.get(vehicleKeyText(schedule)) ?? nothingKnown
    const known = withMetersKnown(schedule, use)
    return { ...known, ...judgeSchedule(known, use, at), reviewedAt: at }
  })
  await updateReviewedAcrossResellers(db, judged)
  await settleScheduledAlertsAcrossResellers(
    db,
    judged.map((schedule) => toVerdict(schedule, zoneOf(schedule))),
    at,
    ending,
  )
  return judged
}

async function timeZonesOf(db: Db, schedules: readonly Schedule[]): Promise<(schedule: Schedule) => string> {
  const resellerIds = [...new Set(schedules.map(({ resellerId }) => resellerId))]
  const terms = await selectResellerTerms(db, resellerIds)
  const zones = new Map(resellerIds.map((resellerId, nth) => [resellerId, terms[nth]?.timeZone]))
  return ({ resellerId }) => zones.get(resellerId) ?? 'UTC'
}

function toVerdict(schedule: Schedule, timeZone: string): ScheduleVerdict {
  const { resellerId, scheduleId, vehicleId } = schedule
  return { resellerId, scheduleId, vehicleId, alert: toAlert(schedule, timeZone) }
}

function toAlert(schedule: Schedule, timeZone: string): ReportedAlert | undefined {
  const { status, component, title, scheduleId } = schedule
  if (status !== 'due_soon' && status !== 'overdue') return undefined
  const due = dueOf(schedule)
  const isOverdue = status === 'overdue'
  return {
    type: `maintenance_${status}`,
    component,
    severity: isOverdue ? 'medium' : 'low',
    description: `${isOverdue ? 'Maintenance overdue' : 'Maintenance due soon'}: ${bounded(oneLine(title), MAX_NAMED_CHARACTERS)}`,
    message: `${title}: ${isOverdue ? 'was due' : 'is due'} ${describeDue(due, timeZone)}`,
    urgency: isOverdue ? 'soon' : 'routine',
    code: undefined,
    evidence: {
      scheduleId,
      title,
      ...(due.at === undefined ? {} : { dueAt: due.at.toISOString() }),
      ...(due.odometerKm === undefined ? {} : { odometer_km: due.odometerKm }),
      ...(due.engineHours === undefined ? {} : { engine_hours: due.engineHours }),
    },
  }
}

/** The day is one of the zone. */
export function describeDue({ at, odometerKm, engineHours }: Due, timeZone: string): string {
  const rounded = (value: number) => String(Math.round(value))
  return [
    ...(at === undefined ? [] : [`on ${localTextAt(timeZone, at.getTime()).slice(0, 10)}`]),
    ...(odometerKm === undefined ? [] : [`at ${rounded(odometerKm)} km`]),
    ...(engineHours === undefined ? [] : [`at ${rounded(engineHours)} engine hours`]),
  ].join(' or ')
}

/** What a failed round did not get to is taken up by the next. */
export function scheduleReviewJob({
  database,
  now,
  log,
}: Omit<ReviewDeps, 'onUnjudged'> & { readonly log: { error(details: object, message: string): void } }): JobKind {
  const unjudged = new Set<string>()
  const onUnjudged = ({ resellerId, scheduleId, vehicleId }: Schedule, err: unknown) => {
    if (unjudged.has(scheduleId) || unjudged.size >= MAX_LOGGED) return
    unjudged.add(scheduleId)
    log.error(
      { err, resellerId, scheduleId, vehicleId },
      'a maintenance schedule could not be reviewed; it is tried again without being logged',
    )
  }
  const run = async (signal: AbortSignal) => {
    await reviewSchedules({ database, now, onUnjudged }, signal)
    return undefined
  }
  return periodicJob({ kind: 'schedule_review', everyMs: ROUND_MS, run }, database.now)
}
