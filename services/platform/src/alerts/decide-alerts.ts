import { severityRank } from '@roadworthy/signals/severity'
import type { Alert, AlertSource, ReportedAlert } from './alert.ts'

/**
 * A condition is over when the engine has left it out of this many scores in a row and of this much of the vehicle's own time. Both,
 * because one score may lack the sensor that showed it, and a backlog is scored in few steps.
 */
export const GONE_AFTER_SCORES = 3
const GONE_AFTER_MS = 60_000

/** A sensor that has been silent for this long no longer keeps its alert open. */
export const SILENT_SENSOR_MS = 24 * 3_600_000

/**
 * After work was done a vehicle may be reported as it was before: what it last reported of lamps and fault codes stands for a day. What is
 * reported after that the work did not mend.
 */
export const WORK_SHOWS_AFTER_MS = 24 * 3_600_000

export type Moment = {
  readonly scoredAt: Date
  /** Recorded time of the newest reading that was scored. */
  readonly readingAt: Date
  /** Canonical names of the signals the vehicle reported as of then. */
  readonly currentSignals: ReadonlySet<string>
}

export type AlertDecision = {
  /** New alerts, without an id yet. */
  readonly opened: readonly ReportedAlert[]
  /** Alerts as they are now, of those that stood before. */
  readonly changed: readonly Alert[]
}

/**
 * What one score does to the alerts of one vehicle. `standing` are those whose condition has not ended, which includes alerts that a
 * person or work resolved while the engine goes on reporting them: such a resolution holds until the condition has gone, or gets worse;
 * that of work for a day at most.
 */
export function decideAlerts(standing: readonly Alert[], reported: readonly ReportedAlert[], at: Moment): AlertDecision {
  const reports = worstByIdentity(reported)
  const opened: ReportedAlert[] = []
  const changed: Alert[] = []
  for (const alert of standing) {
    const report = reports.get(identityOf(alert))
    reports.delete(identityOf(alert))
    if (report === undefined) {
      changed.push(missed(alert, at))
    } else if (alert.status === 'resolved' && (isWorse(report, alert) || isUnmended(alert, at))) {
      changed.push({ ...alert, conditionEndedAt: at.scoredAt, updatedAt: at.scoredAt })
      opened.push(report)
    } else {
      changed.push(seen(alert, report, at))
    }
  }
  return { opened: [...opened, ...reports.values()], changed }
}

export function openAlert(
  report: ReportedAlert,
  about: { alertId: string; vehicleId: string | undefined; deviceId?: string | undefined; scheduleId?: string; source?: AlertSource },
  at: Pick<Moment, 'scoredAt' | 'readingAt'>,
): Alert {
  const { alertId, vehicleId, deviceId, scheduleId, source = scheduleId === undefined ? 'engine' : 'maintenance' } = about
  return {
    ...report,
    alertId,
    vehicleId,
    deviceId,
    source,
    scheduleId,
    incidentId: undefined,
    status: 'open',
    occurrences: 1,
    missedScores: 0,
    openedAt: at.scoredAt,
    lastSeenAt: at.scoredAt,
    lastReadingAt: at.readingAt,
    acknowledgedAt: undefined,
    resolvedAt: undefined,
    resolvedBy: undefined,
    conditionEndedAt: undefined,
    updatedAt: at.scoredAt,
  }
}

/** Reported again. A standing alert reports the worst of its condition: a milder report counts but does not rewrite it. */
function seen(alert: Alert, report: ReportedAlert, at: Moment): Alert {
  const counted = {
    ...alert,
    occurrences: alert.occurrences + 1,
    missedScores: 0,
    lastSeenAt: at.scoredAt,
    lastReadingAt: laterOf(alert.lastReadingAt, at.readingAt),
  }
  if (alert.status === 'resolved' || severityRank[report.severity] < severityRank[alert.severity]) return counted
  const isNews = isWorse(report, alert) || report.message !== alert.message
  return { ...counted, ...report, updatedAt: isNews ? at.scoredAt : alert.updatedAt }
}

/** Left out of a score. Where the sensor that showed it reported nothing, that proves nothing: a device may send it rarely. */
function missed(alert: Alert, at: Moment): Alert {
  const { signal } = alert.evidence
  const unseenMs = at.readingAt.getTime() - alert.lastReadingAt.getTime()
  if (typeof signal === 'string' && !at.currentSignals.has(signal) && unseenMs < SILENT_SENSOR_MS) return alert
  const missedScores = alert.missedScores + 1
  const isGone = missedScores >= GONE_AFTER_SCORES && unseenMs >= GONE_AFTER_MS
  if (!isGone) return { ...alert, missedScores }
  const ended = { ...alert, missedScores, conditionEndedAt: at.scoredAt, updatedAt: at.scoredAt }
  return alert.status === 'resolved' ? ended : { ...ended, status: 'resolved', resolvedAt: at.scoredAt, resolvedBy: 'engine' }
}

function worstByIdentity(reported: readonly ReportedAlert[]): Map<string, ReportedAlert> {
  const worst = new Map<string, ReportedAlert>()
  for (const report of reported) {
    const other = worst.get(identityOf(report))
    if (other === undefined || isWorse(report, other)) worst.set(identityOf(report), report)
  }
  return worst
}

/** The same from one score to the next. */
export function identityOf({ type, component, code }: { type: string; component: string; code?: string | undefined }): string {
  return JSON.stringify([type, component, code ?? ''])
}

function isUnmended({ resolvedBy, resolvedAt }: Alert, { readingAt }: Moment): boolean {
  return resolvedBy === 'maintenance' && resolvedAt !== undefined && readingAt.getTime() - resolvedAt.getTime() >= WORK_SHOWS_AFTER_MS
}

function isWorse(report: ReportedAlert, than: ReportedAlert): boolean {
  return severityRank[report.severity] > severityRank[than.severity]
}

function laterOf(a: Date, b: Date): Date {
  return a > b ? a : b
}
