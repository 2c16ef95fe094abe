// Schemas of routes are compiled by their first use (`compile-on-first-use.ts`): here all of them are, so that none fails then.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSerializer } from '@roadworthy/service-kit/compile-on-first-use'
import { createAjv } from '@roadworthy/service-kit/schema-check'
import { openWholeApi } from './test-whole-api.ts'

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
