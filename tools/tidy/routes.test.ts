import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repositoryOf } from './repository.ts'
import { checkRoutes } from './routes.ts'

const check = (text: string, path = 'services/platform/src/fleet/routes.external.ts') =>
  checkRoutes(repositoryOf({ [path]: text })).map(({ line, message }) => `${line} ${message}`)

const schema = "schema: { operationId: 'listVehicles', summary: 'List', response: { 200: A, ...errorResponses(404) } }"

test('a route that declares everything is fine', () => {
  assert.deepEqual(check(`app.get('/vehicles', { config: { scope: 'vehicles:read' }, ${schema} }, async () => 1)`), [])
  assert.deepEqual(check(`app.get('/health', { config: { public: true }, ${schema} }, health)`), [])
  assert.deepEqual(check(`app.route({ method: 'GET', url: '/x', config: { scope: 'a' }, ${schema} })`), [])
})

test('each missing part is named', () => {
  assert.deepEqual(check(`\napp.post('/vehicles', { ${schema} }, f)`), ['2 POST /vehicles lacks config.scope or config.public'])
  const bare = "app.get('/v', { config: { scope: 'a' }, schema: { tags: ['summary'], params: { response: 1 } } }, f)"
  assert.deepEqual(check(bare), ['1 GET /v lacks schema.summary, schema.operationId, schema.response'])
  assert.match(check("app.delete('/v/:id', f)")[0] ?? '', /DELETE \/v\/:id lacks its options in place/)
  assert.match(check("app.put('/v/:id', options, f)")[0] ?? '', /lacks its options in place/)
})

test('a hidden page describes nothing but still declares who may see it', () => {
  assert.deepEqual(check("app.get('/livez', { config: { public: true }, schema: { hide: true } }, f)"), [])
  assert.equal(check("app.get('/livez', { schema: { hide: true } }, f)").length, 1)
})

test('the engine asks for no key, and still describes its routes', () => {
  assert.deepEqual(check(`app.post('/v1/predict', { ${schema} }, f)`, 'services/engine/src/http/routes.ts'), [])
  assert.equal(check("app.post('/v1/predict', { schema: {} }, f)", 'services/engine/src/http/routes.ts').length, 1)
})

test('a map, a header and a client are no routes', () => {
  assert.deepEqual(check("map.get('key')\nmap.get('/a')\nheaders.delete('x')\nclient.post(url, { a: 1 })\nnew Map().get('/x', 1)"), [])
})
