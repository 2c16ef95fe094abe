// The two files of a surface: its types with the interface of its methods, and the table of routes that the methods are made from.

import type { JsonSchema, OpenApi } from '../../test/support/open-api.ts'
import { answerTypeName, methodLines, queryTypeName } from './method-source.ts'
import { isEntry, type MethodTable, type SurfaceMethods } from './method-table.ts'
import { factsOf, mediaKind, type OperationFacts } from './operation-facts.ts'
import { comment, describe, refsIn, typeOf } from './schema-type.ts'

export type Surface = {
  /** As in the names of files: `sim-billing`. */
  readonly name: string
  readonly title: string
  /** Nothing is stored: a POST can be repeated without a key. */
  readonly isStateless: boolean
  readonly table: SurfaceMethods
  readonly document: OpenApi
  readonly documentName: string
}

export type Node = { readonly [name: string]: OperationFacts | Node }

export const GENERATED = 'Written by `npm run openapi`'

export function surfaceSources(surface: Surface): { types: string; routes: string } {
  const tree = factsTree(surface, surface.table.methods)
  return { types: typesSource(surface, tree), routes: routesSource(surface, tree) }
}

export const isFacts = (node: OperationFacts | Node): node is OperationFacts => typeof node['path'] === 'string'

export function factsTree(surface: Pick<Surface, 'document' | 'table' | 'isStateless'>, methods: MethodTable): Node {
  const entries = Object.entries(methods).map(([name, node]) => {
    if (!isEntry(node)) return [name, factsTree(surface, node)] as const
    const entry = typeof node === 'string' ? { route: node } : node
    const [method = '', path = ''] = entry.route.split(' ')
    return [name, factsOf(surface.document, method, `${surface.table.prefix}${path}`, entry, surface.isStateless)] as const
  })
  return Object.fromEntries(entries)
}

export function allFacts(tree: Node): OperationFacts[] {
  return Object.values(tree).flatMap((node) => (isFacts(node) ? [node] : allFacts(node)))
}

function typesSource(surface: Surface, tree: Node): string {
  const all = allFacts(tree)
  const text = [
    ...componentLines(surface.document, all),
    ...all.flatMap(queryLines),
    ...all.flatMap(answerLines),
    ...interfaceLines(surface, tree),
  ].join('\n')
  const options = ['BinaryBody', 'RequestOptions', 'WriteOptions'].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const published = [...new Set(all.flatMap(({ each }) => each ?? []))].sort()
  return [
    `// ${GENERATED} from docs/openapi/${surface.documentName}.json and the table of methods. Changes belong there.`,
    '',
    `import type { ${options.join(', ')} } from '../request-options.ts'`,
    ...(published.length === 0 ? [] : [`import type { ${published.join(', ')} } from './published-types.ts'`]),
    '',
    text,
    '',
  ].join('\n')
}

/** Of the components those that a body or an answer names. */
function componentLines({ components }: OpenApi, all: readonly OperationFacts[]): string[] {
  const sent = reach(components.schemas, refsIn(all.map(({ body }) => body)))
  const named = reach(components.schemas, refsIn(all.map(({ body, answers }) => [body, answers])))
  return [...named].sort().flatMap((name) => declaration(name, components.schemas[name] ?? {}, sent.has(name)))
}

export function reach(schemas: OpenApi['components']['schemas'], from: readonly string[]): Set<string> {
  const found = new Set(from)
  for (const name of found) for (const next of refsIn(schemas[name])) found.add(next)
  return found
}

export function declaration(name: string, schema: JsonSchema, isInput: boolean): string[] {
  return [...comment(describe(schema), 0), `export type ${name} = ${typeOf(schema, { isInput })}`, '']
}

function queryLines(facts: OperationFacts): string[] {
  if (facts.query.length === 0) return []
  const properties = Object.fromEntries(
    facts.query.map(({ name, schema, description }) => [name, description === undefined ? schema : { ...schema, description }]),
  )
  const required = facts.query.filter((parameter) => parameter.required === true).map(({ name }) => name)
  return declaration(queryTypeName(facts), { type: 'object', properties, required }, true)
}

function answerLines(facts: OperationFacts): string[] {
  const json = facts.answers['application/json']
  return json === undefined || '$ref' in json ? [] : declaration(answerTypeName(facts), json, false)
}

function interfaceLines({ title }: Surface, tree: Node): string[] {
  return [`/** ${title} */`, 'export interface Api {', ...membersOf(tree, 1), '}']
}

function membersOf(tree: Node, depth: number): string[] {
  const pad = '  '.repeat(depth)
  return Object.entries(tree).flatMap(([name, node]) =>
    isFacts(node) ? methodLines(name, node, depth) : [`${pad}readonly ${name}: {`, ...membersOf(node, depth + 1), `${pad}}`],
  )
}

function routesSource(surface: Surface, tree: Node): string {
  return [
    `// ${GENERATED} from docs/openapi/${surface.documentName}.json and the table of methods. Changes belong there.`,
    '',
    "import type { RouteTable } from '../route.ts'",
    '',
    `export const ${surface.name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Routes: RouteTable = {`,
    ...routeLines(tree, 1),
    '}',
    '',
  ].join('\n')
}

function routeLines(tree: Node, depth: number): string[] {
  const pad = '  '.repeat(depth)
  return Object.entries(tree).flatMap(([name, node]) =>
    isFacts(node) ? [`${pad}${name}: ${routeLiteral(node)},`] : [`${pad}${name}: {`, ...routeLines(node, depth + 1), `${pad}},`],
  )
}

/** Left out is what holds for most: JSON is answered, there is no key, and a repeat does no harm. */
function routeLiteral(facts: OperationFacts): string {
  const { method, path, query, body, items, batch, takesKey, isRepeatable, each } = facts
  const kinds = [...new Set(Object.keys(facts.answers).map(mediaKind))]
  const answers = each === 'Position' ? ['lines'] : kinds
  const fields = [
    `method: '${method}', path: '${path}'`,
    Object.keys(body).length > 0 ? "input: 'body'" : query.length > 0 ? "input: 'query'" : '',
    items === undefined ? '' : `items: '${items.key}'`,
    batch === undefined ? '' : `batch: { key: '${batch.key}', max: ${batch.max}, maxBytes: ${batch.maxBodyMib * 1024 * 1024} }`,
    answers.length === 1 && answers[0] === 'json' ? '' : `answers: [${answers.map((kind) => `'${kind}'`).join(', ')}]`,
    takesKey ? 'takesKey: true' : '',
    isRepeatable ? '' : 'isRepeatable: false',
  ]
  return `{ ${fields.filter((field) => field !== '').join(', ')} }`
}
