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

const Body = Type.Object({
  share: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  kind: Type.Optional(Type.Literal('fleet')),
  word: Type.Optional(Type.String({ minLength: 1 })),
  code: Type.Optional(Type.String({ pattern: '^x+$' })),
  step: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}[smhd]$', examples: ['5m'] })),
  tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
  when: Type.Optional(Type.String({ format: 'date-time' })),
  site: Type.Optional(Type.String({ format: 'uri' })),
  target: Type.Optional(Type.Union([Type.Object({ id: Type.String() }), Type.Array(Type.String())])),
  isOn: Type.Optional(Type.Boolean()),
  'a/b': Type.Optional(Type.Object({ '~': Type.Number() })),
})

test('an empty change names the fields it may have, and what is given twice or too often is said in words', async (t) => {
  const app = createHttpApp({ logger: false })
  speakSurface(app, surface)
  const Change = Type.Object(
    {
      status: Type.Optional(Type.String()),
      days: Type.Optional(Type.Array(Type.Integer(), { uniqueItems: true })),
      sums: Type.Optional(Type.Record(Type.String(), Type.Number(), { maxProperties: 1 })),
    },
    { minProperties: 1 },
  )
  app.patch('/', { schema: { body: Change } }, async () => ({}))
  t.after(() => app.close())
  const messageOf = async (payload: object) => (await app.inject({ method: 'PATCH', url: '/', payload })).json().error.message
  assert.equal(await messageOf({}), 'The body must have at least 1 of status, days, sums.')
  assert.equal(await messageOf({ days: [1, 1] }), '"days" must have no item twice.')
  assert.equal(await messageOf({ sums: { a: 1, b: 2 } }), '"sums" must have at most 1 field.')
})

test('every kind of complaint names the field and what would be right', async (t) => {
  const app = createHttpApp({ logger: false })
  speakSurface(app, surface)
  app.post('/', { schema: { body: Body } }, async () => ({}))
  t.after(() => app.close())
  const table: readonly [body: unknown, message: string][] = [
    ['text', 'The body must be an object, not "text".'],
    [{ share: 0 }, '"share" must be more than 0.'],
    [{ count: 0 }, '"count" must be at least 1.'],
    [{ count: 1.5 }, '"count" must be a whole number, not 1.5.'],
    [{ kind: 'car' }, '"kind" must be "fleet", not "car".'],
    [{ word: '' }, '"word" must not be empty.'],
    [{ word: null }, '"word" must be a string, not null.'],
    [{ code: 'y' }, '"code" must have the form that is documented, not "y".'],
    [{ code: 'y'.repeat(65) }, '"code" must have the form that is documented, not a string.'],
    [{ step: '0m' }, '"step" must be a number of seconds, minutes, hours or days, such as 15m, not "0m".'],
    [{ tags: [] }, '"tags" must have 1 to 2 items.'],
    [{ tags: ['a', 2] }, '"tags.1" must be a string, not 2.'],
    [
      { when: '2026-02-30T00:00:00Z' },
      '"when" must be an RFC 3339 date and time with an offset, such as 2026-01-31T08:15:00.000Z, not "2026-02-30T00:00:00Z".',
    ],
    [{ site: 'here' }, '"site" must be a valid uri, not "here".'],
    [{ target: 7 }, '"target" must be an object or an array in one of the forms that are documented.'],
    [{ isOn: 'yes' }, '"isOn" must be true or false, not "yes".'],
    [{ 'a/b': {} }, '"a/b.~" is required.'],
    [{ colour: 'red' }, '"colour" is not known here; known are share, count, kind, word, code, step, tags, when, site, target, isOn, a/b.'],
    [
      { Kind: 'fleet' },
      '"Kind" is not known here; known are share, count, kind, word, code, step, tags, when, site, target, isOn, a/b. Did you mean "kind"?',
    ],
    [{ 'a/b': { '~': 1, deep: 2 } }, '"a/b.deep" is not known here; known are ~.'],
    [{ 'a/b': { '~': 1, [`${'x'.repeat(63)}🚚`]: 2 } }, `"a/b.${'x'.repeat(63)}\ufffd" is not known here; known are ~.`],
    [{ target: { id: 'x', ids: [] } }, '"target.ids" is not known here; known are id. Did you mean "id"?'],
    [{ target: { Id: 'x' } }, '"target.Id" is not known here; known are id. Did you mean "id"?'],
    [
      { [`x${'y'.repeat(100)}`]: 1 },
      `"x${'y'.repeat(63)}" is not known here; known are share, count, kind, word, code, step, tags, when, site, target, isOn, a/b.`,
    ],
  ]
  for (const [payload, message] of table) {
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      payload: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual([answer.statusCode, answer.json().error.message], [400, message])
  }
})
