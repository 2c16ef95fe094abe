// What findings do to the incidents they belong to. Pure: no clock, no store.

import { type Severity, severityRank } from '@roadworthy/signals/severity'
import type { AlarmSubject } from '../readings/alarm.ts'
import { describeFinding } from './describe-finding.ts'
import {
  type Description,
  type Ending,
  type Finding,
  type Incident,
  type IncidentSource,
  type StandingStatus,
  statusAt,
} from './incident.ts'

/**
 * One that ended by itself and is found again within this is the same incident, come back. By the server's clock: what is damped is what
 * people are notified. Assumption: an hour is a trip or two, and about as long as somebody remembers that it was gone.
 */
export const RETURNS_WITHIN_MS = 3_600_000

const MAX_TITLE_CHARACTERS = 300
const MAX_RECOMMENDATION_CHARACTERS = 1_000

/** The incidents of one subject and source that findings are held against. */
export type IncidentScope = {
  readonly subject: AlarmSubject
  readonly source: IncidentSource
  /** Only this cause; undefined: every cause of the source. */
  readonly cause: string | undefined
  /** Every alert of the scope that is not resolved. */
  readonly findings: readonly Finding[]
  /** What the engine reports of causes. */
  readonly descriptions: ReadonlyMap<string, Description>
  /** Incidents of which an alert has just ended. */
  readonly shrunk: ReadonlySet<string>
}

export type IncidentTransition = {
  /** Undefined of one that opens. */
  readonly before: Incident | undefined
  readonly after: Incident
  /** Of its alerts that are not resolved, those that are new to it. */
  readonly joined: boolean
  readonly alertIds: readonly string[]
}

export type IncidentDecision = {
  readonly transitions: readonly IncidentTransition[]
  /** By alert. */
  readonly incidentIds: ReadonlyMap<string, string>
}

export type DecideAt = { readonly at: Date; readonly newIncidentId: () => string; readonly ending?: Ending | undefined }

/**
 * `known` are the incidents of the scope that live, and those that ended by themselves within `RETURNS_WITHIN_MS`. Afterwards every finding
 * has one incident that lives, and every incident of the scope that lives has a finding.
 */
export function decideIncidents(known: readonly Incident[], scope: IncidentScope, when: DecideAt): IncidentDecision {
  const living = new Map(known.filter(({ status }) => status !== 'resolved').map((incident) => [incident.cause, incident]))
  const groups = Map.groupBy(scope.findings, (finding) => causeOf(finding, known))
  const transitions: IncidentTransition[] = []
  const incidentIds = new Map<string, string>()
  for (const [cause, findings] of groups) {
    const before = living.get(cause) ?? returning(known, cause, when.at)
    const found = summaryOf(cause, findings, scope)
    const after = before === undefined ? opened(found, scope, when) : goingOn(before, found, scope, when.at)
    const joined = findings.some(({ incidentId }) => incidentId !== after.incidentId)
    for (const { alertId } of findings) incidentIds.set(alertId, after.incidentId)
    transitions.push({
      before,
      after: joined && before !== undefined ? { ...after, updatedAt: when.at } : after,
      joined,
      alertIds: findings.map(({ alertId }) => alertId),
    })
  }
  for (const before of living.values()) {
    if (groups.has(before.cause)) continue
    transitions.push({ before, after: ended(before, when, endingOf(before, scope, transitions, when)), joined: false, alertIds: [] })
  }
  return { transitions, incidentIds }
}

/** That a person, work or the findings themselves end it. It keeps what it would resume as. */
export function ended(incident: Incident, { at }: { at: Date }, { resolvedBy, resolution }: Ending): Incident {
  const standing = statusAt(incident, at)
  return {
    ...incident,
    status: 'resolved',
    resolvedAt: at,
    resolvedBy,
    resolution,
    updatedAt: at,
    resumesAs: standing === 'resolved' ? incident.resumesAs : standing,
  }
}

type Summary = Description & { readonly cause: string; readonly severity: Severity; readonly isDescribed: boolean }

function summaryOf(cause: string, findings: readonly Finding[], { descriptions, source }: IncidentScope): Summary {
  const worst = findings.reduce((a, b) => (severityRank[b.severity] > severityRank[a.severity] ? b : a))
  const described = descriptions.get(cause)
  const { component, title, recommendation } = described ?? describeFinding(worst, source)
  return {
    cause,
    severity: worst.severity,
    component,
    title: title.slice(0, MAX_TITLE_CHARACTERS).toWellFormed(),
    recommendation: recommendation.slice(0, MAX_RECOMMENDATION_CHARACTERS).toWellFormed(),
    isDescribed: described !== undefined,
  }
}

function opened({ isDescribed: _, ...found }: Summary, { subject, source }: IncidentScope, { at, newIncidentId }: DecideAt): Incident {
  return {
    resellerId: subject.resellerId,
    vehicleId: subject.vehicleId,
    deviceId: subject.deviceId,
    incidentId: newIncidentId(),
    source,
    ...found,
    status: 'open',
    occurrences: 1,
    returnedAt: undefined,
    openedAt: at,
    updatedAt: at,
    acknowledgedAt: undefined,
    acknowledgedBy: undefined,
    assignee: undefined,
    snoozedUntil: undefined,
    resolvedAt: undefined,
    resolvedBy: undefined,
    resolution: undefined,
    resumesAs: 'open',
    published: { isLive: false, severity: found.severity, changedAt: undefined },
  }
}

/**
 * Found again. Its words change with what the engine reports of it, or when it gets worse; a milder finding that is left takes none of them away. Those
 * of a schedule, of which there is one finding at a time, are always of it as it is: it is renamed, or put off.
 */
function goingOn(before: Incident, found: Summary, { shrunk, source }: IncidentScope, at: Date): Incident {
  const isGraver = severityRank[found.severity] > severityRank[before.severity]
  const isBack = before.status === 'resolved'
  const words = found.isDescribed || isGraver || source === 'maintenance' ? found : before
  const standing: StandingStatus = before.status === 'resolved' ? before.resumesAs : before.status
  // Whoever put it off did so as it was then.
  const wakes = standing === 'snoozed' && (isGraver || (isBack && (before.snoozedUntil ?? at) <= at))
  const after: Incident = {
    ...before,
    component: words.component,
    title: words.title,
    recommendation: words.recommendation,
    severity: found.severity,
    status: wakes ? 'open' : standing,
    snoozedUntil: wakes ? undefined : before.snoozedUntil,
    ...(isBack ? { ...came(before, at), resolvedAt: undefined, resolvedBy: undefined, resolution: undefined } : {}),
  }
  return isBack || shrunk.has(before.incidentId) || differs(before, after) ? { ...after, updatedAt: at } : after
}

function came({ occurrences, returnedAt }: Incident, at: Date): Pick<Incident, 'occurrences' | 'returnedAt'> {
  return { occurrences: occurrences + 1, returnedAt: returnedAt ?? at }
}

function differs(a: Incident, b: Incident): boolean {
  return (['component', 'title', 'recommendation', 'severity', 'status'] as const).some((field) => a[field] !== b[field])
}

function causeOf({ cause, incidentId, component }: Finding, known: readonly Incident[]): string {
  return cause ?? known.find((incident) => incident.incidentId === incidentId)?.cause ?? component
}

function returning(known: readonly Incident[], cause: string, at: Date): Incident | undefined {
  return known
    .filter(
      (each) =>
        each.cause === cause && each.resolvedBy === 'engine' && at.getTime() - (each.resolvedAt?.getTime() ?? 0) < RETURNS_WITHIN_MS,
    )
    .reduce<Incident | undefined>(
      (newest, each) => (newest?.resolvedAt !== undefined && newest.resolvedAt >= (each.resolvedAt ?? 0) ? newest : each),
      undefined,
    )
}

/** As asked; else, where a finding of it went to another incident, that is stated; else nothing of it is found any more. */
function endingOf(
  before: Incident,
  { findings, source }: IncidentScope,
  transitions: readonly IncidentTransition[],
  { ending }: DecideAt,
): Ending {
  if (ending !== undefined) return ending
  const moved = findings.find(({ incidentId }) => incidentId === before.incidentId)
  const target = transitions.find(({ alertIds }) => moved !== undefined && alertIds.includes(moved.alertId))?.after
  const note = target === undefined ? 'Nothing of it is found any more.' : `It became part of ${target.incidentId}: ${target.title}`
  return { resolvedBy: source === 'maintenance' ? 'maintenance' : 'engine', resolution: { reason: 'other', note } }
}
