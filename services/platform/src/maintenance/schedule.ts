// When scheduled work is due, from what is known of a vehicle's use. Pure.

import type { ScheduleStatus } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { DAY_MS } from './meter.ts'
import type { KnownUse } from './use.read.sql.ts'

/** By time, distance and engine hours; at least one of them. */
export type Interval = { readonly days: number | undefined; readonly km: number | undefined; readonly engineHours: number | undefined }

export type SchedulePlan = {
  readonly component: string
  readonly title: string
  readonly every: Interval
  readonly remind: { readonly days: number; readonly km: number; readonly engineHours: number }
  /** From where it counts. What the meters showed then may not be known yet. */
  readonly last: { readonly at: Date; readonly odometerKm: number | undefined; readonly engineHours: number | undefined }
}

export type Schedule = SchedulePlan & {
  readonly resellerId: string
  readonly scheduleId: string
  readonly vehicleId: string
  readonly status: ScheduleStatus
  readonly expectedAt: Date | undefined
  readonly reviewedAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type Due = { readonly at: Date | undefined; readonly odometerKm: number | undefined; readonly engineHours: number | undefined }
export type Judgement = { readonly status: ScheduleStatus; readonly expectedAt: Date | undefined }

/** Further ahead an expected date means nothing. */
const FARTHEST_MS = 100 * 365 * DAY_MS

export function dueOf({ every, last }: SchedulePlan): Due {
  const sum = (from: number | undefined, length: number | undefined) =>
    from === undefined || length === undefined ? undefined : from + length
  return {
    at: every.days === undefined ? undefined : new Date(last.at.getTime() + every.days * DAY_MS),
    odometerKm: sum(last.odometerKm, every.km),
    engineHours: sum(last.engineHours, every.engineHours),
  }
}

/** One way of being due: whether it is, whether it nearly is, and when it will be. */
type Verdict = { readonly isOver: boolean; readonly isNear: boolean; readonly expectedAt: Date | undefined }

export function judgeSchedule(schedule: SchedulePlan, use: KnownUse, now: Date): Judgement {
  const due = dueOf(schedule)
  const { remind } = schedule
  const soonMs = now.getTime() + remind.days * DAY_MS
  const verdicts = [
    due.at && { isOver: due.at <= now, isNear: due.at.getTime() <= soonMs, expectedAt: due.at },
    judgeMeter(due.odometerKm, { value: use.odometerKm, at: use.odometerAt, perDay: use.kmPerDay }, remind.km, now, soonMs),
    judgeMeter(
      due.engineHours,
      { value: use.engineHours, at: use.engineHoursAt, perDay: use.engineHoursPerDay },
      remind.engineHours,
      now,
      soonMs,
    ),
  ].filter((verdict) => verdict !== undefined)
  const expected = verdicts.flatMap(({ expectedAt }) => expectedAt?.getTime() ?? [])
  return { status: statusOf(verdicts), expectedAt: expected.length === 0 ? undefined : new Date(Math.min(...expected)) }
}

function statusOf(verdicts: readonly Verdict[]): ScheduleStatus {
  if (verdicts.some(({ isOver }) => isOver)) return 'overdue'
  if (verdicts.some(({ isNear }) => isNear)) return 'due_soon'
  return verdicts.length === 0 ? 'unknown' : 'ok'
}

/**
 * Overdue only by what the vehicle reported, never by what it may have driven since. A vehicle that has been silent past the day on which it was
 * expected to get there is due soon.
 */
function judgeMeter(
  due: number | undefined,
  known: { value: number | undefined; at: Date | undefined; perDay: number | undefined },
  remind: number,
  now: Date,
  soonMs: number,
): Verdict | undefined {
  if (due === undefined || known.value === undefined || known.at === undefined) return undefined
  const left = due - known.value
  if (left <= 0) return { isOver: true, isNear: true, expectedAt: known.at }
  const aheadMs = known.perDay === undefined ? Number.POSITIVE_INFINITY : (left / known.perDay) * DAY_MS
  const expectedMs = Math.max(now.getTime(), known.at.getTime() + aheadMs)
  const expectedAt = expectedMs - now.getTime() > FARTHEST_MS ? undefined : new Date(expectedMs)
  return { isOver: false, isNear: left <= remind || expectedMs <= soonMs, expectedAt }
}

/** What the meters show becomes what they showed at the last work, where that was not known before. */
export function withMetersKnown<Plan extends SchedulePlan>(plan: Plan, use: KnownUse): Plan {
  const { every, last } = plan
  return {
    ...plan,
    last: {
      at: last.at,
      odometerKm: last.odometerKm ?? (every.km === undefined ? undefined : use.odometerKm),
      engineHours: last.engineHours ?? (every.engineHours === undefined ? undefined : use.engineHours),
    },
  }
}

export type RemindAsked = { readonly days?: number; readonly km?: number; readonly engine_hours?: number }

const usualReminder = { days: 14, km: 500, engineHours: 20 }
/** Of the interval, so that short ones are not due soon all the time. */
const USUAL_SHARE = 0.2

/** Throws where a reminder is as long as its interval: it would stand always. */
export function remindersOf(every: Interval, asked: RemindAsked = {}): SchedulePlan['remind'] {
  const usual = (preset: number, length: number | undefined) =>
    length === undefined ? preset : Math.min(preset, Math.floor(USUAL_SHARE * length))
  for (const [name, remind, length] of [
    ['days', asked.days, every.days],
    ['km', asked.km, every.km],
    ['engine_hours', asked.engine_hours, every.engineHours],
  ] as const) {
    if (remind === undefined || length === undefined || remind < length) continue
    throw new Problem('invalid_request', `"remind.${name}" must be less than "every.${name}", which is ${length}.`, {
      details: { in: 'body', field: `remind.${name}` },
    })
  }
  return {
    days: asked.days ?? usual(usualReminder.days, every.days),
    km: asked.km ?? usual(usualReminder.km, every.km),
    engineHours: asked.engine_hours ?? usual(usualReminder.engineHours, every.engineHours),
  }
}
