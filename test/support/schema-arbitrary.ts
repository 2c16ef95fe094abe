// Values made from a JSON Schema for property tests, and the same values spoilt.

import { fc } from './fast-check.ts'
import type { JsonSchema } from './open-api.ts'

type Components = Readonly<Record<string, JsonSchema>>

const MAX_ITEMS = 4
const MAX_TEXT_LENGTH = 40
const DAY_MS = 86_400_000

/** Values that are valid by the schema, or nearly: `pattern` and `format` are kept, as are bounds; what is not required may be left out. */
export function arbitraryOf(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  const { $ref, const: only, enum: values, anyOf, type } = schema
  if (typeof $ref === 'string') {
    const target = components[$ref.slice($ref.lastIndexOf('/') + 1)]
    return target === undefined ? fc.anything() : arbitraryOf(target, components)
  }
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each: JsonSchema) => arbitraryOf(each, components)))
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => arbitraryOf({ ...schema, type: each }, components)))
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: boundOf(schema['minimum'], -1000), max: boundOf(schema['maximum'], 100_000) })
  if (type === 'number') {
    return fc.double({ min: boundOf(schema['minimum'], -1e6), max: boundOf(schema['maximum'], 1e6), noNaN: true, noDefaultInfinity: true })
  }
  if (type === 'string') return textOf(schema)
  if (type === 'array') {
    const items = arbitraryOf((schema['items'] ?? {}) as JsonSchema, components)
    return fc.array(items, {
      minLength: boundOf(schema['minItems'], 0),
      maxLength: Math.min(boundOf(schema['maxItems'], MAX_ITEMS), MAX_ITEMS),
    })
  }
  return type === 'object' ? objectOf(schema, components) : fc.jsonValue()
}

function boundOf(value: unknown, preset: number): number {
  return typeof value === 'number' ? value : preset
}

function textOf({ format, pattern, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    // Around now, which is where readings are taken.
    return fc.integer({ min: -40 * DAY_MS, max: DAY_MS }).map((offsetMs) => new Date(Date.now() + offsetMs).toISOString())
  }
  if (format === 'email') return fc.emailAddress({ size: 'small' })
  if (typeof pattern === 'string' && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern), { size: 'small' })
  const min = boundOf(minLength, 0)
  return fc.string({
    unit: 'grapheme',
    minLength: min,
    maxLength: Math.max(min, Math.min(boundOf(maxLength, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH)),
  })
}

function objectOf(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Components)
  const required = (schema['required'] ?? []) as string[]
  const model = Object.fromEntries(properties.map(([key, value]) => [key, arbitraryOf(value, components)]))
  const record = fc.record(model, { requiredKeys: required.filter((key) => key in model), noNullPrototype: true })
  // A schema may have fifty optional keys; a handful shows as much and is quicker to send.
  const few = record.chain((value) => {
    const optional = Object.keys(value).filter((key) => !required.includes(key))
    return fc.subarray(optional, { maxLength: Math.min(optional.length, 8) }).map((kept) => {
      return Object.fromEntries(Object.entries(value).filter(([key]) => required.includes(key) || kept.includes(key)))
    })
  })
  if (properties.length > 0 && schema['additionalProperties'] !== true) return few
  return fc
    .tuple(fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true }), few)
    .map(([extra, value]) => ({ ...extra, ...(value as object) }))
}

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  -0.5,
  2 ** 53,
  '',
  ' ',
  '0',
  'null',
  "'; drop table readings; --",
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  '💥'.repeat(50),
  'x'.repeat(9000),
  '9999-99-99T99:99:99Z',
  '2026-02-30T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  [],
  {},
  [[[[]]]],
  { toString: 1, valueOf: null, length: -1 },
  Object.fromEntries([['then', 1]]),
  Array.from({ length: 120 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i])),
]
const hostileValue = fc.constantFrom(...HOSTILE_VALUES)

/** The value with some part of it replaced, removed, or added to. */
export function spoilt(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(value, fc.array(fc.nat(1000), { minLength: 1, maxLength: 4 }), hostileValue, fc.constantFrom('replace', 'remove', 'add'))
    .map(([tree, turns, other, how]) => spoilAt(tree, turns, other, how))
}

function spoilAt(tree: unknown, [turn = 0, ...turns]: readonly number[], other: unknown, how: string): unknown {
  if (tree === null || typeof tree !== 'object') return other
  const keys = Object.keys(tree)
  if (how === 'add' && turns.length === 0) return Array.isArray(tree) ? [...tree, other] : { ...tree, [`added ${turn}`]: other }
  const key = keys[turn % Math.max(1, keys.length)]
  if (key === undefined) return other
  const copy = structuredClone(tree) as Record<string, unknown>
  if (turns.length > 0) copy[key] = spoilAt(copy[key], turns, other, how)
  else if (how === 'remove') delete copy[key]
  else copy[key] = other
  return copy
}
