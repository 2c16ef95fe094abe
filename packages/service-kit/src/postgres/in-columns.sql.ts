// Many rows in one value. PostgreSQL sends a message for each row and the driver makes text of each field of it: of the positions of a whole fleet
// that was half of what an answer cost the service (`bench/scenarios/whole-fleet.ts`). As JSON with an array for each column they are read at once.

import type { Db, Row } from './db.ts'

/**
 * `select <columns> <rest>`. `columns`: SQL of each by its name, which is an identifier. By its own name a connection keeps the statement and its plan; planning
 * it each time was an eighth of what a thousand positions cost PostgreSQL. Another text must have another name.
 */
export type ColumnsStatement<R extends Row> = {
  readonly name: string
  readonly columns: Readonly<Record<keyof R & string, string>>
  readonly rest: string
}

/**
 * The rows of the statement, in its order. Values come as JSON has them: numbers, texts, booleans, null and JSON; a time is to be selected as a number. For up
 * to some thousand rows: all of them are held twice.
 */
export async function selectInColumns<R extends Row>(
  db: Db,
  { name, columns: expressions, rest }: ColumnsStatement<R>,
  values: readonly unknown[],
): Promise<R[]> {
  const names = Object.keys(expressions) as (keyof R & string)[]
  const text = `
    select json_build_object(${names.map((column) => `'${column}', array_agg(r.${column})`).join(', ')}) as columns
      from (select ${names.map((column) => `${expressions[column]} as ${column}`).join(', ')} ${rest}) r`
  const { rows } = await db.query<{ columns: Record<string, readonly unknown[] | null> }>({ name, text }, values)
  // Of no rows there is one row of nulls.
  const columns = names.map((column) => ({ column, values: rows[0]?.columns[column] ?? [] }))
  return Array.from({ length: columns[0]?.values.length ?? 0 }, (_, nth) => {
    const row: Row = {}
    for (const { column, values } of columns) row[column] = values[nth]
    return row as R
  })
}
