// Many rows in one value. PostgreSQL sends a message for each row and the driver makes text of each field of it: of the positions of a whole fleet
// that was half of what an answer cost the service (`bench/scenarios/whole-fleet.ts`). As JSON with an array for each column they are read at once.

import type { Db, Row } from './db.ts'

/**
 * The rows of `select <expressions> <rest>`, in its order. `expressions`: SQL of each column by its name, which is an identifier. Values come as JSON has
 * them: numbers, texts, booleans, null and JSON; a time is to be selected as a number. For up to some thousand rows: all of them are held twice.
 */
export async function selectInColumns<R extends Row>(
  db: Db,
  expressions: Readonly<Record<keyof R & string, string>>,
  rest: string,
  values: readonly unknown[],
): Promise<R[]> {
  const names = Object.keys(expressions) as (keyof R & string)[]
  const { rows } = await db.query<{ columns: Record<string, readonly unknown[] | null> }>(
    `select json_build_object(${names.map((name) => `'${name}', array_agg(r.${name})`).join(', ')}) as columns
       from (select ${names.map((name) => `${expressions[name]} as ${name}`).join(', ')} ${rest}) r`,
    values,
  )
  // Of no rows there is one row of nulls.
  const columns = names.map((name) => ({ name, column: rows[0]?.columns[name] ?? [] }))
  return Array.from({ length: columns[0]?.column.length ?? 0 }, (_, nth) => {
    const row: Row = {}
    for (const { name, column } of columns) row[name] = column[nth]
    return row as R
  })
}
