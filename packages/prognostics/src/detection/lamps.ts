import { type LampName, lampNames, lamps } from '@roadworthy/signals/registry'
import type { Severity } from '@roadworthy/signals/severity'
import { type Component, scoreAt } from '../components.ts'
import type { Finding } from '../finding.ts'
import { gateInstant } from '../inputs/gate.ts'
import { findHeld, type Hold } from '../inputs/hold.ts'
import type { Sample } from '../inputs/sample.ts'
import { engineStateOf, type Timeline } from '../inputs/timeline.ts'
import { type NumberRow, type Provenance, statedIn } from '../provenance.ts'
import type { Powertrain } from '../vehicle/vehicle-traits.ts'

const lampTypes = ['red_stop_lamp', 'amber_warning_lamp', 'protect_lamp', 'mil_lamp'] as const
export type LampType = (typeof lampTypes)[number]

export function isLamp(finding: Finding): finding is Finding & { readonly type: LampType } {
  return lampTypes.some((type) => type === finding.type)
}

type LampMeaning = Provenance & {
  readonly type: LampType
  readonly severity: Severity
  readonly cap: number
  readonly meaning: string
  readonly recommendation: string
}

/** `cap` is the most condition it leaves the part that it was lit for. */
const meanings: Readonly<Record<LampName, LampMeaning>> = {
  redStopLamp: {
    type: 'red_stop_lamp',
    severity: 'critical',
    cap: scoreAt.critical,
    meaning: 'a fault severe enough to stop the vehicle immediately',
    recommendation: 'Stop the vehicle as soon as it is safe and have it towed or repaired on the spot',
    origin: 'assumption',
    source: 'SAE J1939-73 DM1: stop immediately. That this is critical, and what it leaves, are the scores of the severities.',
  },
  amberWarningLamp: {
    type: 'amber_warning_lamp',
    severity: 'medium',
    cap: 65,
    meaning: 'a fault that needs attention but no stop',
    recommendation: 'Book a diagnosis within days',
    origin: 'assumption',
    source: 'SAE J1939-73 DM1: need not stop at once. What it leaves is the score of medium.',
  },
  protectLamp: {
    type: 'protect_lamp',
    severity: 'medium',
    cap: 60,
    meaning: 'a system that is not electronic, such as coolant temperature or a fluid level, out of its limits',
    recommendation: 'Check fluids and temperatures before the next trip',
    origin: 'assumption',
    source: 'SAE J1939-73 DM1: not electronic, so it may be heat or a fluid; a little graver than the amber lamp.',
  },
  milLamp: {
    type: 'mil_lamp',
    severity: 'low',
    cap: 75,
    meaning: 'at least one emissions-related fault code',
    recommendation: 'Have the fault codes read',
    origin: 'assumption',
    source: 'SAE J1939-73 DM1: an emission-related fault. Between low and medium, for the lamp does not distinguish them.',
  },
}

const hold: Hold = { direction: 'above', thresholds: [0.5], holdMs: 20_000, release: 0 }

export const lampNumbers: readonly NumberRow[] = [
  ...Object.entries(meanings).flatMap(([name, { severity, cap, origin, source }]): NumberRow[] => [
    { name: `lamps.${name}.severity`, value: severity, unit: 'severity', origin, source },
    { name: `lamps.${name}.cap`, value: cap, unit: 'points of 100', origin, source },
  ]),
  ...statedIn('lamps', [
    [
      { hold },
      { thresholds: '1 is on, 0 is off', holdMs: 'ms', release: '1 is on, 0 is off' },
      'assumption',
      'Lamps are all lit at ignition on, for seconds to prove the bulb or until the engine starts: they have to last to mean something.',
    ],
  ]),
]

/** Lamps do not name a part: it is that of what drives the vehicle (of a trailer: its brakes) until something else explains them. */
const componentOf: Readonly<Record<Powertrain, Component>> = {
  combustion: 'engine',
  hybrid: 'engine',
  electric: 'high_voltage',
  none: 'brakes',
}

export function findLamps(timeline: Timeline): Finding[] {
  const findings: Finding[] = []
  for (const name of lampNames) {
    const lit = findHeld(timeline, ({ lamps: states }) => toNumber(states[name]), hold)
    if (lit === undefined || (lit.level < 0 && !wasLitBefore(name, timeline))) continue
    const { type, severity, cap, meaning, recommendation } = meanings[name]
    const { label } = lamps[name]
    const message = `${label} is on: it reports ${meaning}`
    findings.push({
      type,
      component: componentOf[timeline.traits.powertrain],
      severity,
      score: cap,
      description: `${label} on`,
      message,
      recommendation,
      code: undefined,
      evidence: { lamp: name, value: 'LAMP_ON' },
    })
  }
  return findings
}

/**
 * A lamp is not noise as a sensor is: lit in the last report before a pause and in every one since, it is lit, however long the pause was.
 * Reports of an engine known to stand do not count, they may be two bulb checks.
 */
function wasLitBefore(name: LampName, { samples, current, earlierStretches, traits }: Timeline): boolean {
  if (current.lamps[name] !== true || isStanding(current.engine) || samples.some(({ lamps: states }) => states[name] === false))
    return false
  const before = earlierStretches.findLast(({ lamps: states }) => states[name] !== undefined)
  return before?.lamps[name] === true && !isStanding(engineStateOf(gateInstant(before.signals, undefined), traits.powertrain))
}

const isStanding = (engine: Sample['engine']) => engine === 'off' || engine === 'cranking'

function toNumber(state: boolean | undefined): number | undefined {
  return state === undefined ? undefined : Number(state)
}
