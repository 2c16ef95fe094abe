// Columns of a customer's table, and the numbers that trees see of them.
import type { FeatureTable } from '../forest.ts'

export type NumberColumn = { readonly kind: 'number'; readonly name: string; readonly values: Float32Array }
export type CategoryColumn = {
  readonly kind: 'category'
  readonly name: string
  readonly categories: readonly string[]
  /** Of every row, its place in `categories`; -1 where the cell is empty. */
  readonly codes: Int32Array
}
export type Column = NumberColumn | CategoryColumn

/** What a model takes: the columns by name, and the categories it has learned. */
export type ClassifierInput =
  | { readonly kind: 'number'; readonly name: string }
  | { readonly kind: 'category'; readonly name: string; readonly categories: readonly string[] }

/** The columns with information, and the names of those without: constant ones, and row numbers. */
export function chooseInputs(columns: readonly Column[]): { inputs: ClassifierInput[]; dropped: string[] } {
  const useful = columns.filter((column) => !isConstant(column) && !isRowNumber(column))
  const dropped = columns.filter((column) => !useful.includes(column)).map(({ name }) => name)
  const inputs = useful.map(
    (column): ClassifierInput =>
      column.kind === 'number'
        ? { kind: 'number', name: column.name }
        : { kind: 'category', name: column.name, categories: [...column.categories].sort() },
  )
  return { inputs, dropped }
}

export function inputFeatureNames(inputs: readonly ClassifierInput[]): string[] {
  return inputs.flatMap((input) =>
    input.kind === 'number' ? [input.name] : input.categories.map((category) => `${input.name}=${category}`),
  )
}

/** Numbers as they are; a category is a column of 0 and 1 each. One that was not learned is 0 in all of them. */
export function encode(inputs: readonly ClassifierInput[], columns: readonly Column[], rowCount: number): FeatureTable {
  const encoded = inputs.flatMap((input) => {
    const column = columns.find(({ name, kind }) => name === input.name && kind === input.kind)
    if (column === undefined) throw new RangeError(`the rows have no ${input.kind} column "${input.name}"`)
    if (column.kind === 'number' || input.kind === 'number') return column.kind === 'number' ? [column.values] : []
    return input.categories.map((category) => {
      const wanted = column.categories.indexOf(category)
      return Float32Array.from(column.codes, (code) => (code === -1 ? Number.NaN : code === wanted ? 1 : 0))
    })
  })
  return { names: inputFeatureNames(inputs), columns: encoded, rowCount }
}

function isConstant(column: Column): boolean {
  const cells: ArrayLike<number> = column.kind === 'number' ? column.values : column.codes
  const first = cells[0] as number
  for (let row = 1; row < cells.length; row++) if (!Object.is(cells[row], first)) return false
  return true
}

/** Counts rows, and would be learned as "how early in this file". */
function isRowNumber(column: Column): boolean {
  return (
    column.kind === 'number' &&
    column.values.length > 1 &&
    column.values.every((value, row) => row === 0 || value - (column.values[row - 1] as number) === 1)
  )
}
