// ISO 13374 advisory generation: what is reported to a person, worst first.
import { healthStatusOf } from '@roadworthy/signals/health-bands'
import type { Severity } from '@roadworthy/signals/severity'
import type { Judged } from '../anomaly.ts'
import { type Consumed, healthLostBy, type Scores } from '../assess-health.ts'
import { type Component, componentLabels, importance, type Urgency, urgencyOf } from '../components.ts'
import { type DetectedState, normalBands } from '../detection/detect-state.ts'
import { type EvidenceValue, type Finding, formatNumber } from '../finding.ts'
import { type Incident, recommendationOf, worstFirst } from '../incidents.ts'
import type { Timeline } from '../inputs/timeline.ts'

/** The alert item of DECISIONS. `component` and `type` together are its identity: the same condition keeps them as it gets worse. */
export type Alert = {
  type: string
  component: Component
  severity: Severity
  description: string
  message: string
  urgency: Urgency
  code?: string
  evidence: Readonly<Record<string, EvidenceValue>>
  /** The cause of the incident that it belongs to. */
  incident: string
}

/** An incident as it is reported. */
export type ReportedIncident = {
  cause: string
  component: Component
  severity: Severity
  title: string
  recommendation: string
  /** Points that health would gain if it were not there. */
  healthLost: number
  evidence: { type: string; component: Component; severity: Severity; message: string; code?: string }[]
}

export type Advisory = { alerts: Alert[]; incidents: ReportedIncident[]; insights: string[]; recommendations: string[] }

/** What the sentences speak of. */
export type Judgement = {
  readonly state: DetectedState
  readonly incidents: readonly Incident[]
  readonly timeline: Timeline
  readonly wear: Consumed
  readonly components: Scores
  readonly healthScore: number
  readonly maintenanceProbability: number
  /** What was reported and judged. */
  readonly judged: readonly Judged[]
  /** What had to be assumed of the vehicle. */
  readonly assumed: readonly string[]
}

export function advise(judgement: Judgement): Advisory {
  const { state, incidents, timeline, assumed } = judgement
  const doubts = timeline.doubts.map(({ message }) => message)
  if (incidents.length === 0) {
    const quiet = state.pending.length === 0 ? [quietSentence(judgement)] : state.pending
    return { alerts: [], incidents: [], insights: [...quiet, ...doubts, ...assumed], recommendations: [] }
  }
  const reported = incidents.map((incident) => toReported(incident, judgement))
  return {
    alerts: incidents
      .flatMap((incident) => incident.findings.map((finding) => ({ finding, incident })))
      .sort((a, b) => worstFirst(a.finding, b.finding))
      .map(toAlert),
    incidents: reported,
    insights: [
      ...incidents.flatMap((incident, index) => explain(incident, reported[index]?.healthLost ?? 0, judgement)),
      ...disagreement(judgement),
      ...assumption(judgement),
      ...state.pending,
      ...doubts,
      ...assumed,
    ],
    recommendations: [...new Set(reported.map(({ recommendation }) => recommendation))],
  }
}

function toReported(incident: Incident, { incidents, timeline, wear, healthScore }: Judgement): ReportedIncident {
  const { cause, component, severity, findings } = incident
  const [lead] = findings as readonly [Finding, ...Finding[]]
  return {
    cause,
    component,
    severity,
    title: lead.description,
    recommendation: recommendationOf(incident),
    healthLost: Math.round(10 * Math.max(0, healthLostBy(incident, incidents, wear, healthScore, timeline.traits.components))) / 10,
    evidence: findings.map(({ type, component: of, severity: grade, message, code }) => {
      const item = { type, component: of, severity: grade, message }
      return code === undefined ? item : { ...item, code }
    }),
  }
}

/** Each message with the normal band; the first of an incident with the share of the lost health that leaving the incident out gives back. */
function explain({ findings }: Incident, healthLost: number, { healthScore }: Judgement): string[] {
  const share = Math.round((100 * healthLost) / Math.max(healthLost, 100 - healthScore, 1))
  return findings.map(({ message, normally }, index) => {
    const counts = healthLost === 0 ? 'no health is lost by it' : `${share} % of the health that is lost`
    const details = [
      ...(normally === undefined ? [] : [`normally ${normally}`]),
      index === 0 ? counts : `counted once with: ${findings[0]?.description}`,
    ]
    return `${message} (${details.join('; ')})`
  })
}

/** A vehicle that is in another band than its worst component owes its reader a reason. */
function disagreement({ components, healthScore, incidents }: Judgement): string[] {
  const worst = components.reduce((one, other) => (other.score < one.score ? other : one))
  if (healthStatusOf(worst.score, undefined) === healthStatusOf(healthScore, undefined)) return []
  const what = `Health ${formatNumber(healthScore)}, ${componentLabels[worst.component]} ${formatNumber(worst.score)}`
  if (healthScore < worst.score) {
    const reason = incidents.length > 1 ? 'several incidents add up' : 'what was found also wears what it is connected with'
    return [`${what}: ${reason}`]
  }
  return [`${what}: of what this component loses, ${formatNumber(100 * importance[worst.component])} % counts for the vehicle`]
}

/** No prediction is certain. */
const MAX_REPORTED_PCT = 99

/** Where findings, and not wear, make up the probability. */
function assumption({ incidents, maintenanceProbability }: Judgement): string[] {
  if (!incidents.some(({ score }) => score < 100)) return []
  const percent = Math.min(MAX_REPORTED_PCT, Math.round(100 * maintenanceProbability))
  return [`The maintenance probability of ${percent} % rests on an assumption: how long parts last that show such findings`]
}

type Placed = { readonly finding: Finding; readonly incident: Incident }

function toAlert({ finding, incident }: Placed): Alert {
  const { type, component, severity, description, message, code, evidence } = finding
  const alert: Alert = { type, component, severity, description, message, urgency: urgencyOf[severity], evidence, incident: incident.cause }
  if (code !== undefined) alert.code = code
  return alert
}

const WITHIN_BANDS = 'Every reading given is within its normal band'
/** Beside what was given and not believed. */
const BELIEVED_WITHIN_BANDS = 'Every reading that is believed is within its normal band'

function quietSentence({ timeline, judged }: Judgement): string {
  // An odometer reading alone is in no band.
  if (!judged.some((name) => name in timeline.current.values))
    return 'No reading could be judged: this is what vehicles are like in general'
  // Who keeps a history shows this to people; who keeps none asks thousands of times a second, and half as much again is spent on the list.
  const bands = timeline.hasHistory ? normalBands(timeline) : []
  const within = timeline.doubts.length === 0 ? WITHIN_BANDS : BELIEVED_WITHIN_BANDS
  return bands.length === 0 ? within : `${within}: ${bands.join('; ')}`
}
