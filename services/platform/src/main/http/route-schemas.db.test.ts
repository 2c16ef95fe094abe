// Schemas of routes are compiled by their first use (`compile-on-first-use.ts`): here all of them are, so that none fails then.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSerializer } from '@roadworthy/service-kit/http/compile-on-first-use'
import { createAjv } from '@roadworthy/service-kit/http/schema-check'
import { openWholeApi } from '../test-whole-api.ts'

type ObjectSchema = { properties?: Record<string, { default?: unknown }>; required?: string[] }
const isSchema = (value: unknown): value is object => typeof value === 'object' && value !== null

test('every schema of every route can be compiled', async (t) => {
  const { routes } = await openWholeApi(t)
  const compile = buildSerializer({}, {})
  let compiledCount = 0
  for (const { method, url, schema = {} } of routes) {
    const { body, params, querystring, response = {} } = schema
    for (const given of [body, params, querystring].filter(isSchema)) {
      assert.equal(typeof createAjv({}).compile(given), 'function', `${method} ${url}`)
      compiledCount++
    }
    for (const [httpStatus, answer] of Object.entries(response as Record<string, unknown>)) {
      const media = (answer as { content?: Record<string, { schema: unknown }> }).content
      for (const given of media === undefined ? [answer] : Object.values(media).map((each) => each.schema)) {
        const route = { method: String(method), url, httpStatus, schema: given }
        assert.equal(typeof compile(route), 'function', `${method} ${url} ${httpStatus}`)
        compiledCount++
      }
    }
  }
  assert.ok(compiledCount > 500, `only ${compiledCount} schemas were found`)
})

test('what has a preset may be left out, and is described so', async (t) => {
  const { routes } = await openWholeApi(t)
  for (const { method, url, schema = {} } of routes) {
    for (const { properties = {}, required = [] } of [schema.body, schema.querystring].filter(isSchema) as ObjectSchema[]) {
      const presetNames = Object.keys(properties).filter((name) => properties[name]?.default !== undefined)
      assert.deepEqual(
        presetNames.filter((name) => required.includes(name)),
        [],
        `${String(method)} ${url}`,
      )
    }
  }
})

/** An empty body means something to them: what is left out is unset, and an archived rate plan is in use again. */
const takingNothing = [
  'PUT /api/sim-billing/rate-plans/:plan_id',
  'PUT /api/v1/settings/readings-retention',
  'PUT /api/v1/brands/reseller',
  'PUT /api/v1/brands/sub-clients/:subClientId',
]

test('a change of which every field may be left out refuses a body that has none: its fields were left out by mistake', async (t) => {
  const { routes } = await openWholeApi(t)
  const taken = routes
    .filter(({ method }) => method === 'PUT' || method === 'PATCH')
    .filter(({ schema }) => isSchema(schema?.body) && 'properties' in schema.body && createAjv({}).compile(schema.body)({}) === true)
    .map(({ method, url }) => `${String(method)} ${url}`)
  assert.deepEqual(taken.sort(), takingNothing.sort())
})
