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

/** Throws where two different schemas have one name; examples may differ. */
export function collectNamedSchemas(): NamedSchemas {
  const schemas: Record<string, Record<string, unknown>> = {}
  const move = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(move)
    if (node === null || typeof node !== 'object') return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, move(value)]))
    const { title } = copy
    if (typeof title !== 'string' || !NAME.test(title) || !OF_SCHEMAS.some((keyword) => keyword in copy)) return copy
    const known = schemas[title]
    if (known !== undefined && !isDeepStrictEqual(withoutExample(known), withoutExample(copy))) {
      throw new Error(`two different schemas are titled ${title}: a title names one schema in the document`)
    }
    schemas[title] = { ...known, ...copy }
    return { $ref: `#/components/schemas/${title}` }
  }
  return { move, schemas: () => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** The example of a schema that is a whole body is moved beside it by the document's generator; inside another schema it stays. */
function withoutExample({ example: _, examples: __, ...schema }: Record<string, unknown>): Record<string, unknown> {
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
