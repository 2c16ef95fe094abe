// Goal: the client reaches every operation that the documents describe, by its method and path, with what the document names for it. Method:
// call every method that the client has at a `fetch` that notes what it is asked, and compare with the documents. The generator is not used.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Roadworthy } from '../../packages/client/src/roadworthy-client.ts'
import { type DocumentName, type Operation, readOpenApi, routesOf } from '../support/open-api.ts'

type Asked = { readonly method: string; readonly path: string; readonly headers: Headers; readonly body: unknown; readonly query: string }
type Surface = 'external' | 'platform' | 'simBilling' | 'engine'

const documentOf: Readonly<Record<Surface, DocumentName>> = {
  external: 'external',
  platform: 'platform-v1',
  simBilling: 'sim-billing',
  engine: 'engine',
}
/** Payment gateways, phones and trackers call these, each with a secret and a form of its own. */
const CALLED_BY_OTHERS = /^(POST \/api\/sim-billing\/payments\/callback\/|(GET|POST) \/api\/external\/ingest\/)/
/** Read as they come, and asked by the first step of the iteration. */
const isIterator = (value: unknown): value is AsyncGenerator => typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** Calls every method with a value for each place that it may have; what the document does not want is left out by the client or an extra. */
async function askEverything(surface: Surface): Promise<Map<string, Asked>> {
  const asked = new Map<string, Asked>()
  let last: Asked | undefined
  const client = new Roadworthy({
    ...{ baseUrl: 'http://service.test', engineUrl: 'http://service.test', apiKey: 'rw_live_key', maxRetries: 0 },
    fetch: async (input, init) => {
      const url = new URL(String(input))
      const { method = '', headers, body } = init ?? {}
      last = { method, path: decodeURIComponent(url.pathname), headers: new Headers(headers), body, query: url.search }
      return new Response('{"error":{"code":"noted","message":"noted"}}', { status: 418, headers: { 'content-type': 'application/json' } })
    },
  })
  const call = async (name: string, method: (...given: unknown[]) => unknown) => {
    for (const given of [['{}', '{}', { limit: 7 }], ['{}', { limit: 7 }], [{ limit: 7 }], [[{ limit: 7 }]], []]) {
      last = undefined
      const result = method(...given)
      // Refused on purpose, by the answer above or because a parameter is none.
      await (isIterator(result) ? result.next() : (result as Promise<unknown>)).catch(() => undefined)
      if (last !== undefined) asked.set(`${name} ${given.length}${Array.isArray(given[0]) ? 'a' : ''}`, last)
    }
  }
  const visit = async (name: string, node: object): Promise<void> => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'function') await call(`${name}.${key}`, value)
      else await visit(`${name}.${key}`, value)
    }
  }
  await visit(surface, client[surface])
  return asked
}

const filled = (path: string) => path.replace(/\{\w+\}/g, '{}')

for (const surface of Object.keys(documentOf) as Surface[]) {
  test(`${surface}: every operation of the document is reached, and nothing else is asked`, async () => {
    const documented = routesOf(readOpenApi(documentOf[surface])).map((route) => ({
      ...route,
      name: `${route.method.toUpperCase()} ${route.path}`,
    }))
    const reached = new Map([...(await askEverything(surface)).values()].map((asked) => [`${asked.method} ${asked.path}`, asked]))
    const expected = documented.filter(({ name }) => !CALLED_BY_OTHERS.test(name))
    assert.ok(expected.length > 15)
    assert.deepEqual(
      expected.filter(({ name }) => !reached.has(filled(name))).map(({ name }) => name),
      [],
      'these have no method',
    )
    const known = new Set(documented.map(({ name }) => filled(name)))
    // A path whose only parameter was left empty by a call with too few is refused before anything is sent.
    assert.deepEqual(
      [...reached.keys()].filter((name) => !known.has(name)),
      [],
      'these are in no document',
    )
  })

  test(`${surface}: an Idempotency-Key goes where the document has one, and a body or query where it has that`, async () => {
    const operations = new Map<string, Operation>(
      routesOf(readOpenApi(documentOf[surface])).map(({ method, path, operation }) => [
        `${method.toUpperCase()} ${filled(path)}`,
        operation,
      ]),
    )
    const withInput = new Set<string>()
    for (const { method, path, headers, body, query } of (await askEverything(surface)).values()) {
      const name = `${method} ${path}`
      const parameters = operations.get(name)?.parameters ?? []
      assert.equal(
        headers.has('idempotency-key'),
        parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
        name,
      )
      const hasQuery = parameters.some((parameter) => parameter.in === 'query')
      if (query !== '') assert.ok(hasQuery, name)
      if (body !== undefined) assert.ok(operations.get(name)?.requestBody !== undefined, name)
      if (query.includes('limit=7') || body !== undefined) withInput.add(name)
    }
    for (const [name, { parameters = [], requestBody }] of operations) {
      if (CALLED_BY_OTHERS.test(name)) continue
      const takesInput = requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query')
      assert.equal(withInput.has(name), takesInput, name)
    }
  })
}
