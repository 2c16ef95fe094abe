// What the engine's remaining lives mean to a workshop: one prediction per component. Pure.

import { type Severity, severityRank } from '@roadworthy/signals/severity'
import type { EngineAlert, EnginePrediction } from './engine-answer.ts'

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

export function maintenancePredictionsOf({ predictions, alerts }: EnginePrediction): MaintenancePrediction[] {
  return Object.entries(predictions.remainingUsefulLife).map(([component, medianDays]) => {
    const [p10Days = medianDays, p90Days = medianDays] = predictions.remainingUsefulLifeInterval[component] ?? []
    const worst = worstOf(alerts.filter((alert) => alert.component === component && alert.severity !== 'info'))
    const bySpan = severityOfLife(medianDays)
    return {
      component,
      issue: worst?.description ?? `${capitalised(component)}: expected wear`,
      // Down, not to the nearest: a part is not promised a day it may not have.
      rulDays: Math.floor(medianDays),
      rulP10Days: roundToTenth(p10Days),
      rulP90Days: roundToTenth(p90Days),
      confidence: Math.round(predictions.confidence * 100) / 100,
      severity: worst !== undefined && severityRank[worst.severity] > severityRank[bySpan] ? worst.severity : bySpan,
    }
  })
}

function severityOfLife(medianDays: number): Severity {
  if (medianDays <= HIGH_UP_TO_DAYS) return 'high'
  return medianDays <= MEDIUM_UP_TO_DAYS ? 'medium' : 'low'
}

function worstOf(alerts: readonly EngineAlert[]): EngineAlert | undefined {
  return alerts.reduce<EngineAlert | undefined>(
    (worst, alert) => (worst === undefined || severityRank[alert.severity] > severityRank[worst.severity] ? alert : worst),
    undefined,
  )
}

function capitalised(component: string): string {
  return component.charAt(0).toUpperCase() + component.slice(1)
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
