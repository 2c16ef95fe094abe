// Python's words for the JSON Schemas that the contracts are written in: a TypedDict with the names of the wire for each object, also for those
// that have no name of their own, which get one of where they are. `schema-type.ts` does the same for TypeScript.

import type { JsonSchema } from '../../test/support/open-api.ts'
import { checkKeywords, describe, refName } from './schema-type.ts'

export type PythonTypeOptions = {
  /** Of an object that is written in place: the component and the fields that lead to it. */
  readonly name: string
  /** What is sent may be any sequence or mapping, so that a caller can hand in a tuple. */
  readonly isInput: boolean
}

export type PythonTypes = {
  /** The expression of a type, inside the module of the types. What it needs is declared. */
  typeOf(schema: JsonSchema, options: PythonTypeOptions): string
  /** Declares a type of this name, once. */
  declare(schema: JsonSchema, options: PythonTypeOptions): void
  /** Every declaration, in the order in which they were first needed. */
  lines(): string[]
}

const INDENT = '    '
const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
  nonlocal not or pass raise return try while with yield`.split(/\s+/),
)
/** Names that the types themselves are written with: a field of that name would hide them in the body of a class. */
const TYPE_WORDS = new Set(['str', 'int', 'float', 'bool', 'list', 'dict', 'object', 'Any', 'Literal', 'Mapping', 'Sequence', 'TypedDict'])

/** In snake_case, and never a word of the language: `healthStatus` is `health_status`, `from` is `from_`. */
export function pythonName(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return KEYWORDS.has(snake) ? `${snake}_` : snake
}

export const pascalCase = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('')

/** A docstring, its lines indented by `depth`; none for no text. */
export function docstring(text: string, depth: number): string[] {
  if (text === '') return []
  const pad = INDENT.repeat(depth)
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"')
  const [first = '', ...others] = safe.split('\n')
  if (others.length === 0) return [`${pad}"""${first}"""`]
  return [`${pad}"""${first}`, ...others.map((line) => `${pad}${line}`.trimEnd()), `${pad}"""`]
}

export function literalOf(values: readonly unknown[]): string {
  const words = values.filter((value) => value !== null && !isFraction(value)).map(literalWord)
  const members = [
    ...(words.length === 0 ? [] : [`Literal[${words.join(', ')}]`]),
    ...(values.some(isFraction) ? ['float'] : []),
    ...(values.includes(null) ? ['None'] : []),
  ]
  return members.join(' | ')
}

/** Python has no literal type of a number with a fraction. */
const isFraction = (value: unknown) => typeof value === 'number' && !Number.isInteger(value)

function literalWord(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

export function createPythonTypes(): PythonTypes {
  const declared = new Map<string, { readonly of: string; lines: string[] }>()
  const types: PythonTypes = {
    typeOf: (schema, options) => typeOf(schema, options, types),
    declare: (schema, options) => {
      const of = JSON.stringify([schema, options.isInput])
      const known = declared.get(options.name)
      if (known !== undefined && known.of !== of) throw new Error(`two types have the name ${options.name}`)
      if (known !== undefined) return
      if (TYPE_WORDS.has(options.name)) throw new Error(`${options.name} is a name that types are written with`)
      const entry = { of, lines: [] as string[] }
      declared.set(options.name, entry)
      entry.lines = declarationOf(schema, options, types)
    },
    lines: () => [...declared.values()].flatMap(({ lines }) => lines),
  }
  return types
}

function typeOf(schema: JsonSchema, options: PythonTypeOptions, types: PythonTypes): string {
  checkKeywords(schema)
  const { $ref, anyOf, enum: values, type } = schema
  if (typeof $ref === 'string') return refName($ref)
  if ('const' in schema) return literalOf([schema['const']])
  if (Array.isArray(values)) return literalOf(values)
  if (Array.isArray(anyOf)) {
    const forms = anyOf as JsonSchema[]
    const isSeveral = forms.filter((form) => form['properties'] !== undefined).length > 1
    return union(forms.map((form, i) => types.typeOf(form, isSeveral ? { ...options, name: `${options.name}Form${i + 1}` } : options)))
  }
  if (Array.isArray(type)) return union(type.map((each: unknown) => types.typeOf({ ...schema, type: each }, options)))
  if (type === 'array') return arrayType(schema, options, types)
  if (type === 'object') return objectType(schema, options, types)
  return scalarType(type, options)
}

function scalarType(type: unknown, { isInput }: PythonTypeOptions): string {
  if (type === undefined) return isInput ? 'object' : 'Any'
  const word = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[String(type)]
  if (word === undefined) throw new Error(`a schema is of the type ${String(type)}`)
  return word
}

function union(members: readonly string[]): string {
  const all = [...new Set(members)]
  return all.includes('Any') ? 'Any' : all.includes('object') ? 'object' : all.join(' | ')
}

function arrayType({ items }: JsonSchema, options: PythonTypeOptions, types: PythonTypes): string {
  const item = types.typeOf((items ?? {}) as JsonSchema, { ...options, name: `${options.name}Item` })
  return `${options.isInput ? 'Sequence' : 'list'}[${item}]`
}

const propertiesOf = (schema: JsonSchema) => Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)

/** A mapping, or the name of a TypedDict that is declared for it. */
function objectType(schema: JsonSchema, options: PythonTypeOptions, types: PythonTypes): string {
  if (propertiesOf(schema).length === 0) {
    // A schema that was not served yet has `Type.Record` as a pattern of its keys.
    const [ofAnyKey] = Object.values((schema['patternProperties'] ?? {}) as Record<string, JsonSchema>)
    const { additionalProperties } = schema
    const isSchema = typeof additionalProperties === 'object' && additionalProperties !== null
    const value = ofAnyKey ?? (isSchema ? (additionalProperties as JsonSchema) : {})
    const { isInput } = options
    return `${isInput ? 'Mapping' : 'dict'}[str, ${types.typeOf(value, { ...options, name: `${options.name}Value` })}]`
  }
  types.declare(schema, options)
  return options.name
}

function declarationOf(schema: JsonSchema, options: PythonTypeOptions, types: PythonTypes): string[] {
  if (schema['type'] !== 'object' || propertiesOf(schema).length === 0) return aliasOf(schema, options, types)
  const required = new Set((schema['required'] ?? []) as string[])
  const fields = propertiesOf(schema).map(([name, property]) => {
    const type = types.typeOf(property, { ...options, name: `${options.name}${pascalCase(name)}` })
    return { name, type, words: describe(property), isRequired: required.has(name) }
  })
  const words = docstring(describe(schema), 1)
  const isPlain = fields.every(({ name }) => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name) && !TYPE_WORDS.has(name))
  const musts = fields.filter(({ isRequired }) => isRequired)
  const mays = fields.filter(({ isRequired }) => !isRequired)
  if (!isPlain) return [...callOf(`_${options.name}Named`, fields), ...classBody(options.name, `_${options.name}Named`, words)]
  if (musts.length === 0) return classOf(options.name, 'TypedDict, total=False', mays, describe(schema))
  if (mays.length === 0) return classOf(options.name, 'TypedDict', musts, describe(schema))
  const base = `_${options.name}Required`
  // `NotRequired` came with Python 3.11: until 3.10 is gone, what must be there is in a class of its own.
  return [...classOf(base, 'TypedDict', musts, ''), ...classOf(options.name, `${base}, total=False`, mays, describe(schema))]
}

type Field = { readonly name: string; readonly type: string; readonly words: string; readonly isRequired: boolean }

function classOf(name: string, bases: string, fields: readonly Field[], words: string): string[] {
  const lines = fields.flatMap((field) => [`${INDENT}${field.name}: ${field.type}`, ...docstring(field.words, 1)])
  return ['', '', `class ${name}(${bases}):`, ...docstring(words, 1), ...lines]
}

const classBody = (name: string, base: string, words: readonly string[]) => [
  ...['', '', `class ${name}(${base}):`],
  ...(words.length === 0 ? [`${INDENT}pass`] : words),
]

/** Of a field that is a word of Python, as `from` is, no class can be written. */
function callOf(name: string, fields: readonly Field[]): string[] {
  const [musts, mays] = [fields.filter(({ isRequired }) => isRequired), fields.filter(({ isRequired }) => !isRequired)]
  const entries = (some: readonly Field[]) => some.map((field) => `${JSON.stringify(field.name)}: ${JSON.stringify(field.type)}`).join(', ')
  const call = (of: string, some: readonly Field[], more: string) => `${of} = TypedDict("${of}", {${entries(some)}}${more})`
  if (mays.length === 0) return ['', '', call(name, musts, '')]
  if (musts.length === 0) return ['', '', call(name, mays, ', total=False')]
  const [must, may] = [`${name}Required`, `${name}Optional`]
  return [...['', '', call(must, musts, ''), call(may, mays, ', total=False')], ...classBody(name, `${must}, ${may}`, [])]
}

function aliasOf(schema: JsonSchema, options: PythonTypeOptions, types: PythonTypes): string[] {
  // The object inside an alias needs a name beside that of the alias.
  const type = types.typeOf(schema, { ...options, name: `${options.name}Object` })
  return ['', '', `${options.name}: TypeAlias = ${JSON.stringify(type)}`, ...docstring(describe(schema), 0)]
}
