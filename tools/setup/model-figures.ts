// What `GET /v1/models` reports as measured of the rules, taken from the lines that `npm run bench:quality` appends. Nobody writes a figure by hand.

/** A line of bench/results/quality.jsonl, as far as it is read here: the held-back trips sampled at one interval. */
type QualityLine = {
  readonly at: string
  readonly everyS: number
  readonly sound: readonly { readonly vehicle: string; readonly engineHours: number; readonly alertsAboveInfo: number }[]
  readonly faults: readonly {
    readonly name: string
    readonly shownCount: number
    readonly foundAboveInfoShare: number
    readonly notAskedFor?: string
  }[]
}

/** The same trips once more, with their voltage doubled: no further hours. */
const DERIVED_VEHICLE = '24 V truck'

/** The text of services/engine/src/models/measured-figures.ts. `results`: the lines of the file of results, of which the last of each rate counts. */
export function modelFiguresText(results: string): string {
  const lines = results
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as QualityLine)
  const latest = [...new Map(lines.map((line) => [line.everyS, line])).values()].sort((a, b) => a.everyS - b.everyS)
  const recorded = latest.map(({ sound }) => sound.filter(({ vehicle }) => vehicle !== DERIVED_VEHICLE))
  const falseAlarms = latest.map(({ sound }) => 100 * (sumOf(sound, 'alertsAboveInfo') / sumOf(sound, 'engineHours')))
  const faults = latest.flatMap((line) => line.faults.filter(({ notAskedFor }) => notAskedFor === undefined))
  const shownCount = faults.reduce((sum, fault) => sum + fault.shownCount, 0)
  const foundCount = faults.reduce((sum, fault) => sum + fault.shownCount * fault.foundAboveInfoShare, 0)
  const figures = {
    measured_at: latest
      .map(({ at }) => at)
      .toSorted()
      .at(-1),
    measured_seconds_per_reading: latest.map(({ everyS }) => everyS),
    measured_engine_hours: rounded(Math.max(...recorded.map((sound) => sumOf(sound, 'engineHours'))), 2),
    false_alarms_per_100_engine_hours: rounded(Math.max(...falseAlarms), 2),
    injected_faults: shownCount,
    injected_faults_found_share: rounded(foundCount / shownCount, 3),
    least_found_share_of_a_fault: Math.min(...faults.map(({ foundAboveInfoShare }) => foundAboveInfoShare)),
  }
  const rows = Object.entries(figures).map(([name, value]) => `  ${name}: ${written(value)},`)
  return [
    '// Written by `npm run model-figures` from bench/results/quality.jsonl. Measure anew instead of changing it.',
    '',
    '/** Of the rules, on trips of two sound cars that were held back, at several rates of reporting: the worst of them, and all faults that are asked for. */',
    'export const measuredFigures = {',
    ...rows,
    '} as const',
    '',
  ].join('\n')
}

function sumOf<K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number {
  return rows.reduce((sum, row) => sum + row[key], 0)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

function written(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value)
}
