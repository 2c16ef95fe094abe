// What the battery gives while the starter turns the engine: a better witness of its state than its voltage at rest.
import { scoreAt } from '../components.ts'
import { type Finding, formatNumber } from '../finding.ts'
import type { Sample } from '../inputs/sample.ts'
import { statedIn } from '../provenance.ts'

export type Start = {
  /** Of the last reading while the starter turned. */
  readonly atMs: number
  /** The highest of these readings, in volts of a 12 V system: the first instant of a start pulls any battery down. */
  readonly voltageV: number
  /** From the first to the last reading. */
  readonly turnedMs: number
  readonly ambientTempC: number | undefined
}

/** The least a sound 12 V battery holds while the starter turns, by its temperature. */
const LOAD_TEST: readonly { readonly tempC: number; readonly leastV: number }[] = [
  { tempC: -18, leastV: 8.5 },
  { tempC: -12, leastV: 8.7 },
  { tempC: -7, leastV: 8.9 },
  { tempC: -1, leastV: 9.1 },
  { tempC: 4, leastV: 9.3 },
  { tempC: 10, leastV: 9.4 },
  { tempC: 16, leastV: 9.5 },
  { tempC: 21, leastV: 9.6 },
]
/** Where the temperature is not known, the battery may be as cold as this. */
const UNKNOWN_TEMP_C = -18
const LEAST_TURNED_MS = 4_000
/** An engine that stalls turns as slowly as one that is started; its alternator has just charged. */
const NOT_CHARGING_BELOW_V = 13

export const startingNumbers = statedIn('starting', [
  [
    { LOAD_TEST },
    { tempC: '°C', leastV: 'V of a 12 V system' },
    'literature',
    'Battery Council International, table of the load test: the least that a sound battery holds at half its cold-cranking current for 15 s.',
  ],
  [{ UNKNOWN_TEMP_C }, '°C', 'assumption', 'The coldest row: fewer false alarms rather than earlier ones.'],
  [
    { LEAST_TURNED_MS },
    'ms',
    'assumption',
    'The first instants pull any battery down, and a sound engine starts within 2 s; the load test takes 15 s.',
  ],
  [{ NOT_CHARGING_BELOW_V }, 'V of a 12 V system', 'data', 'Toyota Etios: with the engine on the 1st percentile is 13.07 V.'],
])

/** The last start of the stretch. */
export function lastStartOf(samples: readonly Sample[], systemVoltage: number): Start | undefined {
  const per12V = systemVoltage / 12
  let start: Start | undefined
  let isStarting = false
  for (let index = 0; index < samples.length; index++) {
    const { atMs, engine, values } = samples[index] as Sample
    if (engine !== 'cranking') {
      isStarting = false
      continue
    }
    if (values.batteryVoltageV === undefined) continue
    const voltageV = values.batteryVoltageV / per12V
    if (voltageV >= NOT_CHARGING_BELOW_V) continue
    const before = isStarting ? start : undefined
    isStarting = true
    start = {
      atMs,
      voltageV: Math.max(voltageV, before?.voltageV ?? 0),
      turnedMs: before === undefined ? 0 : before.turnedMs + (atMs - before.atMs),
      ambientTempC: values.ambientTempC,
    }
  }
  return start
}

/** Whether the battery held up, as one would that passes its load test. */
export function isStrong({ voltageV, ambientTempC }: Start): boolean {
  return voltageV >= leastVoltageV(ambientTempC)
}

/** What of a timeline the finding rests on. */
type LastStart = { readonly lastStart: Start | undefined; readonly systemVoltage: number }

export function findWeakStart({ lastStart, systemVoltage }: LastStart): Finding | undefined {
  if (lastStart === undefined || lastStart.turnedMs < LEAST_TURNED_MS || isStrong(lastStart)) return undefined
  const per12V = systemVoltage / 12
  const voltageV = lastStart.voltageV * per12V
  const leastV = leastVoltageV(lastStart.ambientTempC) * per12V
  return {
    type: 'battery_weak',
    component: 'battery',
    severity: 'medium',
    score: scoreAt.medium,
    description: 'Battery gives way to the starter',
    message: `Battery voltage was at most ${formatNumber(voltageV)} V while the starter turned, less than the ${formatNumber(leastV)} V that a sound battery holds`,
    recommendation: 'Charge the battery and have it load-tested, and check its terminals, before the vehicle does not start',
    code: undefined,
    evidence: { signal: 'batteryVoltageV', value: round(voltageV), threshold: round(leastV), unit: 'V' },
  }
}

function leastVoltageV(ambientTempC: number | undefined): number {
  const tempC = ambientTempC ?? UNKNOWN_TEMP_C
  const above = LOAD_TEST.findIndex((row) => row.tempC >= tempC)
  const warmer = LOAD_TEST.at(above) as (typeof LOAD_TEST)[number]
  const colder = LOAD_TEST[above - 1]
  if (above <= 0 || colder === undefined) return warmer.leastV
  return colder.leastV + ((tempC - colder.tempC) / (warmer.tempC - colder.tempC)) * (warmer.leastV - colder.leastV)
}

const round = (value: number) => Math.round(value * 100) / 100
