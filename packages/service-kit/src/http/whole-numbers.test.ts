import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { createHttpApp, speakSurface } from './http.ts'
import { problemCodes } from './problem.ts'

const status = { status: 400, code: 'bad' }
const surface = {
  name: 'test',
  errors: Object.fromEntries(problemCodes.map((code) => [code, status])) as Record<(typeof problemCodes)[number], typeof status>,
  envelope: (error: object) => ({ error }),
}
const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  share: Type.Optional(Type.Number()),
  name: Type.Optional(Type.String()),
})

test('a whole number of a query is digits: what only JavaScript reads as one is refused, with the words of any other text', async (t) => {
  const app = createHttpApp({ logger: false })
  speakSurface(app, surface)
  app.get('/', { schema: { querystring: Query } }, async ({ query }) => query)
  t.after(() => app.close())
  const answerTo = async (query: string) => (await app.inject({ url: `/?${query}` })).json()

  for (const [query, limit] of [
    ['', 100],
    ['limit=1', 1],
    ['limit=500', 500],
    ['limit=010', 10],
  ] as const) {
    assert.equal((await answerTo(query)).limit, limit, query)
  }
  for (const written of ['0x10', '0b11', '0o17', '1e2', '5.0', '5.', ' 5', '5 ', '+5', '5\n', '', 'ten', '٥', 'Infinity']) {
    const { error } = await answerTo(`limit=${encodeURIComponent(written)}`)
    assert.equal(error?.message, `"limit" must be a whole number, not ${JSON.stringify(written)}.`)
    assert.deepEqual(error.details, { in: 'querystring', field: 'limit' })
  }
  assert.equal((await answerTo('limit=-1')).error.message, '"limit" must be from 1 to 500.')
  assert.equal((await answerTo('limit=1&limit=2')).error.message, '"limit" must be a whole number, not an array.')
  assert.deepEqual(await answerTo('share=1e2&name=0x10'), { limit: 100, share: 100, name: '0x10' }, 'other types are as they were')
})
