// A device that sends °F where °C is agreed. It is told, never corrected: a wrong guess would hide an engine that is too hot.
import { type SignalName, signals } from '@roadworthy/signals/registry'
import { type Finding, formatDuration, formatNumber } from './finding.ts'
import type { Timeline } from './timeline.ts'

const SIGNAL = 'coolantTempC' as const satisfies SignalName
const toFahrenheit = (celsius: number) => celsius * 1.8 + 32
const toCelsius = (fahrenheit: number) => (fahrenheit - 32) / 1.8

/** One garbled reading suspects nobody: it has to last this long, over this many readings. */
const LASTS_MS = 20_000
const LEAST_READINGS = 5
/** Readings around the change: rounding to whole degrees on both sides, and the time between two readings. */
const STEP_TOLERANCE_F = 5
const LEAST_STEP = 20
const MAX_STEP_GAP_MS = 30_000
/** A warm engine in °F is beyond what any coolant sensor reads in °C, and moves as smoothly as coolant does. */
const WARM_FROM_C = 66
const WARM_TO_C = 125
const SMOOTH_F = 8
/** What SAE J1979 byte 255 ("not available") reads as, with its offset of -40. */
const NOT_AVAILABLE = 215

type Said = { readonly atMs: number; readonly value: number }

/** Needs history: what one reading says is garbage until it lasts. Looks at what was sent, not at what the gate let through. */
export function findUnitSuspicion({ told }: Timeline): Finding | undefined {
  const said = told.flatMap(({ recordedAtMs, signals: { coolantTempC } }): Said[] =>
    coolantTempC === undefined || coolantTempC === NOT_AVAILABLE ? [] : [{ atMs: recordedAtMs, value: coolantTempC }],
  )
  const latest = said[said.length - 1]
  if (latest === undefined || latest.value < toFahrenheit(0)) return undefined
  const since = said.slice(Math.max(sinceWarmFahrenheit(said), 0))
  const sinceStep = stepToFahrenheit(said)
  const lasting =
    isWarmFahrenheit(latest.value) && lasts(since) && isAlive(since) ? since : sinceStep === undefined ? [] : said.slice(sinceStep)
  return lasts(lasting) ? toFinding(latest, lasting) : undefined
}

function lasts(said: readonly Said[]): boolean {
  return said.length >= LEAST_READINGS && (said[said.length - 1]?.atMs ?? 0) - (said[0]?.atMs ?? 0) >= LASTS_MS
}

/** A broken sensor or a wrong decoding says one number for ever. */
function isAlive(said: readonly Said[]): boolean {
  return said.some(({ value }) => value !== said[0]?.value)
}

/** Out of range as °C, and a warm engine's temperature as °F. */
function isWarmFahrenheit(value: number): boolean {
  const celsius = toCelsius(value)
  return value > signals[SIGNAL].max && celsius >= WARM_FROM_C && celsius <= WARM_TO_C
}

/** The first of the latest unbroken run of readings that are a warm engine's in °F. */
function sinceWarmFahrenheit(said: readonly Said[]): number {
  const broken = said.findLastIndex(({ value }, index) => {
    const before = said[index - 1]
    return !isWarmFahrenheit(value) || (before !== undefined && isWarmFahrenheit(before.value) && Math.abs(value - before.value) > SMOOTH_F)
  })
  return broken + 1
}

/** The reading from which on the values are °F of what they were before, if they still are. */
function stepToFahrenheit(said: readonly Said[]): number | undefined {
  const index = said.findLastIndex(({ atMs, value }, at) => {
    const before = said[at - 1]
    if (before === undefined || atMs - before.atMs > MAX_STEP_GAP_MS || value - before.value < LEAST_STEP) return false
    return Math.abs(value - toFahrenheit(before.value)) <= STEP_TOLERANCE_F
  })
  const before = said[index - 1]
  if (before === undefined) return undefined
  return said.slice(index).every(({ value }) => value >= before.value + LEAST_STEP) ? index : undefined
}

function toFinding({ value }: Said, lasting: readonly Said[]): Finding {
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
    recommendation: 'Set the device to send °C: as long as it does not, overheating cannot be told',
    code: undefined,
    evidence: { signal: SIGNAL, value, max, asCelsius: celsius, suspectedUnit: '°F' },
  }
}
