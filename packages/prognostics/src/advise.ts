// ISO 13374 advisory generation: what a person is told, worst first.
import { type Severity, severityRank } from '@roadworthy/signals/severity'
import { type Component, type Urgency, urgencyOf } from './components.ts'
import type { DetectedState } from './detect-state.ts'
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
  const worstFirst = state.findings.toSorted((a, b) => severityRank[b.severity] - severityRank[a.severity] || a.score - b.score)
  const insights = [...worstFirst.map(({ message }) => message), ...state.pending]
  if (worstFirst.length === 0 && state.pending.length === 0) insights.push(quietSentence(timeline))
  for (const { message } of timeline.doubts) insights.push(message)
  insights.push(...use.assumed)
  return {
    alerts: worstFirst.map(toAlert),
    insights,
    recommendations: [...new Set(worstFirst.map(({ recommendation }) => recommendation))],
  }
}

function toAlert({ type, component, severity, description, message, code, evidence }: Finding): Alert {
  const alert: Alert = { type, component, severity, description, message, urgency: urgencyOf[severity], evidence }
  if (code !== undefined) alert.code = code
  return alert
}

function quietSentence({ current }: Timeline): string {
  const isSilent = Object.keys(current.values).length === 0
  return isSilent
    ? 'No reading could be judged: this is what vehicles are like in general'
    : 'Every reading given is within its normal band'
}
