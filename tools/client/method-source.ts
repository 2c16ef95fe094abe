// The signatures of one method of the client, with the words of the document as its comment.

import { mediaKind, type OperationFacts } from './operation-facts.ts'
import { comment, refName, typeOf } from './schema-type.ts'

export type Signature = { readonly parameters: readonly string[]; readonly answer: string }

const JSON_TYPE = 'application/json'
const BYTES = 'Uint8Array<ArrayBuffer>'

const pascal = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
export const queryTypeName = ({ operation }: OperationFacts) => `${pascal(operation.operationId)}Query`
export const answerTypeName = ({ operation }: OperationFacts) => `${pascal(operation.operationId)}Answer`

/** The lines of a method, and of its iterator where it is a list. */
export function methodLines(name: string, facts: OperationFacts, depth: number): string[] {
  const pad = '  '.repeat(depth)
  const words = comment(describeOperation(facts), depth)
  const lines = signaturesOf(facts).flatMap(({ parameters, answer }) => [...words, `${pad}${name}(${parameters.join(', ')}): ${answer}`])
  const { items } = facts
  if (items === undefined) return lines
  const item = typeOf(items.schema, { isInput: false }, depth)
  const query = queryParameter(
    facts,
    facts.query.some(({ name: parameter }) => parameter === 'format') ? `Omit<${queryTypeName(facts)}, 'format'>` : queryTypeName(facts),
  )
  const parameters = [...pathParameters(facts), ...query, 'options?: RequestOptions']
  return [
    ...lines,
    ...comment(`The items of every page of \`${name}\`, fetched as they are read. \`limit\` is the length of a page.`, depth),
    `${pad}${iteratorName(name)}(${parameters.join(', ')}): AsyncGenerator<${item}, void, undefined>`,
  ]
}

/** `list` becomes `iterate`, `listLocations` becomes `iterateLocations`. */
const iteratorName = (name: string) => name.replace(/^(list|get)/, 'iterate')

export function describeOperation({ operation, method, path, batch, isRepeatable }: OperationFacts): string {
  const { summary, description, security } = operation
  const scopes = [...new Set(security.flatMap((each) => Object.values(each).flat()))]
  const right = scopes.length === 0 ? '' : `; scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`
  return [
    `${batch === undefined ? summary : summary.replace(/up to \d+|at most \d+/i, 'any number of')}.`,
    ...(description === undefined || batch !== undefined ? [] : [description]),
    ...(batch === undefined
      ? []
      : [`Sent in parts of at most ${batch.max}, one after the other; what is returned names places in the whole.`]),
    ...(isRepeatable ? [] : ['Not repeated when it is unclear whether it was carried out.']),
    '',
    `\`${method} ${path}\`${right}`,
  ].join('\n')
}

function pathParameters({ pathParameters: names }: OperationFacts): string[] {
  return names.map((name) => `${camel(name)}: string`)
}

function queryParameter({ query }: OperationFacts, type: string): string[] {
  if (query.length === 0) return []
  return [query.some(({ required }) => required === true) ? `query: ${type}` : `query?: ${type}`]
}

function signaturesOf(facts: OperationFacts): Signature[] {
  const options = facts.takesKey ? 'WriteOptions' : 'RequestOptions'
  const json = answerType(facts)
  const path = pathParameters(facts)
  if (facts.each !== undefined) {
    return [
      {
        parameters: [...path, ...queryParameter(facts, queryTypeName(facts)), `options?: ${options}`],
        answer: `AsyncGenerator<${facts.each}, void, undefined>`,
      },
    ]
  }
  if (facts.batch !== undefined) {
    const { key, item } = facts.batch
    const type = typeOf(item, { isInput: true })
    return [{ parameters: [`${key}: readonly ${type}[]`, `options?: ${options}`], answer: `Promise<${json}>` }]
  }
  const kinds = new Set(Object.keys(facts.answers).map(mediaKind))
  if (kinds.size === 1) return [{ parameters: [...path, ...inputParameter(facts), `options?: ${options}`], answer: `Promise<${json}>` }]
  if (kinds.has('text')) return signaturesOfText(facts, options, json)
  // JSON or bytes, asked in JSON or in bytes.
  return Object.keys(facts.body).map((type) => ({
    parameters: [...path, `body: ${type === JSON_TYPE ? bodyType(facts) : 'BinaryBody'}`, `options?: ${options}`],
    answer: `Promise<${json} | ${BYTES}>`,
  }))
}

/** JSON unless CSV or lines are asked for: by the query where there is such a parameter, else by `accept`. */
function signaturesOfText(facts: OperationFacts, options: string, json: string): Signature[] {
  const path = pathParameters(facts)
  const format = facts.query.find(({ name }) => name === 'format')
  if (format === undefined) {
    const texts = Object.keys(facts.answers).filter((type) => mediaKind(type) === 'text')
    const accept = texts.map((type) => `'${type}'`).join(' | ')
    return [
      { parameters: [...path, ...inputParameter(facts), `options?: ${options}`], answer: `Promise<${json}>` },
      {
        parameters: [...path, ...inputParameter(facts), `options: ${options} & { readonly accept: ${accept} }`],
        answer: 'Promise<string>',
      },
    ]
  }
  const others = (format.schema['enum'] as string[]).filter((value) => value !== 'json').map((value) => `'${value}'`)
  const query = queryTypeName(facts)
  return [
    {
      parameters: [...path, ...queryParameter(facts, `${query} & { readonly format?: 'json' | undefined }`), `options?: ${options}`],
      answer: `Promise<${json}>`,
    },
    {
      parameters: [...path, `query: ${query} & { readonly format: ${others.join(' | ')} }`, `options?: ${options}`],
      answer: 'Promise<string>',
    },
  ]
}

function inputParameter(facts: OperationFacts): string[] {
  if (Object.keys(facts.body).length > 0) return [`body${facts.isBodyRequired ? '' : '?'}: ${bodyType(facts)}`]
  return queryParameter(facts, queryTypeName(facts))
}

function bodyType({ body }: OperationFacts): string {
  const json = body[JSON_TYPE]
  return json === undefined ? 'BinaryBody' : typeOf(json, { isInput: true }, 1)
}

function answerType(facts: OperationFacts): string {
  const json = Object.entries(facts.answers).find(([type]) => mediaKind(type) === 'json')?.[1]
  if (json !== undefined) return typeof json['$ref'] === 'string' ? refName(json['$ref']) : answerTypeName(facts)
  const [kind] = Object.keys(facts.answers).map(mediaKind)
  return kind === 'text' ? 'string' : BYTES
}
