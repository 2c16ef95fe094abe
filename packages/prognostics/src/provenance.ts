// Where a number comes from, stated beside it. Each file states its numbers in a table of its own (`fuelLossNumbers`), below its constants;
// `numbers.ts` puts them together. tools/tidy holds every constant to it.

/**
 * `data`: measured on recordings at hand. `literature`: a maker, a manual, a standard or a book states it. `benchmark`: set or checked by
 * `bench/quality`. `assumption`: a judgement of ours, whatever it is based on.
 */
export const origins = ['data', 'literature', 'benchmark', 'assumption'] as const
export type Origin = (typeof origins)[number]

export type Provenance = { readonly origin: Origin; readonly source: string }

type Plain = number | string
type Value = Plain | Plain[]
export type NumberRow = Provenance & {
  /** File, constant and, in a table, column: `cooling-down.FALLEN_BELOW_C`. */
  readonly name: string
  /** A number, the word that stands for one (`critical`), a list, or values by name. */
  readonly value: Value | Record<string, Value>
  readonly unit: string
}

/** Of a table the unit of each column, where they differ. */
type Unit = string | Readonly<Record<string, string>>
/**
 * Constants with their names as keys, `{ FALLEN_BELOW_C }`, so that the value cannot be another one than the code works with: numbers, lists,
 * tables.
 */
type Statement = readonly [constants: Readonly<Record<string, unknown>>, unit: Unit, origin: Origin, source: string]

export function statedIn(file: string, statements: readonly Statement[]): readonly NumberRow[] {
  return statements.flatMap(([constants, unit, origin, source]) =>
    Object.entries(constants).flatMap(([constant, value]) =>
      spreadOut(`${file}.${constant}`, value, unit).map((row): NumberRow => ({ ...row, origin, source })),
    ),
  )
}

type Spread = Pick<NumberRow, 'name' | 'value' | 'unit'>
type Table = Readonly<Record<string, unknown>>

function spreadOut(name: string, value: unknown, unit: Unit): Spread[] {
  if (typeof unit === 'string') return [{ name, value: toValue(value), unit }]
  const columns = Array.isArray(value) ? columnsOf(value as readonly Table[]) : Object.entries(value as Table)
  return columns.flatMap(([column, cells]) => {
    const of = unit[column]
    if (of !== undefined) return spreadOut(`${name}.${column}`, cells, of)
    // A text, or a table of tables. What is a number has a unit.
    if ([cells].flat().some((cell) => typeof cell === 'number')) throw new Error(`${name}.${column}: in which unit?`)
    return typeof cells === 'object' && !Array.isArray(cells) ? spreadOut(`${name}.${column}`, cells, unit) : []
  })
}

function columnsOf(rows: readonly Table[]): [string, unknown][] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return names.map((name) => [name, rows.map((row) => row[name])])
}

/** JSON has no infinity: where a limit is none, `any`. */
function toValue(value: unknown): NumberRow['value'] {
  return typeof value === 'number' && !Number.isFinite(value)
    ? 'any'
    : Array.isArray(value)
      ? (value.map(toValue) as Plain[])
      : (value as NumberRow['value'])
}
