// What the battery gives while the starter turns the engine: a better witness of its state than its voltage at rest.
import { scoreAt } from './components.ts'
import { type Finding, formatNumber } from './finding.ts'
import type { Sample, Timeline } from './timeline.ts'

export type Start = {
  /** Of the last reading while the starter turned. */
  readonly atMs: number
  /** The highest of these readings, in volts of a 12 V system: the first instant of a start pulls any battery down. */
  readonly voltageV: number
  /** From the first to the last reading. */
  readonly turnedMs: number
  readonly ambientTempC: number | undefined
}

/**
 * The least a sound 12 V battery holds at half its cold-cranking current for 15 s, by its temperature: the table of the battery load test of
 * Battery Council International (9.6 V at 21 °C and above, 8.5 V at -18 °C).
 */
const LOAD_TEST: readonly (readonly [tempC: number, leastV: number])[] = [
  [-18, 8.5],
  [-12, 8.7],
  [-7, 8.9],
  [-1, 9.1],
  [4, 9.3],
  [10, 9.4],
  [16, 9.5],
  [21, 9.6],
]
/** Where the temperature is not known, the battery may be as cold as this. Assumption: fewer false alarms rather than earlier ones. */
const UNKNOWN_TEMP_C = -18
/** The first instants pull any battery down, and a sound engine starts within 2 s; the load test takes 15 s. Assumption. */
const LEAST_TURNED_MS = 4_000
/** An engine that stalls turns as slowly as one that is started; its alternator has just charged. */
const NOT_CHARGING_BELOW_V = 13

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

export function findWeakStart({ lastStart, systemVoltage }: Timeline): Finding | undefined {
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
  const above = LOAD_TEST.findIndex(([rowC]) => rowC >= tempC)
  const [warmerC, warmerV] = LOAD_TEST.at(above) ?? [0, 0]
  const [colderC, colderV] = LOAD_TEST[above - 1] ?? [warmerC, warmerV]
  if (above <= 0 || warmerC === colderC) return warmerV
  return colderV + ((tempC - colderC) / (warmerC - colderC)) * (warmerV - colderV)
}

const round = (value: number) => Math.round(value * 100) / 100
