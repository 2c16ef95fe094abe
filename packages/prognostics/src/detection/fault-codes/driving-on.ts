// What a fault means for driving on, and with that its severity: stated once, here.
import { type Severity, severities } from '@roadworthy/signals/severity'
import { type NumberRow, type Provenance, statedIn } from '../../provenance.ts'

type DrivingClass = Provenance & {
  readonly severity: Severity
  /** What the driver does. */
  readonly instruction: string
  /** Which faults belong here. */
  readonly reason: string
}

/** Gravest first. */
export const drivingClasses = {
  stop: {
    severity: 'critical',
    instruction: 'Stop as soon as it is safe and do not drive on',
    reason: 'Danger to persons (brakes without force, fire, high voltage on the body), or the engine is ruined within minutes (oil, heat)',
    origin: 'literature',
    source: 'SAE J1939-73, red stop lamp: stop immediately.',
  },
  workshop: {
    severity: 'high',
    instruction: 'Drive gently and straight to a workshop',
    reason:
      'A protection is lost (ABS, stability, airbag), the vehicle may stop or lose drive, power is about to be taken away, or driving on does costly harm (misfire and catalyst, slipping clutch, boost)',
    origin: 'assumption',
    source: 'After the flashing warning lamp of OBD for misfires that harm the catalyst.',
  },
  soon: {
    severity: 'medium',
    instruction: 'Drive on, and have it repaired within days',
    reason: 'Works with limits, or a fault of a circuit that something important relies on',
    origin: 'literature',
    source: 'SAE J1939-73, amber warning lamp: need not stop at once.',
  },
  service: {
    severity: 'low',
    instruction: 'Drive on; have it looked at by the next service',
    reason: 'Emissions, comfort or a gauge; a fault of a circuit that has a stand-in',
    origin: 'literature',
    source: 'SAE J1939-73, malfunction lamp: an emission-related fault.',
  },
  note: {
    severity: 'info',
    instruction: 'Drive on; it has no effect on driving',
    reason: 'No effect on driving',
    origin: 'assumption',
    source: 'What has no effect on driving needs nobody to act.',
  },
} as const satisfies Readonly<Record<string, DrivingClass>>

export type DrivingOn = keyof typeof drivingClasses

/** An upper limit for codes of a circuit, whatever their row states. */
const GRAVEST_OF_A_CIRCUIT: DrivingOn = 'soon'

export const drivingOnNumbers: readonly NumberRow[] = [
  ...Object.entries(drivingClasses).map(
    ([name, { severity, origin, source }]): NumberRow => ({
      name: `driving-on.${name}`,
      value: severity,
      unit: 'severity',
      origin,
      source,
    }),
  ),
  ...statedIn('driving-on', [
    [{ GRAVEST_OF_A_CIRCUIT }, 'class', 'assumption', "A sensor's circuit is never as grave as what the sensor measures."],
  ]),
]

const gravestFirst = Object.keys(drivingClasses) as readonly DrivingOn[]

const rankOf = (driving: DrivingOn) => severities.indexOf(drivingClasses[driving].severity)

export function isDrivingOn(text: string): text is DrivingOn {
  return Object.hasOwn(drivingClasses, text)
}

const milderOf = (one: DrivingOn, other: DrivingOn): DrivingOn => (rankOf(one) < rankOf(other) ? one : other)

/**
 * In one or two sentences. What the driver has to do first comes first. An effect that begins with `=` is shown alone: a tank that the driver fills is
 * no matter for a workshop.
 */
export function drivingOnText(driving: DrivingOn, effect: string | undefined): string {
  const { instruction } = drivingClasses[driving]
  if (effect === undefined) return instruction
  if (effect.startsWith('=')) return effect.slice(1)
  return driving === 'stop' ? `${instruction}. ${effect}` : `${effect}. ${instruction}`
}

export const graverOf = (one: DrivingOn, other: DrivingOn): DrivingOn => (rankOf(one) > rankOf(other) ? one : other)

export const ofCircuit = (driving: DrivingOn): DrivingOn => milderOf(driving, GRAVEST_OF_A_CIRCUIT)

/** `steps` classes graver (negative) or milder (positive), as far as there are any. */
export function stepBy(driving: DrivingOn, steps: number): DrivingOn {
  const at = gravestFirst.indexOf(driving) + steps
  return gravestFirst[Math.min(gravestFirst.length - 1, Math.max(0, at))] ?? driving
}
