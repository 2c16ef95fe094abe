// The whole pipeline, in the order of ISO 13374. Pure: no clock, no I/O, no state between calls.
import {
  HEALTHY_FROM,
  type HealthStatus,
  healthStatusOf,
  RISK_FROM,
  type RiskLevel,
  riskLevelOf,
  STATUS_HYSTERESIS,
  WARNING_FROM,
} from '@roadworthy/signals/health-bands'
import type { SignalName } from '@roadworthy/signals/registry'
import { adviceOf, type ComponentAdvice } from './advice/advice.ts'
import { type Alert, advise, type ReportedIncident } from './advice/advise.ts'
import { anomalyOf, type Judged } from './anomaly.ts'
import { assessHealth, type Scores } from './assess-health.ts'
import type { Component } from './components.ts'
import { confidenceOf } from './confidence.ts'
import { detectState } from './detection/detect-state.ts'
import { groupByCause } from './incidents.ts'
import type { Doubt } from './inputs/gate.ts'
import type { PredictionInput } from './inputs/observation.ts'
import { buildTimeline } from './inputs/timeline.ts'
import type { LearnedNormal } from './learning/normal/learned-normal.ts'
import { confidenceOfLives } from './lives/component-confidence.ts'
import { findLifeEnding } from './lives/life-ending.ts'
import { type LifeModel, lifeModels } from './lives/life-models.ts'
import { prognose, reportedDays, useOf, wearOf } from './lives/prognose.ts'
import { statedIn } from './provenance.ts'

export type ComponentValues<T> = Partial<Record<Component, T>>

export type Prediction = {
  readonly healthScore: number
  readonly healthStatus: HealthStatus
  readonly riskLevel: RiskLevel
  readonly maintenanceNeeded: boolean
  readonly maintenanceProbability: number
  /** Median days. */
  readonly remainingUsefulLife: ComponentValues<number>
  /** 10th and 90th percentile in days. */
  readonly remainingUsefulLifeInterval: ComponentValues<[number, number]>
  readonly anomalyScore: number
  readonly anomalyDetected: boolean
  /** The signals that were reported and judged; empty where none could be, and `anomalyScore` then means nothing. */
  readonly anomalyBasis: readonly Judged[]
  readonly components: ComponentValues<number>
  /** How much was reported. */
  readonly confidence: number
  /** How well each remaining life is known. */
  readonly componentConfidence: ComponentValues<number>
  /** What to do, for components that need advice. */
  readonly advice: ComponentValues<ComponentAdvice>
  readonly incidents: ReportedIncident[]
  readonly alerts: Alert[]
  readonly insights: string[]
  readonly recommendations: string[]
  /** Signals that do not apply to a vehicle of this kind: not worth asking for. */
  readonly unjudged: ReadonlySet<SignalName>
  /** What of the current observation was not believed. */
  readonly doubts: readonly Doubt[]
}

/** Which knowledge answered; a learned model adds its own name and version. */
export const MODEL_VERSION = 'knowledge-2.0.0'

/** No prediction is certain, however many of its decimals are nines. */
const MAX_REPORTED_PROBABILITY = 0.9999

/** Maintenance is needed from this probability on: where risk stops being low. */
const NEEDED_FROM = RISK_FROM.medium

export const outcomeNumbers = [
  ...statedIn('health-bands', [
    [
      { HEALTHY_FROM, WARNING_FROM, STATUS_HYSTERESIS },
      'points of 100',
      'assumption',
      'So that the worst of a component that needs attention, and of one that fails, lies inside the band with that name.',
    ],
    [
      { RISK_FROM },
      'probability of work within 30 days',
      'assumption',
      'A red lamp is high, an amber one medium, and a sound vehicle of usual age none or low.',
    ],
  ]),
  ...statedIn('predict', [[{ NEEDED_FROM }, 'probability of work within 30 days', 'assumption', 'Where risk stops being low.']]),
]

/**
 * `normal`, where one has been learned, scores how unusual a minute of driving is; without it knowledge answers alone. `lives` are the life models
 * that remaining life follows from.
 */
export function predict(input: PredictionInput, normal?: LearnedNormal, lives: readonly LifeModel[] = lifeModels): Prediction {
  const timeline = buildTimeline(input)
  const learned = normal?.(timeline)
  const state = detectState(timeline, learned)
  const use = useOf(input, timeline)
  const wear = wearOf(use, lives)
  const { components } = timeline.traits
  const incidents = groupByCause(state.findings.concat(findLifeEnding(wear, timeline.traits)))
  const { conditions, components: health, vehicle: healthScore } = assessHealth(incidents, wear, components)
  const prognosis = prognose(wear, conditions, incidents)
  const { remainingLife } = prognosis
  const maintenanceProbability = Math.min(MAX_REPORTED_PROBABILITY, round(prognosis.maintenanceProbability, 10_000))
  const anomaly = anomalyOf(incidents, timeline, learned)
  const isStopped = state.findings.some(({ type }) => type === 'red_stop_lamp')
  const healthStatus = isStopped ? 'critical' : healthStatusOf(round(healthScore, 10), input.previousStatus)
  const remainingUsefulLife: ComponentValues<number> = {}
  const remainingUsefulLifeInterval: ComponentValues<[number, number]> = {}
  for (const { component, medianDays, p10Days, p90Days } of remainingLife) {
    remainingUsefulLife[component] = reportedDays(medianDays)
    remainingUsefulLifeInterval[component] = [reportedDays(p10Days), reportedDays(p90Days)]
  }
  const { assumed } = use
  const advisory = advise({
    state,
    incidents,
    timeline,
    wear,
    components: health,
    healthScore,
    maintenanceProbability,
    judged: anomaly.basis,
    assumed,
  })
  return {
    healthScore: round(healthScore, 10),
    healthStatus,
    riskLevel: isStopped ? 'high' : riskLevelOf(maintenanceProbability),
    maintenanceNeeded: maintenanceProbability >= NEEDED_FROM || healthStatus === 'critical',
    maintenanceProbability,
    remainingUsefulLife,
    remainingUsefulLifeInterval,
    anomalyScore: round(anomaly.score, 10_000),
    anomalyDetected: anomaly.isDetected,
    anomalyBasis: anomaly.basis,
    components: roundScores(health),
    confidence: round(confidenceOf(input, timeline), 10_000),
    componentConfidence: confidenceOfLives(remainingLife, conditions, lives, timeline.traits),
    advice: adviceOf(incidents, remainingLife, timeline.traits),
    incidents: advisory.incidents,
    alerts: advisory.alerts,
    insights: advisory.insights,
    recommendations: advisory.recommendations,
    unjudged: timeline.traits.unjudged,
    doubts: timeline.doubts,
  }
}

function roundScores(health: Scores): ComponentValues<number> {
  const rounded: ComponentValues<number> = {}
  for (const { component, score } of health) rounded[component] = round(score, 10)
  return rounded
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps
}
