// TypeScript's words for the JSON Schemas that the contracts are written in, with their descriptions as comments. A keyword that says
// nothing about a type (`maxLength`) is left out; one that is not known here ends the run.

import type { JsonSchema } from '../../test/support/open-api.ts'

export type TypeOptions = {
  /** What is sent may be read-only, so that a caller can hand in a constant. */
  readonly isInput: boolean
}

const INDENT = '  '
const MAX_TUPLE_LENGTH = 4
const OF_VALUES =
  /^(title|description|examples?|default|format|pattern|min.*|max.*|exclusive.*|uniqueItems|type|const|enum|properties|patternProperties|required|items|additionalProperties|anyOf|\$ref)$/

/** Ends the run at a keyword that is not known here. */
export function checkKeywords(schema: JsonSchema): void {
  for (const keyword of Object.keys(schema)) if (!OF_VALUES.test(keyword)) throw new Error(`${keyword} of a schema has no type yet`)
}

/** The type, its lines after the first indented by `depth`. */
export function typeOf(schema: JsonSchema, options: TypeOptions, depth = 0): string {
  checkKeywords(schema)
  const { $ref, anyOf, enum: values, type } = schema
  if (typeof $ref === 'string') return refName($ref)
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(values)) return union(values.map((value) => literal(value)))
  if (Array.isArray(anyOf)) return union(anyOf.map((each: JsonSchema) => typeOf(each, options, depth)))
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each }, options, depth)))
  if (type === 'array') return arrayType(schema, options, depth)
  if (type === 'object') return objectType(schema, options, depth)
  if (type === undefined) return 'unknown'
  if (type === 'integer') return 'number'
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type
  throw new Error(`a schema is of the type ${String(type)}`)
}

/** Names of the components that a schema names, however deep. */
export function refsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(refsIn)
  if (schema === null || typeof schema !== 'object') return []
  return Object.entries(schema).flatMap(([key, value]) => (key === '$ref' ? [refName(String(value))] : refsIn(value)))
}

export const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

const literal = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))

function union(members: readonly string[]): string {
  const all = [...new Set(members.flatMap((member) => (/[{[(]/.test(member) ? [member] : member.split(' | '))))]
  return all.includes('unknown') ? 'unknown' : all.join(' | ')
}

function arrayType({ items, minItems, maxItems }: JsonSchema, options: TypeOptions, depth: number): string {
  const item = items === undefined ? 'unknown' : typeOf(items as JsonSchema, options, depth)
  const readonly = options.isInput ? 'readonly ' : ''
  if (typeof minItems === 'number' && minItems === maxItems && minItems > 1 && minItems <= MAX_TUPLE_LENGTH) {
    return `${readonly}[${Array.from({ length: minItems }, () => item).join(', ')}]`
  }
  return /[|{ ]/.test(item) && !item.startsWith('{') ? `${readonly}(${item})[]` : `${readonly}${item}[]`
}

function objectType(schema: JsonSchema, options: TypeOptions, depth: number): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  const required = new Set((schema['required'] ?? []) as string[])
  // A schema that was not served yet has `Type.Record` as a pattern of its keys.
  const [ofAnyKey] = Object.values((schema['patternProperties'] ?? {}) as Record<string, JsonSchema>)
  const additionalProperties = ofAnyKey ?? schema['additionalProperties']
  const isOpen = additionalProperties === true || (typeof additionalProperties === 'object' && additionalProperties !== null)
  // Beside named properties only `unknown` can hold all of them.
  const value =
    properties.length > 0 || additionalProperties === true
      ? 'unknown'
      : typeOf((additionalProperties ?? {}) as JsonSchema, options, depth + 1)
  if (properties.length === 0) return isOpen || additionalProperties === undefined ? `Record<string, ${value}>` : 'Record<string, never>'
  const pad = INDENT.repeat(depth + 1)
  const lines = properties.flatMap(([name, property]) => {
    const isRequired = required.has(name)
    const type = typeOf(property, options, depth + 1)
    const declared = isRequired || type === 'unknown' ? type : `${type} | undefined`
    return [...comment(describe(property), depth + 1), `${pad}${propertyName(name)}${isRequired ? '' : '?'}: ${declared}`]
  })
  if (isOpen) lines.push(`${pad}[key: string]: unknown`)
  return ['{', ...lines, `${INDENT.repeat(depth)}}`].join('\n')
}

const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

/** What it is, and the preset of what may be left out. */
export function describe({ description, default: preset }: JsonSchema): string {
  const text = typeof description === 'string' ? description : ''
  return preset === undefined ? text : `${text}${text === '' ? '' : ' '}Preset: \`${String(preset)}\`.`
}

export function comment(text: string, depth: number): string[] {
  if (text === '') return []
  const pad = INDENT.repeat(depth)
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return [`${pad}/** ${lines[0]} */`]
  return [`${pad}/**`, ...lines.map((line) => `${pad} * ${line}`.trimEnd()), `${pad} */`]
}
