/** What the table has under a name that anybody may choose: every object inherits a `constructor`, which no table lists. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
