// Goal: the committed documents are the ones the service serves, and are complete and valid OpenAPI 3.1. Method: make them anew and compare;
// check their structure by hand, every schema against the metaschema of JSON Schema 2020-12, and every example against its schema.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { validationProblem } from '@roadworthy/service-kit/http/validation-problem'
import { openApiDocuments } from '../tools/setup/openapi-documents.ts'
import {
  createSchemaChecker,
  type DocumentName,
  documentFile,
  documentNames,
  type JsonSchema,
  type Media,
  type OpenApi,
  type Operation,
  readOpenApi,
  routesOf,
} from './support/open-api.ts'

const MAX_DIFFERENCES = 20
const OF_VALUES = new Set(['example', 'examples', 'default', 'const', 'enum'])

test('the committed documents are those of the routes now', async () => {
  const made = await openApiDocuments()
  assert.deepEqual(Object.keys(made).sort(), [...documentNames, 'asyncapi'].map((name) => `${name}.json`).sort())
  for (const [name, text] of Object.entries(made)) {
    const committed = readFileSync(documentFile(name), 'utf8')
    if (committed === text) continue
    const differences = [...differencesBetween(JSON.parse(committed), JSON.parse(text), '')].slice(0, MAX_DIFFERENCES)
    assert.fail(`docs/openapi/${name} is stale: run "npm run openapi".\n${differences.join('\n') || 'Only the order differs.'}`)
  }
})

test('what is sent and answered has a name, by which generators of clients call its type', () => {
  const unnamed: string[] = []
  for (const name of documentNames) {
    for (const { method, path, operation } of routesOf(readOpenApi(name))) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses ?? {})]
      const schemas = bodies.map((body) => body?.content?.['application/json']?.schema)
      if (schemas.some((schema) => isTree(schema) && schema['properties'] !== undefined)) unnamed.push(`${name}: ${method} ${path}`)
    }
  }
  assert.deepEqual(unnamed, [], 'give the schema a title')
})

test('an answer that has retry_after, the limits of a key, and a method that is not taken are documented with the headers that carry them', () => {
  const missing: string[] = []
  for (const name of documentNames) {
    for (const { method, path, operation } of routesOf(readOpenApi(name))) {
      for (const [status, { headers = {}, content }] of Object.entries(operation.responses)) {
        const examples = Object.values(content?.['application/json']?.examples ?? {}) as { value: { error?: { retry_after?: number } } }[]
        const wanted = examples.some(({ value }) => value.error?.retry_after !== undefined) ? ['Retry-After'] : []
        if (status === '429') wanted.push('RateLimit', 'RateLimit-Policy')
        if (status === '405') wanted.push('Allow')
        for (const header of wanted) if (headers[header] === undefined) missing.push(`${name}: ${method} ${path} ${status} ${header}`)
      }
    }
  }
  assert.deepEqual(missing, [])
})

test('X-Request-Id, WWW-Authenticate and what belongs to ETag are documented wherever they are sent, once as components', () => {
  const headersOf = (name: DocumentName) => Object.keys(readOpenApi(name).components.headers ?? {}).sort()
  for (const name of documentNames) {
    assert.deepEqual(headersOf(name), name === 'engine' ? ['RequestId'] : ['Authenticate', 'EntityTag', 'RequestId'], name)
    let revalidated = 0
    for (const { method, path, operation } of routesOf(readOpenApi(name))) {
      const what = `${name}: ${method} ${path}`
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        assert.ok(headers['X-Request-Id']?.schema !== undefined, `${what} ${status}`)
        assert.equal(headers['WWW-Authenticate'] !== undefined, status === '401', `${what} ${status}`)
      }
      const isRevalidated = operation.responses['304'] !== undefined
      if (isRevalidated) revalidated++
      assert.equal(operation.responses['200']?.headers?.['ETag'] !== undefined, isRevalidated, what)
      assert.equal(operation.responses['304']?.headers?.['ETag'] !== undefined, isRevalidated, what)
      assert.equal(operation.parameters?.some((each) => each.name === 'If-None-Match') ?? false, isRevalidated, what)
      if (isRevalidated) assert.ok(method === 'GET' && operation.responses['304']?.content === undefined, what)
    }
    assert.ok(name === 'engine' ? revalidated === 0 : revalidated > 10, name)
  }
})

// A generator calls what has no name by the place where it first found it: `PostInvoicesResponseLinesItemSim`.
// An object without a field that we name is a map of whatever comes.
test('every object with fields has a name, however deep in a document', () => {
  const unnamed: string[] = []
  const look = (tree: unknown, path: readonly string[]) => {
    if (!isTree(tree)) return
    const isNamed = path.length === 4 && path[1] === 'components' && path[2] === 'schemas'
    const { properties } = tree
    const hasFields = path.at(-1) !== 'properties' && isTree(properties) && Object.keys(properties).length > 0
    if (hasFields && !isNamed) unnamed.push(path.join('/'))
    for (const [key, child] of Object.entries(tree)) if (!OF_VALUES.has(key)) look(child, [...path, key])
  }
  for (const name of documentNames) look(readOpenApi(name), [name])
  assert.deepEqual(unnamed, [], 'give the schema a title in packages/contracts')
})

test('what a request must look like is described in words where a pattern checks it', () => {
  const patterns = new Set<string>()
  const collect = (tree: unknown) => {
    if (!isTree(tree)) return
    if (typeof tree['pattern'] === 'string') patterns.add(tree['pattern'])
    for (const child of Object.values(tree)) collect(child)
  }
  for (const name of documentNames) {
    for (const { operation } of routesOf(readOpenApi(name))) collect([operation.parameters, operation.requestBody])
    collect(readOpenApi(name).components)
  }
  assert.ok(patterns.size > 5)
  for (const pattern of patterns) {
    const { message } = validationProblem([{ keyword: 'pattern', instancePath: '/field', params: { pattern }, data: '?' }], 'body')
    assert.ok(!message.includes(pattern) && !message.includes('that is documented'), `${pattern} is reported as: ${message}`)
  }
})

test('a probability and a level of risk are marked as resting on an assumption wherever they are documented', () => {
  const shown: string[] = []
  const collect = (tree: unknown, document: string) => {
    if (!isTree(tree)) return
    for (const [key, child] of Object.entries(tree)) {
      const description = isTree(child) ? child['description'] : undefined
      const isShown = ['maintenanceProbability', 'riskLevel', 'risk_level'].includes(key) && isTree(child) && child['type'] !== undefined
      if (isShown) shown.push(document)
      assert.ok(!isShown || /assumption/.test(String(description)), `${document}: ${key} is described as: ${description}`)
      collect(child, document)
    }
  }
  for (const name of documentNames) collect(readOpenApi(name), name)
  assert.deepEqual([...new Set(shown)].sort(), ['engine', 'external', 'platform-v1'])
})

function* differencesBetween(was: unknown, is: unknown, path: string): Generator<string> {
  if (was === is) return
  if (!isTree(was) || !isTree(is)) {
    yield `${path}: ${JSON.stringify(was)?.slice(0, 200)} is now ${JSON.stringify(is)?.slice(0, 200)}`
    return
  }
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) yield* differencesBetween(was[key], is[key], `${path}/${key}`)
}

function isTree(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}

for (const name of documentNames) {
  const document = readOpenApi(name)
  const routes = routesOf(document)
  const checkerOf = createSchemaChecker(document)

  test(`${name}: every operation has an id of its own, a summary, a known tag, its security and described statuses`, () => {
    assert.match(document.openapi, /^3\.1\.\d+$/)
    assert.ok(document.info.title !== '' && document.info.version === '2.0.0')
    const ids = routes.map(({ operation }) => operation.operationId)
    assert.deepEqual([...new Set(ids)], ids)
    const tags = new Set(document.tags.map((tag) => tag.name))
    for (const { method, path, operation } of routes) {
      const what = `${method} ${path}`
      assert.match(operation.operationId, /^[a-z][A-Za-z]+$/, what)
      assert.ok(operation.summary.length > 5, what)
      assert.ok(operation.tags.length > 0 && operation.tags.every((tag) => tags.has(tag)), what)
      assert.ok(Array.isArray(operation.security), what)
      for (const scheme of operation.security.flatMap((each) => Object.keys(each))) {
        assert.ok(scheme in (document.components.securitySchemes ?? {}), `${what} ${scheme}`)
      }
      assert.ok('200' in operation.responses, what)
      for (const [status, { description }] of Object.entries(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/, what)
        assert.ok(description.length > 5 && description !== 'Default Response', `${what} ${status}: ${description}`)
      }
    }
  })

  test(`${name}: path templates and path parameters name the same things`, () => {
    for (const { method, path, operation } of routes) {
      const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param).sort()
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      assert.deepEqual(declared.map((parameter) => parameter.name).sort(), templated, `${method} ${path}`)
      assert.ok(
        declared.every(({ required }) => required === true),
        `${method} ${path}`,
      )
    }
  })

  test(`${name}: every schema is valid JSON Schema 2020-12 and every reference leads somewhere`, () => {
    for (const [title, schema] of Object.entries(document.components.schemas)) assert.doesNotThrow(() => checkerOf(schema), title)
    for (const { method, path, operation } of routes) {
      for (const { schema } of [...(operation.parameters ?? []), ...mediaOf(operation)]) {
        assert.doesNotThrow(() => checkerOf(schema), `${method} ${path}`)
      }
    }
  })

  test(`${name}: no schema has a property of its own name, by which generators would name a variable twice`, () => {
    const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
    for (const [title, { properties }] of Object.entries(document.components.schemas)) {
      const names = Object.keys((properties ?? {}) as object)
      assert.ok(!names.some((property) => plain(property) === plain(title)), title)
    }
  })

  test(`${name}: every request body, success and refusal has an example, and each is valid by its own schema`, () => {
    for (const { method, path, operation } of routes) {
      for (const media of mediaOf(operation)) {
        const examples = examplesOf(document, media)
        assert.ok(examples.length > 0, `${method} ${path} ${JSON.stringify(media).slice(0, 200)}`)
        const check = checkerOf(media.schema)
        for (const example of examples)
          assert.ok(check(example), `${method} ${path}: ${JSON.stringify(check.errors)} in ${JSON.stringify(example)}`)
      }
    }
  })
}

function mediaOf({ requestBody, responses }: Operation): Media[] {
  return [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}))
}

function examplesOf(document: OpenApi, { schema, example, examples }: Media): unknown[] {
  if (example !== undefined) return [example]
  if (examples !== undefined) return Object.values(examples).map(({ value }) => value)
  const resolved = resolve(document, schema)
  return Array.isArray(resolved['examples']) ? resolved['examples'] : []
}

function resolve({ components }: OpenApi, schema: JsonSchema): JsonSchema {
  const { $ref } = schema
  return typeof $ref === 'string' ? (components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) : schema
}
