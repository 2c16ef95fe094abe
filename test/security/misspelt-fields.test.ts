// Goal: a field that a body does not know is refused by its name, with the closest known one, on every route of every surface: dropped, it
// would make a key without the pin that was meant, or a webhook that is sent everything. Method: walk the routes that are registered, so that a new
// one cannot be forgotten, and send each a field that nobody knows; what is to take any field is listed here, with why.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startEngine } from '@roadworthy/engine/http/testing-engine'
import { openWholeApi } from '@roadworthy/platform/main/test-whole-api'
import { insertResellerWithKey } from '@roadworthy/platform/surfaces/test-api'

type Schema = Readonly<Record<string, unknown>>

/** Where a body, or an object in one, takes what it does not know. */
const openObjects: Readonly<Record<string, string>> = {
  'POST /api/external/sub-clients metadata': 'free-form',
  'PUT /api/external/sub-clients/:sub_client_id metadata': 'free-form',
  'POST /api/v1/sub-clients metadata': 'free-form',
  'PATCH /api/v1/sub-clients/:id metadata': 'free-form',
  'POST /api/external/predict sensor_data': 'takes the aliases of the engine',
  'POST /api/v1/predictions/try reading': 'every key is answered with what it is taken for',
  'POST /api/v1/webhooks headers': 'names of headers',
  'PATCH /api/v1/webhooks/:id headers': 'names of headers',
  'POST /api/sim-billing/sims metadata': 'free-form',
  'PUT /api/sim-billing/sims/:sim metadata': 'free-form',
  ...Object.fromEntries(
    ['POST /api/sim-billing/operator-connections', 'PUT /api/sim-billing/operator-connections/:connection_id'].flatMap((route) =>
      ['credentials', 'settings'].map((name) => [`${route} ${name}`, 'by operator: refused by name as soon as it is known which']),
    ),
  ),
  'POST /v1/predict': 'unknown fields are named in _schemaMapping',
  'POST /v1/predict replacedParts': 'part of an input',
  'POST /v1/predict history': 'earlier inputs',
  'POST /v1/predict/batch vehicles': 'inputs',
  'POST /v1/predict/batch vehicles.replacedParts': 'part of an input',
  'POST /v1/predict/batch vehicles.history': 'earlier inputs',
}
/**
 * Bodies of others: the form of a page that answers in HTML; callbacks of gateways, of which nothing is read before its signature; images; readings, which ingest judges one by one and whose unknown keys it keeps, formats of phones and trackers likewise, and the Open Inference Protocol, whose
 * clients add to it.
 */
const notOurs =
  /^POST \/acknowledge\/|\/logo$|\/payments\/callback\/|^POST \/api\/\w+\/(telemetry|track)(\/batch)?$|\/external\/ingest\/|^POST \/v2\//

const { app, database, routes: registered } = await openWholeApi({ after })
const { apiKey } = await insertResellerWithKey(database, 'acme')
const engine = await startEngine({ after })
const engineDocument = (await engine.get('/openapi.json')).body

type Route = { readonly name: string; readonly method: string; readonly url: string; readonly body: Schema | undefined }

const takesBody = (method: string) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
const platformRoutes: readonly Route[] = registered.flatMap(({ method, url, schema }) =>
  [method].flat().map((each) => ({ name: `${each} ${url}`, method: each, url, body: schema?.body as Schema | undefined })),
)
const engineRoutes: readonly Route[] = Object.entries(
  engineDocument.paths as Record<string, Record<string, { requestBody?: Body }>>,
).flatMap(([url, operations]) =>
  Object.entries(operations).map(([method, { requestBody }]) => {
    const body = requestBody?.content['application/json']?.schema
    return { name: `${method.toUpperCase()} ${url}`, method: method.toUpperCase(), url, body }
  }),
)
type Body = { content: Record<string, { schema: Schema }> }
const routes = [...platformRoutes, ...engineRoutes].filter(({ name, method }) => takesBody(method) && !notOurs.test(name))

async function send({ method, url }: Route, body: unknown) {
  const path = url.replace(/:\w+|\{\w+\}/g, 'unknown')
  const target = path.startsWith('/v') ? engine.app : app
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
  const answer = await target.inject({ method: method as 'POST', url: path, headers, payload: JSON.stringify(body) })
  return { status: answer.statusCode, error: answer.json().error }
}

/** Paths of the objects in a schema that take any field; the empty one is the body itself. */
function openIn(schema: Schema, path: readonly string[] = []): string[] {
  const referred =
    typeof schema['$ref'] === 'string' ? engineDocument.components.schemas[schema['$ref'].split('/').at(-1) ?? ''] : undefined
  if (referred !== undefined) return openIn(referred, path)
  const within = [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, each]) => openIn(each, [...path, name])),
    ...['items', 'anyOf', 'oneOf'].flatMap((key) => [schema[key] ?? []].flat().flatMap((each) => openIn(each as Schema, path))),
  ]
  const isObject = [schema['type']].flat().includes('object')
  return [...(isObject && schema['additionalProperties'] !== false ? [path.join('.')] : []), ...within]
}

test('every object in every body refuses what it does not know, unless it is to take it', () => {
  const found = routes.flatMap(({ name, body }) => (body === undefined ? [] : openIn(body).map((path) => `${name} ${path}`.trim())))
  assert.deepEqual([...new Set(found)].sort(), Object.keys(openObjects).sort())
})

test('a field that nobody knows is refused by its name on every route', async () => {
  let count = 0
  for (const route of routes.filter(({ name }) => openObjects[name] === undefined)) {
    const { status, error } = await send(route, route.name.endsWith('/batch') ? { vehicles: [], moonPhase: 1 } : { moonPhase: 1 })
    assert.equal(status, 400, `${route.name}: ${JSON.stringify(error)}`)
    assert.match(error.message, /^"moonPhase" is not known here/, route.name)
    assert.deepEqual([error.details.in, error.details.field], ['body', 'moonPhase'], route.name)
    count++
  }
  assert.ok(count > 30, `${count} routes were called`)
})

test('a field in the spelling of the other surface is answered with the name that was meant', async () => {
  let count = 0
  for (const route of routes.filter(({ url, body }) => body?.['properties'] !== undefined && url.startsWith('/api/'))) {
    const known = Object.keys(route.body?.['properties'] as object)
    const name = known.find((each) => /[a-z][A-Z]|_/.test(each)) ?? known[0] ?? ''
    const misspelt = name.includes('_') ? name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()) : name.replace(/[A-Z]|^./g, '_$&')
    const { status, error } = await send(route, { [misspelt]: null })
    assert.equal(status, 400, route.name)
    assert.deepEqual([error.details.field, error.details.closest], [misspelt, name], route.name)
    assert.ok(error.message.endsWith(`Did you mean "${name}"?`), error.message)
    count++
  }
  assert.ok(count > 15, `${count} routes were called`)
})

test('a pin, a list of events, a scope of a webhook or a limit that is misspelt makes nothing', async () => {
  const table: readonly [route: string, body: object, field: string, closest: string | undefined][] = [
    ['POST /api/v1/api-keys', { name: 'pinned', scopes: ['*'], sub_client_id: 'depot' }, 'sub_client_id', 'subClientId'],
    ['POST /api/v1/api-keys', { name: 'short', scopes: ['*'], expires: '2020-01-01T00:00:00Z' }, 'expires', 'expiresAt'],
    ['POST /api/v1/webhooks', { url: 'https://hooks.example.com/', events: ['alert.created'] }, 'events', 'eventTypes'],
    ['POST /api/external/devices', { name: 'x', vehicle: { mode: 'create', plate: 'KA-01' } }, 'vehicle.plate', 'vehicle.license_plate'],
    ['PUT /api/external/sub-clients/:sub_client_id', { limits: { device: 5 } }, 'limits.device', 'limits.devices'],
    ['PATCH /api/v1/maintenance/:id', { cost: { amount: 5, currency: 'EUR' } }, 'cost.amount', 'cost.amount_minor'],
    ['PUT /api/v1/stream-connection', { brokers: ['a:1'], topic: 't', sasl: { user: 'x' } }, 'sasl.user', undefined],
    [
      'POST /api/sim-billing/operator-connections',
      { operator: 'airtel', name: 'x', base_url: 'https://93.184.215.14', credentials: { clientId: 'x' } },
      'credentials.clientId',
      undefined,
    ],
    ['POST /v1/predict/batch', { vehicles: [], vehicle: { vehicleId: 'a' } }, 'vehicle', 'vehicles'],
  ]
  for (const [name, body, field, closest] of table) {
    const route = routes.find((each) => each.name === name)
    assert.ok(route !== undefined, name)
    const { status, error } = await send(route, body)
    assert.deepEqual([status, error.details.field, error.details.closest], [400, field, closest], `${name}: ${JSON.stringify(error)}`)
  }
  const { rows } = await database.systemPool.query(
    'select (select count(*)::int from api_keys) as keys, (select count(*)::int from webhook_endpoints) as endpoints',
  )
  assert.deepEqual(rows, [{ keys: 1, endpoints: 0 }])
})

test('a route that takes no body takes an empty one, and none', async () => {
  const bodiless = routes.filter(({ body }) => body === undefined)
  assert.ok(bodiless.length > 10)
  for (const route of bodiless) {
    for (const body of [{}, null]) {
      const { status, error } = await send(route, body)
      assert.ok(status !== 400, `${route.name} ${status} ${JSON.stringify(error)}`)
    }
    assert.equal((await send(route, ['text'])).status, 400)
  }
})
