// Runs to failure made up for tests: sensors that follow the operating regime and, towards the end, the wear.
import { createRandom } from '../learning/random.ts'
import { createRuns, type Runs } from '../learning/rul/runs.ts'

const LOADS = [10, 55, 100] as const
const MIN_LIFE = 90
const LIFE_SPREAD = 80

export type SimulatedRuns = { readonly runs: Runs; readonly lives: readonly number[] }

/** `cutOff` ends each run at a random cycle before its failure; `lives` is what was left then. */
export function simulateRuns(unitCount: number, seed: number, cutOff = false): SimulatedRuns {
  const random = createRandom(seed)
  const noise = () => random() + random() + random() - 1.5
  const columns = {
    unit: [] as number[],
    time: [] as number[],
    load: [] as number[],
    hot: [] as number[],
    slow: [] as number[],
    still: [] as number[],
  }
  const lives: number[] = []
  for (let unit = 0; unit < unitCount; unit++) {
    const life = MIN_LIFE + Math.floor(random() * LIFE_SPREAD)
    const rows = cutOff ? 40 + Math.floor(random() * (life - 41)) : life
    lives.push(life - rows)
    for (let cycle = 1; cycle <= rows; cycle++) {
      const load = LOADS[Math.floor(random() * LOADS.length)] ?? LOADS[0]
      const wear = (cycle / life) ** 4
      columns.unit.push(unit)
      columns.time.push(cycle)
      columns.load.push(load + 0.2 * noise())
      columns.hot.push(300 + 4 * load + 10 * wear + noise())
      columns.slow.push(50 - 0.2 * load - 3 * wear + 0.3 * noise())
      columns.still.push(7)
    }
  }
  const runs = createRuns({
    unitNames: lives.map((_, unit) => `unit-${unit + 1}`),
    unitOfRow: Int32Array.from(columns.unit),
    times: Float64Array.from(columns.time),
    settingNames: ['load'],
    settings: [Float32Array.from(columns.load)],
    sensorNames: ['hot', 'slow', 'still'],
    sensors: [columns.hot, columns.slow, columns.still].map((column) => Float32Array.from(column)),
  })
  return { runs, lives }
}

/** The first rows of one unit alone. */
export function prefixOf({ units, times, settings, sensors, ...names }: Runs, unit: number, rowCount: number): Runs {
  const { name, start } = units[unit] ?? { name: '', start: 0 }
  const cut = (column: Float32Array) => column.slice(start, start + rowCount)
  return {
    ...names,
    units: [{ name, start: 0, end: rowCount }],
    times: times.slice(start, start + rowCount),
    settings: settings.map(cut),
    sensors: sensors.map(cut),
  }
}
