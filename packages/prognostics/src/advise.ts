// ISO 13374 advisory generation: what a person is told, worst first.
import { type Severity, severityRank } from '@roadworthy/signals/severity'
import { type Component, importance, type Urgency, urgencyOf } from './components.ts'
import { type DetectedState, normalBands } from './detect-state.ts'
import type { EvidenceValue, Finding } from './finding.ts'
import type { Use } from './prognose.ts'
import type { Timeline } from './timeline.ts'

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
}

export type Advice = { alerts: Alert[]; insights: string[]; recommendations: string[] }

export function advise(state: DetectedState, timeline: Timeline, use: Use): Advice {
  if (state.findings.length === 0) {
    const told = state.pending.length === 0 ? [quietSentence(timeline)] : state.pending
    return { alerts: [], insights: [...told, ...timeline.doubts.map(({ message }) => message), ...use.assumed], recommendations: [] }
  }
  const worstFirst = state.findings.toSorted((a, b) => severityRank[b.severity] - severityRank[a.severity] || a.score - b.score)
  return {
    alerts: worstFirst.map(toAlert),
    insights: [...explain(worstFirst), ...state.pending, ...timeline.doubts.map(({ message }) => message), ...use.assumed],
    recommendations: [...new Set(worstFirst.map(({ recommendation }) => recommendation))],
  }
}

/** Each message with the normal band and with the share it has in the health that is lost, as `vehicleHealth` adds it up. */
function explain(findings: readonly Finding[]): string[] {
  const weights = findings.map(({ component, score }) => (importance[component] * (100 - score)) ** 4)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return findings.map(({ message, normally }, index) => {
    const share = sum === 0 ? 0 : (weights[index] ?? 0) / sum
    const details = [
      ...(normally === undefined ? [] : [`normally ${normally}`]),
      sum === 0 ? 'no health is lost by it' : `${Math.round(100 * share)} % of the health that is lost`,
    ]
    return `${message} (${details.join('; ')})`
  })
}

function toAlert({ type, component, severity, description, message, code, evidence }: Finding): Alert {
  const alert: Alert = { type, component, severity, description, message, urgency: urgencyOf[severity], evidence }
  if (code !== undefined) alert.code = code
  return alert
}

const WITHIN_BANDS = 'Every reading given is within its normal band'

function quietSentence(timeline: Timeline): string {
  const { current } = timeline
  if (Object.keys(current.values).length === 0) return 'No reading could be judged: this is what vehicles are like in general'
  // Who keeps a history shows this to people; who keeps none asks thousands of times a second, and half as much again is spent on the list.
  const bands = timeline.hasHistory ? normalBands(timeline) : []
  return bands.length === 0 ? WITHIN_BANDS : `${WITHIN_BANDS}: ${bands.join('; ')}`
}
