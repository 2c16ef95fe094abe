// Goal: every route asks for the scope that the spec gives it, and no other scope opens it. Method: walk the routes that are registered, and
// call each with a key of every single scope. What the routes do is not looked at, only whether the gate lets the call through.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/problem'
import { createKey } from '../access/keys.ts'
import { fullAccessScopes, grants, type RequiredScope, scopes } from '../access/scopes.ts'
import { alertPlatformRoutes } from '../alerts/routes.platform-v1.ts'
import { telemetryExternalRoutes } from '../ingest/doors/rest.ts'
import type { Ingest } from '../ingest/inbound.ts'
import { predictionPlatformRoutes } from '../predictions/routes.platform-v1.ts'
import { readingsPlatformRoutes } from '../readings/routes.platform-v1.ts'
import { telemetryPlatformRoutes } from '../readings/telemetry.routes.platform-v1.ts'
import { openTestDatabase } from '../test-support.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from './test-api.ts'

/** Spec §5.1 and §4, and DECISIONS where the spec gives a route no scope. Routes that are not mounted here are not looked for. */
const expectedScopes: Readonly<Record<string, RequiredScope>> = {
  'POST /api/external/telemetry': 'telemetry:write',
  'POST /api/external/telemetry/batch': 'telemetry:write',
  'GET /api/external/telemetry/:id': 'telemetry:read',
  'POST /api/external/track': 'tracking:write',
  'POST /api/external/track/batch': 'tracking:write',
  'GET /api/v1/predictions': 'predict',
  'GET /api/v1/alerts': 'predict',
  'POST /api/v1/telemetry': 'telemetry:write',
  'POST /api/v1/api-keys': '*',
  'GET /api/v1/api-keys': '*',
  'DELETE /api/v1/api-keys/:id': '*',
}

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const now = () => new Date()
const ingest: Ingest = async (batch) =>
  batch.map(() => ({ status: 'refused', problem: new Problem('device_not_found', 'No such device.') }))
const { app, routes } = await openTestApi(cleanUp, database, {
  external: [telemetryExternalRoutes({ ingest, database, now })],
  platform: [
    alertPlatformRoutes({ database, now }),
    predictionPlatformRoutes({ database }),
    readingsPlatformRoutes({ database, now }),
    telemetryPlatformRoutes({ ingest }),
  ],
})
await insertResellerWithKey(database, 'acme')

function call(method: string, url: string, apiKey: string | undefined) {
  return app.inject({
    method: method as 'GET',
    url: url.replace(/:\w+/g, 'unknown'),
    headers: { ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) },
    ...(['POST', 'PUT', 'PATCH'].includes(method) ? { payload: {} } : {}),
  })
}

test('every route that the spec names asks for the scope that the spec gives it', () => {
  const registered = new Map(routes.map(({ method, url, scope }) => [`${method} ${url}`, scope]))
  for (const [route, scope] of Object.entries(expectedScopes)) assert.equal(registered.get(route), scope, route)
})

test('each route opens to the scopes that grant it and to no other', async () => {
  let calls = 0
  for (const granted of [...scopes, ...fullAccessScopes]) {
    const { apiKey } = await createKey(database, 'acme', { name: granted, scopes: [granted], perMinute: 0, perDay: 0 }, now())
    for (const { method, url, scope } of routes) {
      if (scope === undefined || method === 'HEAD') continue
      const response = await call(method, url, apiKey)
      const what = `${granted} on ${method} ${url}: ${response.body}`
      calls++
      if (grants(new Set([granted]), scope)) {
        assert.equal([401, 403].includes(response.statusCode) || response.statusCode >= 500, false, what)
      } else {
        assert.equal(response.statusCode, 403, what)
        assert.equal(response.json().error.code, 'missing_scope', what)
        assert.deepEqual(response.json().error.details, { required_scope: scope }, what)
      }
    }
  }
  assert.equal(calls >= Object.keys(expectedScopes).length * scopes.length, true)
})

test('without a key every route answers 401, except the public ones', async () => {
  for (const { method, url, scope } of routes) {
    assert.equal((await call(method, url, undefined)).statusCode, scope === undefined ? 200 : 401, `${method} ${url}`)
  }
})

test('the documents describe every route with its key and all that it can answer', async () => {
  for (const [path, prefix] of [
    ['/openapi/external.json', '/api/external'],
    ['/openapi/platform-v1.json', '/api/v1'],
  ] as const) {
    const document = (await app.inject({ method: 'GET', url: path })).json()
    for (const { method, url, scope } of routes) {
      if (!url.startsWith(prefix) || method === 'HEAD') continue
      const operation = document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      assert.notEqual(operation, undefined, `${method} ${url}`)
      assert.deepEqual(operation.security, scope === undefined ? [] : [{ apiKey: [scope] }, { bearer: [scope] }])
      if (scope === undefined) continue
      const expected = ['200', '400', '401', '403', '429', '500', '503', ...(method === 'POST' ? ['409', '422'] : [])]
      for (const status of expected) assert.equal(status in operation.responses, true, `${method} ${url} ${status}`)
    }
    assert.deepEqual(Object.keys(document.components.securitySchemes), ['apiKey', 'bearer'])
    assert.equal((await app.inject({ method: 'GET', url: prefix === '/api/v1' ? '/api/v1/docs/' : '/docs/' })).statusCode, 200)
  }
})
