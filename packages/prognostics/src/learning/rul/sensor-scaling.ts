// What is normal for a sensor inside each operating regime, so that readings of different regimes can be compared.
import { type OperatingRegimes, regimeOf } from './operating-regimes.ts'
import type { Runs } from './runs.ts'

export type SensorScale = {
  readonly sensor: string
  /** Per regime. */
  readonly means: readonly number[]
  /** Per regime; 0 where the sensor does not move, and then its score is 0. */
  readonly deviations: readonly number[]
}

export type SensorScaling = { readonly kept: readonly SensorScale[]; readonly dropped: readonly string[] }

/** A sensor with one value in more than this share of rows is constant: too few others to learn from without learning them by heart. */
const CONSTANT_SHARE = 0.999
/** Recorders print about seven digits; a spread below that is the last one flickering. */
const ROUNDING = 1e-6

/** Scales from the given rows only; sensors that are constant, or nearly, inside every regime are dropped. */
export function fitScaling(runs: Runs, regimes: OperatingRegimes, rows: Int32Array): SensorScaling {
  const regimeOfRow = regimesOfRows(runs, regimes)
  const [kept, dropped]: [SensorScale[], string[]] = [[], []]
  for (const [at, sensor] of runs.sensorNames.entries()) {
    const column = runs.sensors[at] as Float32Array
    const scales = regimes.centres.map((_, regime) =>
      scaleOf(
        Float32Array.from(
          rows.filter((row) => regimeOfRow[row] === regime),
          (row) => column[row] as number,
        ),
      ),
    )
    if (scales.every(({ deviation }) => deviation === 0)) dropped.push(sensor)
    else kept.push({ sensor, means: scales.map(({ mean }) => mean), deviations: scales.map(({ deviation }) => deviation) })
  }
  return { kept, dropped }
}

/** The regime of every row. */
export function regimesOfRows({ settings, times }: Runs, regimes: OperatingRegimes): Uint8Array {
  const row = new Float64Array(settings.length)
  return Uint8Array.from(times, (_, at) => {
    for (let setting = 0; setting < settings.length; setting++) row[setting] = settings[setting]?.[at] as number
    return regimeOf(regimes, row)
  })
}

function scaleOf(values: Float32Array): { mean: number; deviation: number } {
  const known = values.filter((value) => !Number.isNaN(value))
  if (known.length === 0) return { mean: 0, deviation: 0 }
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  const deviation = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length)
  const isConstant = deviation <= ROUNDING * Math.abs(mean) || largestShare(known) > CONSTANT_SHARE
  return { mean, deviation: isConstant ? 0 : deviation }
}

function largestShare(values: Float32Array): number {
  const sorted = values.slice().sort()
  let [longest, length] = [1, 1]
  for (let at = 1; at < sorted.length; at++) {
    length = sorted[at] === sorted[at - 1] ? length + 1 : 1
    if (length > longest) longest = length
  }
  return longest / sorted.length
}
