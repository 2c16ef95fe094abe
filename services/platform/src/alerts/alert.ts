import type { Severity } from '@roadworthy/signals/severity'

/**
 * Who found the condition: the engine, in a score, the review of a maintenance schedule, or a device, by the `event` of a reading. The first two
 * end their own alerts only; what a device raised ends when a person resolves it.
 */
export type AlertSource = 'engine' | 'maintenance' | 'device'

export type AlertStatus = 'open' | 'acknowledged' | 'resolved'

/** What is reported as wrong. `type`, `component` and `code` are its identity from one score to the next. */
export type ReportedAlert = {
  readonly type: string
  readonly component: string
  readonly severity: Severity
  readonly description: string
  readonly message: string
  readonly urgency: string
  readonly code: string | undefined
  readonly evidence: Readonly<Record<string, unknown>>
}

/** One alert from opening to resolution. A condition that comes back opens another. */
export type Alert = ReportedAlert & {
  readonly alertId: string
  /** Undefined where a device raised it that was in no vehicle. */
  readonly vehicleId: string | undefined
  /** The device that raised it, where one did. */
  readonly deviceId: string | undefined
  readonly status: AlertStatus
  readonly source: AlertSource
  /** Of an alert whose source is maintenance. */
  readonly scheduleId: string | undefined
  /** The incident it belongs to; undefined until it has been placed, and of one that ended before there were incidents. */
  readonly incidentId: string | undefined
  /** How often it was reported. */
  readonly occurrences: number
  /** Scores in a row without it. */
  readonly missedScores: number
  readonly openedAt: Date
  readonly lastSeenAt: Date
  /** Recorded time of the newest reading when the engine last reported it: vehicle time, which a backlog does not stretch. */
  readonly lastReadingAt: Date
  readonly acknowledgedAt: Date | undefined
  readonly resolvedAt: Date | undefined
  /** `maintenance`: the work was done, or is no longer due. */
  readonly resolvedBy: 'engine' | 'user' | 'maintenance' | undefined
  /** When the condition was gone. Later than `resolvedAt` when a person closed the alert while the condition went on. */
  readonly conditionEndedAt: Date | undefined
  readonly updatedAt: Date
}
