import type { Severity } from '@roadworthy/signals/severity'
import type { AlarmSubject } from '../readings/alarm.ts'

/** Who found it: the engine in a score, the review of a maintenance schedule, or a device by the `event` of a reading. */
export type IncidentSource = 'engine' | 'maintenance' | 'device'

export type StandingStatus = 'open' | 'acknowledged' | 'snoozed'
export type IncidentStatus = StandingStatus | 'resolved'

export type ResolutionReason = 'work_done' | 'false_alarm' | 'other'
export type Resolution = {
  readonly reason: ResolutionReason
  readonly note?: string | undefined
  readonly maintenanceId?: string | undefined
}
/** How an incident ends. `engine`: nothing of it is found any more. */
export type Ending = { readonly resolvedBy: 'engine' | 'user' | 'maintenance'; readonly resolution: Resolution }

/** Findings with one cause, from opening to resolution. */
export type Incident = AlarmSubject & {
  readonly incidentId: string
  readonly source: IncidentSource
  /** What makes it the same from one score to the next, within its vehicle or device and source. */
  readonly cause: string
  readonly component: string
  /** Of its worst standing alert; of one that ended, what it had last. */
  readonly severity: Severity
  /** As it is kept: `snoozed` counts until `snoozedUntil` only (`statusAt`). */
  readonly status: IncidentStatus
  readonly title: string
  readonly recommendation: string
  /** How often it opened: once, and once more each time it came back within an hour. */
  readonly occurrences: number
  /** When it first came back. */
  readonly returnedAt: Date | undefined
  readonly openedAt: Date
  readonly updatedAt: Date
  readonly acknowledgedAt: Date | undefined
  /** A user or a key. */
  readonly acknowledgedBy: string | undefined
  readonly assignee: string | undefined
  readonly snoozedUntil: Date | undefined
  readonly resolvedAt: Date | undefined
  readonly resolvedBy: Ending['resolvedBy'] | undefined
  readonly resolution: Resolution | undefined
  /** The status it had last, and has again when it comes back. */
  readonly resumesAs: StandingStatus
  readonly published: Published
}

/** What events published of an incident. */
export type Published = {
  readonly isLive: boolean
  readonly severity: Severity
  /** When an event last published that it changed by itself. */
  readonly changedAt: Date | undefined
}

/** An alert that is not resolved, as its incident sees it. */
export type Finding = {
  readonly alertId: string
  /** The incident it belongs to so far. */
  readonly incidentId: string | undefined
  /** Undefined: that of its incident, else its component. */
  readonly cause: string | undefined
  readonly type: string
  readonly component: string
  readonly severity: Severity
  readonly description: string
  readonly urgency: string
}

/** The words for a cause as a whole. */
export type Description = { readonly component: string; readonly title: string; readonly recommendation: string }

/** A snooze ends by the clock alone. */
export function statusAt({ status, snoozedUntil }: Pick<Incident, 'status' | 'snoozedUntil'>, at: Date): IncidentStatus {
  return status === 'snoozed' && snoozedUntil !== undefined && snoozedUntil <= at ? 'open' : status
}

/**
 * One that came back this often is marked as coming and going. ANSI/ISA-18.2 and EEMUA 191 count three times in a minute of a control room; that it is
 * within an hour here is an assumption (`RETURNS_WITHIN_MS`).
 */
const FLAPS_FROM_RETURNS = 3

export function flappingOf({ occurrences, returnedAt }: Incident): { count: number; since: Date } | undefined {
  return occurrences - 1 >= FLAPS_FROM_RETURNS && returnedAt !== undefined ? { count: occurrences - 1, since: returnedAt } : undefined
}

/** The title as people read it. */
export function shownTitle(incident: Incident): string {
  const flapping = flappingOf(incident)
  if (flapping === undefined) return incident.title
  return `${incident.title} (comes and goes: back ${flapping.count} times since ${flapping.since.toISOString().slice(0, 16)}Z)`
}
