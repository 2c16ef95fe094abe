import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { createHttpApp, speakSurface } from './http.ts'
import { problemCodes } from './problem.ts'

const surface = {
  name: 'test',
  errors: Object.fromEntries(problemCodes.map((code) => [code, { status: 400, code }])) as Record<
    (typeof problemCodes)[number],
    { status: number; code: string }
  >,
  envelope: (error: object) => ({ error }),
}
const Named = Type.Object({ name: Type.Optional(Type.String()) })

test('objects within lists, records, alternatives and bodies by media type are closed; those that declare it stay open', async (t) => {
  const app = createHttpApp({ logger: false })
  t.after(() => app.close())
  speakSurface(app, surface)
  const body = Type.Object({
    list: Type.Optional(Type.Array(Named)),
    record: Type.Optional(Type.Record(Type.String(), Named)),
    either: Type.Optional(Type.Union([Named, Type.Null()])),
    deep: Type.Optional(Type.Object({ list: Type.Array(Type.Array(Named)) })),
    open: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: true })),
  })
  app.post('/', { schema: { body } }, async () => ({}))
  app.post('/by-media-type', { schema: { body: { content: { 'application/json': { schema: body } } } } }, async () => ({}))
  const wrong = { nmae: 'x' }
  const table: readonly [body: object, field: string | undefined][] = [
    [wrong, 'nmae'],
    [{ list: [{ name: 'x' }, wrong] }, 'list.1.nmae'],
    [{ record: { any: wrong } }, 'record.any.nmae'],
    [{ either: wrong }, 'either.nmae'],
    [{ deep: { list: [[wrong]] } }, 'deep.list.0.0.nmae'],
    [{ open: wrong, either: null, list: [], record: { any: { name: 'x' } } }, undefined],
  ]
  for (const url of ['/', '/by-media-type']) {
    for (const [payload, field] of table) {
      const answer = await app.inject({ method: 'POST', url, payload })
      assert.deepEqual([answer.statusCode, answer.json().error?.details.field], [field === undefined ? 200 : 400, field], `${url} ${field}`)
    }
  }
})

test('a body schema that could not be closed is refused when its route is registered', async (t) => {
  const app = createHttpApp({ logger: false })
  t.after(() => app.close())
  for (const part of [{ allOf: [Named, Named] }, { $ref: 'elsewhere' }]) {
    const body = { type: 'object', properties: { part } }
    assert.throws(() => app.post('/', { schema: { body } }, async () => ({})), /a body schema stands in one piece/)
  }
})

test('a body that may be missing may also be empty', async (t) => {
  const app = createHttpApp({ logger: false })
  t.after(() => app.close())
  speakSurface(app, surface)
  app.post('/', { config: { bodyMayBeMissing: true }, schema: { body: Named } }, async (request) => ({ body: request.body }))
  app.post('/required', { schema: { body: Named } }, async () => ({}))
  const headers = { 'content-type': 'application/json' }
  for (const request of [{}, { headers }, { headers, payload: '{}' }]) {
    const answer = await app.inject({ method: 'POST', url: '/', ...request })
    assert.deepEqual([answer.statusCode, answer.json()], [200, { body: {} }], JSON.stringify(request))
  }
  const refused = await app.inject({ method: 'POST', url: '/required', headers })
  assert.deepEqual([refused.statusCode, refused.json().error.message], [400, 'The body is empty; JSON was expected.'])
  const wrong = await app.inject({ method: 'POST', url: '/', headers, payload: '{"nmae": 1}' })
  assert.equal(wrong.statusCode, 400)
})
