// How unusual the readings are, 0 (ordinary) to 1. From knowledge: how far outside their bands they lie. With a learned normal: its
// calibrated tail probability, and above it only what knowledge has found wrong, so that sound driving keeps the false-alarm rate it has.

import { type LampName, lampNames, type SignalName, signalNames } from '@roadworthy/signals/registry'
import { splitLamps } from './assess-health.ts'
import { judgedNow } from './detection/detect-state.ts'
import type { Finding } from './finding.ts'
import type { Incident } from './incidents.ts'
import type { Timeline } from './inputs/timeline.ts'
import type { LearnedAnomaly } from './learning/normal/learned-normal.ts'
import { statedIn } from './provenance.ts'
import { hasEngine } from './vehicle/vehicle-traits.ts'

const DETECTED_FROM = 0.5

/** The most an unusual but allowed reading adds. */
const MAX_INSIDE_BANDS = 0.05
const WARM_COOLANT_C = { centre: 89, halfWidth: 13 }
const CHARGING_V = { centre: 13.8, halfWidth: 0.9 }
/** What a finding that leaves nothing of a component is worth, and how it falls off towards one that leaves everything. */
const MOST_EVIDENCE = 0.95
const EVIDENCE_EXPONENT = 1.9

export const anomalyNumbers = statedIn('anomaly', [
  [{ DETECTED_FROM }, 'anomalyScore', 'assumption', 'One medium finding is enough.'],
  [{ MAX_INSIDE_BANDS }, 'anomalyScore', 'assumption', 'A vehicle inside all its bands stays under 0.1.'],
  [
    { WARM_COOLANT_C },
    '°C',
    'data',
    'Toyota Etios and Seat Leon: medians of 87 and 90 °C with the engine on; 102 °C, the end of the half width, is where the band of coolant ends.',
  ],
  [
    { CHARGING_V },
    'V of a 12 V system',
    'data',
    'Toyota Etios: median of 13.73 V with the engine on; the half width reaches to where undercharge and overcharge begin.',
  ],
  [
    { MOST_EVIDENCE, EVIDENCE_EXPONENT },
    'number',
    'assumption',
    'Chosen so that a medium finding is worth a little more than DETECTED_FROM, 0.53, and none is certain.',
  ],
])

export type Anomaly = {
  readonly score: number
  readonly isDetected: boolean
  /** The signals that were reported and judged. Where there are none, a score of 0 means nothing. */
  readonly basis: readonly Judged[]
}
export type Judged = SignalName | LampName | 'dtcCodes'

/**
 * Incidents are taken as independent evidence: the score is 1 - Π(1 - evidence). What has one cause is one piece of evidence. A lamp is lit for something else
 * that was found or for something that was not; as with health, the worse of the two counts, so that a reading that comes to explain it lowers nothing.
 */
export function anomalyOf(incidents: readonly Incident[], timeline: Timeline, learned?: LearnedAnomaly): Anomaly {
  const basis = basisOf(incidents, timeline, learned)
  const { lamps, rest } = splitLamps(incidents)
  let ordinary = 1
  for (const { score } of rest) ordinary *= 1 - evidenceOf(score)
  if (lamps !== undefined) ordinary = Math.min(ordinary, 1 - evidenceOf(lamps.score))
  if (learned !== undefined) {
    return { score: Math.max(learned.score, 1 - ordinary), isDetected: learned.isDetected || 1 - ordinary >= DETECTED_FROM, basis }
  }
  const { values, engine } = timeline.current
  if (engine === 'running' && hasEngine(timeline.traits)) {
    ordinary *= 1 - departure(values.coolantTempC, WARM_COOLANT_C)
    const voltageV = values.batteryVoltageV
    ordinary *= 1 - departure(voltageV === undefined ? undefined : (voltageV * 12) / timeline.systemVoltage, CHARGING_V)
  }
  const score = 1 - ordinary
  return { score, isDetected: score >= DETECTED_FROM, basis }
}

function basisOf(incidents: readonly Incident[], timeline: Timeline, learned: LearnedAnomaly | undefined): readonly Judged[] {
  const basis: Judged[] = judgedNow(timeline)
  for (const signal of learned?.judged ?? []) if (!basis.includes(signal)) basis.push(signal)
  const { lamps, dtcCodes } = timeline.current
  for (const name of lampNames) if (lamps[name] !== undefined) basis.push(name)
  if (dtcCodes !== undefined) basis.push('dtcCodes')
  // What was found and is not over counts, be its signal, lamp or code left out of the current report.
  for (const finding of incidents.flatMap(({ findings }) => findings)) {
    const judged = finding.score < 100 ? reportedBy(finding) : undefined
    if (judged !== undefined && !basis.includes(judged)) basis.push(judged)
  }
  return basis
}

function reportedBy({ type, evidence: { signal, lamp } }: Finding): Judged | undefined {
  if (type === 'fault_code') return 'dtcCodes'
  return signalNames.find((name) => name === signal) ?? lampNames.find((name) => name === lamp)
}

/** 0 at condition 100, 0.53 at 65 (medium), 0.95 at 0. */
function evidenceOf(score: number): number {
  const deficit = (100 - score) / 100
  return MOST_EVIDENCE * (1 - (1 - deficit) ** EVIDENCE_EXPONENT)
}

function departure(value: number | undefined, { centre, halfWidth }: { centre: number; halfWidth: number }): number {
  if (value === undefined) return 0
  return MAX_INSIDE_BANDS * Math.min(1, (Math.abs(value - centre) / halfWidth) ** 2)
}
