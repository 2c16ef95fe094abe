/** The same text for the same JSON value, whatever the order its keys were written in. For values that passed the JSON limits. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${sortedMembers(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    .join(',')}}`
}

/** The same text in parts, of which none is longer than what lies `depth` levels down: a value of many megabytes is never one string. */
export function* canonicalParts(value: unknown, depth: number): Generator<string, void> {
  if (depth === 0 || value === null || typeof value !== 'object') return yield canonicalJson(value)
  const isList = Array.isArray(value)
  const members: readonly (readonly [string | undefined, unknown])[] = isList
    ? value.map((member) => [undefined, member])
    : sortedMembers(value)
  yield isList ? '[' : '{'
  for (const [nth, [key, member]] of members.entries()) {
    yield `${nth === 0 ? '' : ','}${key === undefined ? '' : `${JSON.stringify(key)}:`}`
    yield* canonicalParts(member, depth - 1)
  }
  yield isList ? ']' : '}'
}

function sortedMembers(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
