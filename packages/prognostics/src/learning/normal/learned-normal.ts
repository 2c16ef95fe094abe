// The learned normal as `predict` uses it: how unusual the last minute was, with the false-alarm rate of that score.
import { signals } from '@roadworthy/signals/registry'
import type { Component } from '../../components.ts'
import { type Finding, formatDuration, formatNumber } from '../../finding.ts'
import type { Timeline } from '../../inputs/timeline.ts'
import { bandOf, channelRow, type NormalChannel, type NormalModel, unusualnessOf } from './normal-model.ts'
import { type MovingSignal, type Situation, situationOf } from './situation.ts'
import { tailProbability } from './stretch-tail.ts'

export type LearnedAnomaly = {
  /** 1 - the probability that a sound stretch of 300 s ever looks this unusual; 0 for what it does not know. */
  readonly score: number
  readonly isDetected: boolean
  /** The signals it knew enough of. */
  readonly judged: readonly MovingSignal[]
  readonly findings: readonly Finding[]
}

export type LearnedNormal = (timeline: Timeline) => LearnedAnomaly

/** Detected where at most one sound stretch in a hundred gets to. */
export const DETECTED_FROM = 0.99

/** Beyond the span of the training data by this share of it, the model no longer counts at all. */
const UNFAMILIAR_BEYOND = 0.25

const components: Readonly<Record<MovingSignal, Component>> = { coolantTempC: 'cooling', batteryVoltageV: 'charging' }
const recommendations: Readonly<Record<MovingSignal, string>> = {
  coolantTempC: 'Keep an eye on the coolant temperature: check level, thermostat and its sensor when it goes on',
  batteryVoltageV: 'Keep an eye on the battery voltage: check alternator, belt and cables when it goes on',
}

const NOTHING: LearnedAnomaly = { score: 0, isDetected: false, judged: [], findings: [] }

export function learnedNormal(model: NormalModel): LearnedNormal {
  return (timeline) => {
    const situation = timeline.samples.length > 1 ? situationOf(timeline) : undefined
    if (situation === undefined) return NOTHING
    const judged = model.channels.flatMap((channel) => judge(channel, situation) ?? [])
    let score = 0
    const findings: Finding[] = []
    for (const one of judged) {
      // Bonferroni: with two signals to look at, a rare one is twice as likely.
      const ofOne = (1 - Math.min(1, judged.length * one.probability)) * one.familiarity
      score = Math.max(score, ofOne)
      if (ofOne >= DETECTED_FROM) findings.push(toFinding(one, situation, ofOne))
    }
    return { score, isDetected: score >= DETECTED_FROM, judged: judged.map(({ signal }) => signal), findings }
  }
}

type Judged = {
  readonly signal: MovingSignal
  readonly before: number
  readonly now: number
  readonly low: number
  readonly high: number
  readonly probability: number
  readonly familiarity: number
}

function judge(channel: NormalChannel, situation: Situation): Judged | undefined {
  const movement = situation.movements[channel.signal]
  if (movement === undefined) return undefined
  const familiarity = familiarityOf(channel, situation.row)
  if (familiarity === 0) return undefined
  const band = bandOf(channel, situation.row)
  const unusualness = unusualnessOf(channel.signal, band, movement.now - movement.before)
  return { signal: channel.signal, ...movement, ...band, probability: tailProbability(channel.maxima, unusualness), familiarity }
}

/** 1 inside what the training data span, falling to 0 beyond. A feature that is missing, or that they never had, is left out. */
function familiarityOf({ signal, spans }: NormalChannel, situationRow: ArrayLike<number>): number {
  let familiarity = 1
  for (const [index, value] of channelRow(signal, situationRow).entries()) {
    const span = spans[index]
    if (span === undefined || Number.isNaN(value)) continue
    const [low, high] = span
    const beyond = Math.max(low - value, value - high, 0)
    familiarity *= Math.max(0, 1 - beyond / (UNFAMILIAR_BEYOND * (high - low) || 1))
  }
  return familiarity
}

/** An information and no more: it takes nothing off health, and only a rule of what the parts can bear makes an alert of it. */
function toFinding({ signal, before, now, low, high }: Judged, { beforeAgeS }: Situation, score: number): Finding {
  const { label, unit } = signals[signal]
  const moved = now < before ? 'fell' : now > before ? 'rose' : 'stood still'
  const usual = `${formatNumber(before + low)} to ${formatNumber(before + high)} ${unit}`
  const course = now === before ? `at ${formatNumber(now)} ${unit}` : `from ${formatNumber(before)} to ${formatNumber(now)} ${unit}`
  return {
    type: 'unusual_reading',
    component: components[signal],
    severity: 'info',
    score: 100,
    description: `${label} is unusual`,
    message: `${label} ${moved} ${course} within ${formatDuration(beforeAgeS * 1000)}, where ${usual} is usual`,
    recommendation: recommendations[signal],
    code: undefined,
    evidence: {
      signal,
      before: round(before),
      value: round(now),
      usualLow: round(before + low),
      usualHigh: round(before + high),
      unit,
      anomalyScore: round(score),
    },
  }
}

const round = (value: number) => Math.round(value * 1000) / 1000
