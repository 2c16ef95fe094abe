// Goal: every route asks for the scope that the spec gives it, and no other scope opens it. Method: walk the routes that are registered, and
// call each with a key of every single scope. What the routes do is not looked at, only whether the gate lets the call through.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createKey } from '../keys/keys.ts'
import { fullAccessScopes, grants, type RouteScope, scopes, scopesOfRoute } from '../keys/scopes.ts'
import { createReseller } from '../resellers/resellers.ts'
import { openWholeApi } from './test-whole-api.ts'

/** Spec §5.1 and §4, and DECISIONS where the spec gives a route no scope. */
const expectedScopes: Readonly<Record<string, RouteScope | undefined>> = {
  'GET /api/external/health': undefined,
  'POST /api/external/sub-clients': 'sub_clients:manage',
  'GET /api/external/sub-clients': 'sub_clients:read',
  'GET /api/external/sub-clients/:id': 'sub_clients:read',
  'PUT /api/external/sub-clients/:id': 'sub_clients:manage',
  'DELETE /api/external/sub-clients/:id': 'sub_clients:manage',
  'POST /api/external/devices': 'devices:write',
  'PUT /api/external/devices/:id': 'devices:write',
  'POST /api/external/devices/:id/decommission': 'devices:write',
  'POST /api/external/devices/:id/credentials/rotate': 'devices:write',
  'GET /api/external/devices': 'devices:read',
  'GET /api/external/devices/locations': ['devices:read', 'tracking:read'],
  'GET /api/external/devices/:id/location': ['devices:read', 'tracking:read'],
  'POST /api/external/vehicles': 'vehicles:write',
  'GET /api/external/vehicles': 'vehicles:read',
  'PUT /api/external/vehicles/:id': 'vehicles:write',
  'DELETE /api/external/vehicles/:id': 'vehicles:write',
  'GET /api/external/predictions': 'predict',
  'POST /api/external/predict': 'predict',
  'POST /api/external/telemetry': 'telemetry:write',
  'POST /api/external/telemetry/batch': 'telemetry:write',
  'GET /api/external/telemetry/:id': ['telemetry:read', 'tracking:read'],
  'POST /api/external/track': 'tracking:write',
  'POST /api/external/track/batch': 'tracking:write',
  'GET /api/external/ingest/osmand': undefined,
  'POST /api/external/ingest/osmand': undefined,
  'GET /api/external/ingest/torque/:id': undefined,
  'POST /api/external/ingest/freematics/:id/post/:id': undefined,
  'GET /api/external/ingest/freematics/:id/push': undefined,
  'GET /api/external/ingest/freematics/:id/notify/:id': undefined,
  'POST /api/external/ingest/traccar': 'telemetry:write',
  'POST /api/external/ingest/flespi': 'telemetry:write',
  'GET /api/v1/sub-clients': 'sub_clients:read',
  'GET /api/v1/sub-clients/:id': 'sub_clients:read',
  'POST /api/v1/sub-clients': 'sub_clients:manage',
  'PATCH /api/v1/sub-clients/:id': 'sub_clients:manage',
  'GET /api/v1/sub-clients/:id/deactivation': 'sub_clients:manage',
  'DELETE /api/v1/sub-clients/:id': 'sub_clients:manage',
  'GET /api/v1/devices': 'devices:read',
  'GET /api/v1/devices/:id': 'devices:read',
  'POST /api/v1/devices': 'devices:write',
  'GET /api/v1/devices/:id/messages': 'telemetry:read',
  'POST /api/v1/devices/:id/messages/recording': 'devices:write',
  'DELETE /api/v1/devices/:id/messages/recording': 'devices:write',
  'POST /api/v1/devices/import': 'devices:write',
  'PATCH /api/v1/devices/:id': 'devices:write',
  'POST /api/v1/devices/:id/credentials/rotate': 'devices:write',
  'POST /api/v1/devices/:id/tracker-token': 'devices:write',
  'DELETE /api/v1/devices/:id/tracker-token': 'devices:write',
  'POST /api/v1/devices/:id/decommission': 'devices:write',
  'GET /api/v1/overview': 'vehicles:read',
  'GET /api/v1/vehicles': 'vehicles:read',
  'GET /api/v1/fleet/map': 'vehicles:read',
  'GET /api/v1/fleet/counts': 'vehicles:read',
  'GET /api/v1/vehicles/:id/health': 'vehicles:read',
  'GET /api/v1/vehicle-groups': 'vehicles:read',
  'GET /api/v1/vehicle-groups/:id': 'vehicles:read',
  'POST /api/v1/vehicle-groups': 'vehicles:write',
  'PATCH /api/v1/vehicle-groups/:id': 'vehicles:write',
  'DELETE /api/v1/vehicle-groups/:id': 'vehicles:write',
  'GET /api/v1/predictions': 'predict',
  'GET /api/v1/models': 'predict',
  'POST /api/v1/predictions/try': 'predict',
  'GET /api/v1/alerts': 'predict',
  'GET /api/v1/incidents': 'predict',
  'GET /api/v1/incidents/assignees': 'predict',
  'GET /api/v1/incidents/:id': 'predict',
  'PATCH /api/v1/incidents/:id': 'predict',
  'GET /api/v1/settings/maintenance': 'vehicles:read',
  'PUT /api/v1/settings/maintenance': '*',
  'GET /api/v1/settings/readings-retention': 'vehicles:read',
  'PUT /api/v1/settings/readings-retention': '*',
  'POST /api/v1/maintenance': 'vehicles:write',
  'GET /api/v1/maintenance': 'vehicles:read',
  'GET /api/v1/vehicles/:id/maintenance.ics': 'vehicles:read',
  'GET /api/v1/events': ['vehicles:read', 'predict', 'devices:read', 'billing:read', 'webhooks:manage'],
  'GET /api/v1/stream': ['vehicles:read', 'predict', 'devices:read', 'billing:read', 'webhooks:manage'],
  'POST /api/v1/notification-rules': 'webhooks:manage',
  'GET /api/v1/notification-rules': 'webhooks:manage',
  'GET /api/v1/notification-rules/:id': 'webhooks:manage',
  'PATCH /api/v1/notification-rules/:id': 'webhooks:manage',
  'DELETE /api/v1/notification-rules/:id': 'webhooks:manage',
  'POST /api/v1/notification-rules/:id/test': 'webhooks:manage',
  'GET /api/v1/notifications': 'webhooks:manage',
  'POST /api/v1/webhooks': 'webhooks:manage',
  'GET /api/v1/webhooks': 'webhooks:manage',
  'GET /api/v1/webhooks/:id': 'webhooks:manage',
  'PATCH /api/v1/webhooks/:id': 'webhooks:manage',
  'DELETE /api/v1/webhooks/:id': 'webhooks:manage',
  'POST /api/v1/webhooks/:id/secret/rotate': 'webhooks:manage',
  'POST /api/v1/webhooks/:id/pause': 'webhooks:manage',
  'POST /api/v1/webhooks/:id/resume': 'webhooks:manage',
  'POST /api/v1/webhooks/:id/test': 'webhooks:manage',
  'GET /api/v1/webhooks/:id/statistics': 'webhooks:manage',
  'POST /api/v1/webhooks/:id/recover': 'webhooks:manage',
  'GET /api/v1/webhooks/:id/deliveries': 'webhooks:manage',
  'GET /api/v1/webhooks/:id/deliveries/:id': 'webhooks:manage',
  'POST /api/v1/webhooks/:id/deliveries/:id/resend': 'webhooks:manage',
  'POST /api/v1/telemetry': 'telemetry:write',
  'POST /api/v1/api-keys': '*',
  'GET /api/v1/api-keys': '*',
  'POST /api/v1/api-keys/:id/rotate': '*',
  'DELETE /api/v1/api-keys/:id': '*',
  'GET /api/external/usage': 'billing:read',
  'GET /api/v1/usage': 'billing:read',
  'GET /api/v1/usage/limits': 'billing:read',
  'GET /api/v1/usage/statements': 'billing:read',
  'GET /api/v1/usage/statement-key': 'billing:read',
  'POST /api/v1/users': '*',
  'GET /api/v1/users': '*',
  'GET /api/v1/users/:id': '*',
  'PATCH /api/v1/users/:id': '*',
  'DELETE /api/v1/users/:id': '*',
  'GET /api/v1/audit': '*',
  'GET /api/v1/request-log': '*',
  'GET /api/v1/plan': 'billing:read',
  'GET /api/v1/brand': undefined,
  'GET /api/v1/brand/logos/:id': undefined,
  'GET /api/v1/stream-connection': '*',
  'GET /api/v1/stream-connections': '*',
  'PUT /api/v1/stream-connection': '*',
  'DELETE /api/v1/stream-connection': '*',
  'POST /api/v1/stream-connection/test': '*',
  'GET /api/v1/brands/reseller': '*',
  'PUT /api/v1/brands/reseller': '*',
  'PUT /api/v1/brands/reseller/logo': '*',
  'DELETE /api/v1/brands/reseller/logo': '*',
  'GET /api/v1/brands/sub-clients/:id': '*',
  'PUT /api/v1/brands/sub-clients/:id': '*',
  'PUT /api/v1/brands/sub-clients/:id/logo': '*',
  'DELETE /api/v1/brands/sub-clients/:id/logo': '*',
  'POST /api/v1/session': undefined,
  'GET /api/v1/session': undefined,
  'DELETE /api/v1/session': undefined,
  'PUT /api/v1/session/password': undefined,
  'PUT /api/v1/session/preferences': undefined,
  'POST /api/v1/session/password': undefined,
  'POST /api/v1/session/password-reset': undefined,
  'PUT /api/v1/session/view-as': undefined,
  'DELETE /api/v1/session/view-as': undefined,
  'GET /api/v1/session/push-subscriptions': undefined,
  'POST /api/v1/session/push-subscriptions': undefined,
  'DELETE /api/v1/session/push-subscriptions/:id': undefined,
  'POST /api/v1/session/push-subscriptions/:id/test': undefined,
  'GET /api/v1/session/notification-rules': undefined,
  'POST /api/v1/session/notification-rules': undefined,
  'PATCH /api/v1/session/notification-rules/:id': undefined,
  'DELETE /api/v1/session/notification-rules/:id': undefined,
}

/** `admitsDevices`: what lets in is a token, and not a key. */
type Route = { method: string; url: string; scope: RouteScope | undefined; admitsDevices: boolean }

const now = () => new Date()
const { app, database, routes: registered } = await openWholeApi({ after })
const routes: Route[] = registered.flatMap(({ method, url, config, schema }) => {
  const isOfSurface = /^\/api\/(external|v1)\//.test(url) && !url.startsWith('/api/v1/docs') && schema?.hide !== true
  return isOfSurface
    ? [method].flat().map((each) => ({ method: each, url, scope: config?.scope, admitsDevices: config?.admitsDevices === true }))
    : []
})
await createReseller(database, { slug: 'acme', name: 'Acme' }, now())

function call(method: string, url: string, apiKey: string | undefined) {
  return app.inject({
    method: method as 'GET',
    // The looks of a reading's id decide which scope reads it.
    url: url.replace('/telemetry/:id', '/telemetry/trk-unknown').replace(/:\w+/g, 'unknown'),
    headers: { ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) },
    ...(['POST', 'PUT', 'PATCH'].includes(method) ? { payload: {} } : {}),
  })
}

test('every route that the spec names asks for the scope that the spec gives it', () => {
  const nameOf = (method: string, url: string) => `${method} ${url.replace(/:\w+/g, ':id')}`
  const registered = new Map(routes.map(({ method, url, scope }) => [nameOf(method, url), scope]))
  for (const [route, scope] of Object.entries(expectedScopes)) {
    assert.equal(registered.has(route), true, `${route} is missing`)
    assert.deepEqual(registered.get(route), scope, route)
  }
})

test('each route opens to the scopes that grant it and to no other', async () => {
  let calls = 0
  for (const granted of [...scopes, ...fullAccessScopes]) {
    const { apiKey } = await createKey(database, 'acme', { name: granted, scopes: [granted], perMinute: 0, perDay: 0 }, now())
    for (const { method, url, scope } of routes) {
      if (scope === undefined) continue
      const response = await call(method, url, apiKey)
      const what = `${granted} on ${method} ${url}: ${response.body}`
      calls++
      if (scopesOfRoute(scope).some((each) => grants(new Set([granted]), each))) {
        assert.equal([401, 403].includes(response.statusCode) || response.statusCode >= 500, false, what)
      } else {
        assert.equal(response.statusCode, 403, what)
        assert.equal(response.json().error.code, 'missing_scope', what)
        assert.equal(response.json().error.details.required_scope, scopesOfRoute(scope)[0], what)
      }
    }
  }
  assert.equal(calls >= Object.keys(expectedScopes).length * scopes.length, true)
})

test('without a key every route answers 401, except the public ones', async () => {
  for (const { method, url, scope, admitsDevices } of routes) {
    const { statusCode } = await call(method, url, undefined)
    assert.equal(statusCode === 401, scope !== undefined || admitsDevices, `${method} ${url}`)
  }
})

test('the documents describe every route with its key and all that it can answer', async () => {
  for (const [path, prefix] of [
    ['/openapi/external.json', '/api/external'],
    ['/openapi/platform-v1.json', '/api/v1'],
    ['/openapi/sim-billing.json', '/api/sim-billing'],
  ] as const) {
    const document = (await app.inject({ method: 'GET', url: path })).json()
    for (const { method, url, scope } of routes) {
      if (!url.startsWith(prefix)) continue
      const operation = document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      assert.notEqual(operation, undefined, `${method} ${url}`)
      const opening = scope === undefined ? [] : scopesOfRoute(scope)
      const security = ['apiKey', 'bearer'].flatMap((header) => opening.map((each) => ({ [header]: [each] })))
      assert.deepEqual(operation.security, security)
      if (scope === undefined) continue
      const expected = ['200', '400', '401', '403', '429', '500', '503', ...(method === 'POST' ? ['409', '422'] : [])]
      for (const status of expected) assert.equal(status in operation.responses, true, `${method} ${url} ${status}`)
    }
    assert.deepEqual(Object.keys(document.components.securitySchemes), ['apiKey', 'bearer'])
    assert.equal((await app.inject({ method: 'GET', url: prefix === '/api/external' ? '/docs/' : `${prefix}/docs/` })).statusCode, 200)
  }
})
