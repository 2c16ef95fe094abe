// What the engine's remaining lives mean to a workshop: one prediction per component. Pure.

import { type Severity, severityRank } from '@roadworthy/signals/severity'
import type { EngineAdvice, EngineAlert, EnginePrediction } from './engine/engine-answer.ts'

export type MaintenancePrediction = {
  readonly component: string
  /** A few words: what is expected to need work. */
  readonly issue: string
  readonly rulDays: number
  readonly rulP10Days: number
  readonly rulP90Days: number
  readonly confidence: number
  readonly severity: Severity
}

/** Median remaining life up to which a component that shows nothing is high or medium; critical is left to what the vehicle shows. */
const HIGH_UP_TO_DAYS = 7
const MEDIUM_UP_TO_DAYS = 30

/**
 * Assumption, for an engine that gives no life to a component with a grave finding: critical means now, high within the days up to which a life
 * is high, and neither lasts beyond the next span.
 */
const LIVES_OF_GRAVE_FINDINGS: Partial<Record<Severity, Life>> = {
  critical: { medianDays: 0, p10Days: 0, p90Days: HIGH_UP_TO_DAYS },
  high: { medianDays: HIGH_UP_TO_DAYS, p10Days: 0, p90Days: MEDIUM_UP_TO_DAYS },
}

const MAX_ISSUE_CHARACTERS = 200

type Life = { readonly medianDays: number; readonly p10Days: number; readonly p90Days: number }

/** A component with a finding of `high` or `critical` always has one. */
export function maintenancePredictionsOf(answer: EnginePrediction): MaintenancePrediction[] {
  const { predictions } = answer
  const worstAlerts = worstByComponent(answer)
  return [...livesOf(answer, worstAlerts)].map(([component, { medianDays, p10Days, p90Days }]) => {
    const worst = worstAlerts.get(component)
    const bySpan = severityOfLife(medianDays)
    return {
      component,
      issue: issueOf(component, worst, predictions.advice?.[component], medianDays),
      // Down, not to the nearest: a part is not promised a day it may not have.
      rulDays: Math.floor(medianDays),
      rulP10Days: roundToTenth(p10Days),
      rulP90Days: roundToTenth(p90Days),
      confidence: Math.round((predictions.componentConfidence?.[component] ?? predictions.confidence) * 100) / 100,
      severity: worst !== undefined && severityRank[worst.severity] > severityRank[bySpan] ? worst.severity : bySpan,
    }
  })
}

function livesOf({ predictions }: EnginePrediction, worstAlerts: ReadonlyMap<string, EngineAlert>): Map<string, Life> {
  const lives = new Map<string, Life>()
  for (const [component, medianDays] of Object.entries(predictions.remainingUsefulLife)) {
    const [p10Days = medianDays, p90Days = medianDays] = predictions.remainingUsefulLifeInterval[component] ?? []
    lives.set(component, { medianDays, p10Days, p90Days })
  }
  for (const [component, { severity }] of worstAlerts) {
    const life = LIVES_OF_GRAVE_FINDINGS[severity]
    if (life !== undefined && !lives.has(component)) lives.set(component, life)
  }
  return lives
}

/** What was found comes first, then what is advised. Of a part whose life runs short nothing is reported as expected wear. */
function issueOf(component: string, worst: EngineAlert | undefined, advice: EngineAdvice | undefined, medianDays: number): string {
  if (worst !== undefined) return worst.description
  const name = capitalised(component.replaceAll('_', ' '))
  if (advice !== undefined && advice.act !== 'run_on') return `${name}: ${advice.what}`.slice(0, MAX_ISSUE_CHARACTERS).toWellFormed()
  return `${name}: ${medianDays <= MEDIUM_UP_TO_DAYS ? 'close to the end of its expected life' : 'expected wear'}`
}

function severityOfLife(medianDays: number): Severity {
  if (medianDays <= HIGH_UP_TO_DAYS) return 'high'
  return medianDays <= MEDIUM_UP_TO_DAYS ? 'medium' : 'low'
}

/** By component; what only informs is left out. */
function worstByComponent({ alerts, incidents = [] }: EnginePrediction): Map<string, EngineAlert> {
  const componentsByCause = new Map(incidents.map(({ cause, component }) => [cause, component]))
  const worst = new Map<string, EngineAlert>()
  for (const alert of alerts) {
    const component = componentOf(alert, componentsByCause)
    const other = worst.get(component)
    if (alert.severity === 'info' || (other !== undefined && severityRank[alert.severity] <= severityRank[other.severity])) continue
    worst.set(component, alert)
  }
  return worst
}

/** A lamp does not name the part it means; its incident does. */
function componentOf({ component, incident = '', evidence }: EngineAlert, componentsByCause: ReadonlyMap<string, string>): string {
  return evidence?.['lamp'] === undefined ? component : (componentsByCause.get(incident) ?? component)
}

function capitalised(component: string): string {
  return component.charAt(0).toUpperCase() + component.slice(1)
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
