// A device that sends °F where °C is agreed. It is reported, never corrected: a wrong guess would hide an engine that is too hot.
import { type SignalName, signals } from '@roadworthy/signals/registry'
import { type Finding, formatDuration, formatNumber } from '../finding.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { statedIn } from '../provenance.ts'
import {
  isWarmEngineInFahrenheit,
  NO_TEMPERATURES,
  stepToFahrenheit,
  type TemperatureReading,
  toCelsius,
  toFahrenheit,
} from './fahrenheit.ts'

const SIGNAL = 'coolantTempC' as const satisfies SignalName

/** One garbled reading suspects nobody: it has to last this long, over this many readings. */
const LASTS_MS = 20_000
const LEAST_READINGS = 5
const SMOOTH_F = 8

export const unitSuspicionNumbers = statedIn('unit-suspicion', [
  [{ LASTS_MS }, 'ms', 'benchmark', 'A change to °F in the middle of a trip is found within 120 s, and none is suspected on sound trips.'],
  [{ LEAST_READINGS }, 'readings', 'benchmark', 'As LASTS_MS.'],
  [
    { SMOOTH_F },
    '°F',
    'data',
    'Toyota Etios and Seat Leon: coolant steps by 3 °C in half a second at most, which is 5.4 °F; half as much again.',
  ],
])

/** Needs history: the value of one reading is garbage until it lasts. Looks at what was sent, not at what the gate let through. */
export function findUnitSuspicion({ sent }: Timeline): Finding | undefined {
  const readings = sent.flatMap(({ recordedAtMs, signals: { coolantTempC } }): TemperatureReading[] =>
    coolantTempC === undefined || NO_TEMPERATURES.includes(coolantTempC) ? [] : [{ atMs: recordedAtMs, value: coolantTempC }],
  )
  const latest = readings[readings.length - 1]
  if (latest === undefined || latest.value < toFahrenheit(0)) return undefined
  const since = readings.slice(Math.max(sinceWarmFahrenheit(readings), 0))
  const sinceStep = stepToFahrenheit(readings)
  const lasting =
    isWarmEngineInFahrenheit(latest.value) && lasts(since) && isAlive(since)
      ? since
      : sinceStep === undefined
        ? []
        : readings.slice(sinceStep)
  return lasts(lasting) ? toFinding(latest, lasting) : undefined
}

function lasts(readings: readonly TemperatureReading[]): boolean {
  return readings.length >= LEAST_READINGS && (readings[readings.length - 1]?.atMs ?? 0) - (readings[0]?.atMs ?? 0) >= LASTS_MS
}

/** A broken sensor or a wrong decoding reports one number for ever. */
function isAlive(readings: readonly TemperatureReading[]): boolean {
  return readings.some(({ value }) => value !== readings[0]?.value)
}

/** The first of the latest unbroken run of readings that are a warm engine's in °F. */
function sinceWarmFahrenheit(readings: readonly TemperatureReading[]): number {
  const broken = readings.findLastIndex(({ value }, index) => {
    const before = readings[index - 1]
    return (
      !isWarmEngineInFahrenheit(value) ||
      (before !== undefined && isWarmEngineInFahrenheit(before.value) && Math.abs(value - before.value) > SMOOTH_F)
    )
  })
  return broken + 1
}

function toFinding({ value }: TemperatureReading, lasting: readonly TemperatureReading[]): Finding {
  const { label, max } = signals[SIGNAL]
  const celsius = Math.round(toCelsius(value))
  const lastingMs = (lasting[lasting.length - 1]?.atMs ?? 0) - (lasting[0]?.atMs ?? 0)
  return {
    type: 'unit_suspected',
    component: 'cooling',
    severity: 'low',
    score: 100,
    description: `${label} seems to be sent in °F`,
    message: `${label} ${formatNumber(value)} for ${formatDuration(lastingMs)} is no °C a sound engine has, but as °F it is ${celsius} °C`,
    recommendation: 'Set the device to send °C: as long as it does not, overheating cannot be detected',
    code: undefined,
    evidence: { signal: SIGNAL, value, max, asCelsius: celsius, suspectedUnit: '°F' },
  }
}
