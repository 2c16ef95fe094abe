// The methods of one resource in Python: the same text once for `Roadworthy` and once for `AsyncRoadworthy`.

import type { JsonSchema } from '../../test/support/open-api.ts'
import { answerTypeName, describeOperation } from './method-source.ts'
import { mediaKind, type OperationFacts } from './operation-facts.ts'
import { docstring, literalOf, type PythonTypes, pascalCase, pythonName } from './python-types.ts'
import { describe, refName } from './schema-type.ts'

export type Mode = 'sync' | 'async'

type Writing = { readonly mode: Mode; readonly types: PythonTypes }
/** What differs between overloads: how one parameter is typed, and what is answered then. */
type Overload = { readonly special: string; readonly answer: string }

const JSON_TYPE = 'application/json'
/** Of every method, last. */
const OPTIONS = ['timeout_s: float | None = None', 'max_retries: int | None = None', 'headers: Mapping[str, str] | None = None']

export const routeName = (path: readonly string[]) => path.map((name) => pythonName(name).toUpperCase()).join('_')

/** The lines of a method and, of a list with pages, of the method that iterates over its items. */
export function pythonMethodLines(path: readonly string[], facts: OperationFacts, writing: Writing): string[] {
  const name = pythonName(path.at(-1) ?? '')
  const route = `routes.${routeName(path)}`
  if (facts.each !== undefined) return streamLines(name, route, facts, writing)
  const own = overloadsOf(facts).flatMap(({ special, answer }) => [
    '    @overload',
    ...signature(name, parametersOf(facts, special, writing), answer, writing.mode, '...'),
    '',
  ])
  const isBatch = facts.batch !== undefined
  const call = `self._caller.${isBatch ? 'call_batch' : 'call'}(${callArguments(route, facts)})`
  return [
    ...own,
    ...signature(name, parametersOf(facts, specialOf(facts), writing), answerOf(facts), writing.mode),
    ...docstring(`${describeOperation(facts)}${argumentWords(facts)}`, 2),
    `        return ${writing.mode === 'async' ? 'await ' : ''}${call}`,
    '',
    ...(facts.items === undefined ? [] : iteratorLines(name, route, facts, writing)),
  ]
}

function signature(name: string, parameters: readonly string[], answer: string, mode: Mode, end = ''): string[] {
  const isIterator = /^(Async)?Generator\[/.test(answer)
  const def = mode === 'async' && !isIterator ? 'async def' : 'def'
  return [`    ${def} ${name}(self, ${parameters.join(', ')}) -> ${answer}:${end === '' ? '' : ` ${end}`}`]
}

function parametersOf(facts: OperationFacts, special: string, { types }: Writing, isIterator = false): string[] {
  const query = facts.query.filter(({ name }) => !(isIterator && ['after', 'format'].includes(name)))
  const named = query.map(({ name, schema, required }) => {
    if (name === 'format' && special !== '') return special
    return `${pythonName(name)}: ${queryType(schema)}${required === true ? '' : ' | None = None'}`
  })
  const accept = special.startsWith('accept:') ? [special] : []
  const key = facts.takesKey && !isIterator ? ['idempotency_key: str | None = None'] : []
  const parameters = [...positional(facts, types), '*', ...contentType(facts), ...named, ...accept, ...key, ...OPTIONS]
  const names = parameters.map((parameter) => parameter.split(':')[0])
  if (new Set(names).size < names.length) throw new Error(`${facts.operation.operationId} has two parameters of one name`)
  return parameters
}

/** Of a query: a word, a number, or yes and no. */
function queryType(schema: JsonSchema): string {
  const { enum: values, type } = schema
  if (Array.isArray(values)) return literalOf(values)
  const word = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[String(type)]
  if (word === undefined) throw new Error(`a parameter is of the type ${String(type)}`)
  return word
}

function positional(facts: OperationFacts, types: PythonTypes): string[] {
  const path = facts.pathParameters.map((name) => `${pythonName(name)}: str`)
  if (facts.batch !== undefined) {
    return [...path, `${facts.batch.key}: Sequence[${given(types.typeOf(facts.batch.item, { name: 'BatchItem', isInput: true }))}]`]
  }
  const kinds = Object.keys(facts.body)
  if (kinds.length === 0) return path
  const json = facts.body[JSON_TYPE]
  const forms = [
    ...(json === undefined ? [] : [given(types.typeOf(json, { name: bodyTypeName(facts), isInput: true }))]),
    ...(kinds.some((kind) => kind !== JSON_TYPE) ? ['bytes'] : []),
  ]
  return [...path, `body: ${forms.join(' | ')}${facts.isBodyRequired ? '' : ' | None = None'}`]
}

/** The types of bodies that `models.py` has an object for. */
const objects: Readonly<Record<string, string>> = { TrackPoint: 'TrackingData' }

const given = (type: string) => (objects[type] === undefined ? outside(type) : `${outside(type)} | ${objects[type]}`)

const bodyTypeName = ({ operation }: OperationFacts) => `${pascalCase(operation.operationId)}Body`

/** Of bytes that may be of several types the caller has to name one. */
function contentType({ body }: OperationFacts): string[] {
  const kinds = Object.keys(body)
  return kinds.length < 2 || kinds.includes(JSON_TYPE) ? [] : [`content_type: ${literalOf(kinds)}`]
}

/** A type as the module of the methods names it. */
export const outside = (type: string) =>
  type.replace(/\b([A-Z_]\w*)\b(?!")/g, (word) =>
    ['Any', 'Literal', 'Mapping', 'Sequence', 'None', 'True', 'False'].includes(word) ? word : `types.${word}`,
  )

function answerOf(facts: OperationFacts): string {
  const kinds = new Set(Object.keys(facts.answers).map(mediaKind))
  return [
    ...(kinds.has('json') ? [jsonAnswer(facts)] : []),
    ...(kinds.has('text') ? ['str'] : []),
    ...(kinds.has('bytes') ? ['bytes'] : []),
  ].join(' | ')
}

export const pythonAnswerName = (facts: OperationFacts, json: JsonSchema) =>
  typeof json['$ref'] === 'string' ? refName(json['$ref']) : answerTypeName(facts)

function jsonAnswer(facts: OperationFacts): string {
  const json = Object.entries(facts.answers).find(([type]) => mediaKind(type) === 'json')?.[1] ?? {}
  return `types.${pythonAnswerName(facts, json)}`
}

/** JSON unless CSV or lines are asked for: by the query where there is such a parameter, else by `accept`. */
function overloadsOf(facts: OperationFacts): Overload[] {
  const kinds = new Set(Object.keys(facts.answers).map(mediaKind))
  if (!kinds.has('json') || !kinds.has('text')) return []
  const format = facts.query.find(({ name }) => name === 'format')
  if (format === undefined) {
    return [
      { special: 'accept: None = None', answer: jsonAnswer(facts) },
      { special: `accept: ${textTypes(facts)}`, answer: 'str' },
    ]
  }
  const others = (format.schema['enum'] as string[]).filter((value) => value !== 'json')
  return [
    { special: 'format: Literal["json"] | None = None', answer: jsonAnswer(facts) },
    { special: `format: ${literalOf(others)}`, answer: 'str' },
  ]
}

const textTypes = ({ answers }: OperationFacts) => literalOf(Object.keys(answers).filter((type) => mediaKind(type) === 'text'))

/** The parameter that the overloads differ in, as the method itself takes it. */
function specialOf(facts: OperationFacts): string {
  const [first] = overloadsOf(facts)
  return first?.special.startsWith('accept') === true ? `accept: ${textTypes(facts)} | None = None` : ''
}

function callArguments(route: string, facts: OperationFacts, isIterator = false): string {
  const path = facts.pathParameters.map(pythonName)
  const query = facts.query.filter(({ name }) => !(isIterator && ['after', 'format'].includes(name)))
  const hasBody = Object.keys(facts.body).length > 0
  const values = [
    route,
    ...(path.length === 0 ? [] : [`(${path.join(', ')},)`]),
    ...(facts.batch === undefined ? [] : [facts.batch.key]),
    ...(query.length === 0 ? [] : [`query={${query.map(({ name }) => `"${name}": ${pythonName(name)}`).join(', ')}}`]),
    ...(hasBody && facts.batch === undefined ? ['body=body'] : []),
    ...(contentType(facts).length === 0 ? [] : ['content_type=content_type']),
    ...(specialOf(facts) === '' ? [] : ['accept=accept']),
    `options=CallOptions(timeout_s, max_retries, headers${facts.takesKey && !isIterator ? ', idempotency_key' : ''})`,
  ]
  return values.join(', ')
}

function iteratorLines(name: string, route: string, facts: OperationFacts, writing: Writing): string[] {
  const { key, schema } = facts.items ?? { key: '', schema: {} }
  const parent = pythonAnswerName(facts, facts.answers[JSON_TYPE] ?? {})
  const item = outside(writing.types.typeOf(schema, { name: `${parent}${pascalCase(key)}Item`, isInput: false }))
  const iterator = name.replace(/^(list|get)/, 'iterate')
  return [
    ...signature(iterator, parametersOf(facts, '', writing, true), iterationOf(item, writing.mode), writing.mode),
    ...docstring(`The items of every page of \`${name}\`, fetched as they are read. \`limit\` is the length of a page.`, 2),
    `        return self._caller.iterate(${callArguments(route, facts, true)})`,
    '',
  ]
}

/** A generator and no mere iterator, so that one that is left early can be closed. */
const iterationOf = (item: string, mode: Mode) => (mode === 'async' ? `AsyncGenerator[${item}, None]` : `Generator[${item}, None, None]`)

function streamLines(name: string, route: string, facts: OperationFacts, writing: Writing): string[] {
  const method = facts.each === 'StreamMessage' ? 'follow' : 'lines'
  const answer = iterationOf(`published.${facts.each}`, writing.mode)
  return [
    ...signature(name, parametersOf(facts, '', writing), answer, writing.mode),
    ...docstring(`${describeOperation(facts)}${argumentWords(facts)}`, 2),
    `        return self._caller.${method}(${callArguments(route, facts)})`,
    '',
  ]
}

/** What is said of the parameters of the query, which no type describes. */
function argumentWords({ query }: OperationFacts): string {
  const words = query.map(({ name, schema, description }) => {
    const text = describe(description === undefined ? schema : { ...schema, description })
    return text === '' ? '' : `\n    ${pythonName(name)}: ${text.replaceAll('\n', ' ')}`
  })
  const text = words.join('')
  return text === '' ? '' : `\n\nArgs:${text}`
}
