// Schemas that have a name, moved to one place of a document, so that each stands there once and generators of clients take its name.

import { isDeepStrictEqual } from 'node:util'

export type NamedSchemas = {
  /** A copy in which every schema whose `title` is a name (`TelemetryRecord`) is a reference to it. */
  readonly move: (tree: unknown) => unknown
  /** What was moved so far, by name. */
  readonly schemas: () => Record<string, Record<string, unknown>>
}

const NAME = /^[A-Z][A-Za-z0-9]+$/
const OF_SCHEMAS = ['type', 'anyOf', 'oneOf', 'enum'] as const

type Schema = Record<string, unknown>
/** Where a named schema stood, and its description there. */
type Place = { readonly at: Schema; readonly description: unknown }

/**
 * Throws where two different schemas have one name; examples may differ, and so may descriptions: what each place says of it then stays there, beside
 * the reference.
 */
export function collectNamedSchemas(): NamedSchemas {
  const schemas: Record<string, Schema> = {}
  const places = new Map<string, Place[]>()
  const move = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(move)
    if (node === null || typeof node !== 'object') return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, move(value)]))
    const { title } = copy
    if (typeof title !== 'string' || !NAME.test(title) || !OF_SCHEMAS.some((keyword) => keyword in copy)) return copy
    const isNullable = isNullableObject(copy)
    const schema = isNullable ? { ...copy, type: 'object' } : copy
    const known = schemas[title]
    if (known !== undefined && !isDeepStrictEqual(withoutWords(known), withoutWords(schema))) {
      throw new Error(`two different schemas are titled ${title}: a title names one schema in the document`)
    }
    schemas[title] = { ...known, ...schema }
    const reference = { $ref: `#/components/schemas/${title}` }
    const at: Schema = isNullable ? { anyOf: [reference, { type: 'null' }] } : reference
    places.set(title, [...(places.get(title) ?? []), { at, description: copy['description'] }])
    return at
  }
  const settled = () => {
    for (const [title, of] of places) settleDescription(schemas[title] ?? {}, of)
    return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return { move, schemas: settled }
}

/** Which may be null is a matter of the place, and not of the type: a caller wants `WorkingHours | null`. */
function isNullableObject({ type }: Schema): boolean {
  return Array.isArray(type) && type.length === 2 && type.includes('object') && type.includes('null')
}

function settleDescription(schema: Schema, places: readonly Place[]): void {
  const descriptions = new Set(places.flatMap(({ description }) => (description === undefined ? [] : [description])))
  if (descriptions.size <= 1) return
  delete schema['description']
  for (const { at, description } of places) if (description !== undefined) at['description'] = description
}

/** The example of a schema that is a whole body is moved beside it by the document's generator; inside another schema it stays. */
function withoutWords({ description: _, example: __, examples: ___, ...schema }: Schema): Schema {
  return schema
}

/** A record has its values under a pattern of its keys, which few generators know; each takes `additionalProperties`. */
export function withoutKeyPatterns(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutKeyPatterns)
  if (tree === null || typeof tree !== 'object') return tree
  const { patternProperties, ...rest } = tree as Record<string, unknown>
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutKeyPatterns(value)]))
  if (patternProperties === undefined) return copy
  const [values, ...others] = Object.values(patternProperties as object)
  if (others.length > 0) throw new Error('a schema has two patterns of keys, which "additionalProperties" cannot hold')
  return { ...copy, additionalProperties: withoutKeyPatterns(values) }
}
