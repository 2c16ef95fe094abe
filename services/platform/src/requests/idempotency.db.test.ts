// Goal: a POST repeated with its Idempotency-Key is carried out once and answered the same, also when repeats race or the first one dies.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createKey } from '../keys/keys.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, untilTaken } from '../test-support.ts'
import { deleteExpiredIdempotencyKeysAcrossResellers } from './idempotency.sql.ts'
import { IDEMPOTENCY_KEPT_MS } from './idempotency.ts'

let carriedOut = 0
const running: (() => void)[] = []
const things: FastifyPluginAsyncTypebox = async (app) => {
  const config = { scope: 'devices:write' } as const
  const body = Type.Object({ name: Type.String() }, { additionalProperties: true })
  const described = { config, schema: { body } }
  app.post('/things', described, async (request) => ({ secret: `s3cret-${++carriedOut}`, name: request.body.name }))
  app.post('/other-things', described, async () => ({ n: ++carriedOut }))
  app.post('/slow', described, async () => {
    carriedOut++
    await new Promise<void>((resolve) => running.push(resolve))
    return { done: true }
  })
  const inParts = (text: string) => Readable.from([text, '.'])
  const answerAgain = async (_: FastifyRequest, reply: FastifyReply, madeOf: string) => reply.send(inParts(`made of ${madeOf}`))
  app.post('/in-parts', { ...described, config: { ...config, answerAgain } }, async (request) => {
    request.answerMadeOf = `thing-${++carriedOut}`
    return inParts(`made of ${request.answerMadeOf}`)
  })
  app.post('/refused', described, async () => {
    carriedOut++
    throw new Problem('conflict', 'not now')
  })
  app.post('/failing', described, async () => {
    carriedOut++
    throw new Error('a bug')
  })
  app.post('/busy', described, async () => {
    carriedOut++
    throw new Problem('rate_limit_exceeded', 'busy', { retryAfterS: 1 })
  })
}

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const START = new Date('2026-03-01T12:00:00.000Z')
let now = START
/** Transactions of resellers that the API has the answer of. */
let tenantCount = 0
const tenant: typeof database.tenant = (resellerIds, run) => database.tenant(resellerIds, run).finally(() => tenantCount++)
const { app } = await openTestApi(cleanUp, { ...database, tenant }, { external: [things], platform: [things], now: () => now })
const acme = await insertResellerWithKey(database, 'acme')
const globex = await insertResellerWithKey(database, 'globex')

type Call = { path?: string; body?: unknown; apiKey?: string; surface?: string }
function post(
  key: string | undefined,
  { path = '/things', body = { name: 'a' }, apiKey = acme.apiKey, surface = '/api/external' }: Call = {},
) {
  return app.inject({
    method: 'POST',
    url: surface + path,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: JSON.stringify(body),
  })
}

/** Has the database's clock, by which keys are kept, show a later time. What is still running knows its claim no more. */
async function letPass(ms: number): Promise<void> {
  await database.systemPool.query(`update idempotency_keys set created_at = created_at - $1::int * interval '1 ms'`, [ms])
}

/** Waits until a slow request is being carried out, and returns what ends it. */
async function nextRunning(request?: PromiseLike<{ statusCode: number }>): Promise<() => void> {
  let status: number | undefined
  request?.then(({ statusCode }) => {
    status = statusCode
  })
  for (;;) {
    const finish = running.shift()
    if (finish !== undefined) return finish
    assert.equal(status, undefined, 'it was answered and not carried out')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function run(name: string, body: () => Promise<void>): void {
  test(name, async () => {
    carriedOut = 0
    now = START
    await body()
  })
}

run('a repeat with the same key and body gets the first answer, on both surfaces', async () => {
  for (const surface of ['/api/external', '/api/v1']) {
    carriedOut = 0
    const first = await post('k1', { surface })
    const repeat = await post('k1', { surface })
    assert.equal(carriedOut, 1)
    assert.deepEqual([repeat.statusCode, repeat.body], [200, first.body])
    assert.equal(repeat.headers['content-type'], first.headers['content-type'])
    assert.equal(first.headers['idempotency-replayed'], undefined)
    assert.equal(repeat.headers['idempotency-replayed'], 'true')
  }
})

run('without a key nothing is remembered', async () => {
  await post(undefined)
  await post(undefined)
  assert.equal(carriedOut, 2)
})

run('the order of keys in the body does not make it another body, another value does', async () => {
  await post('k2', { body: { name: 'a', deep: { x: 1, y: [1, 2] } } })
  const same = await post('k2', { body: { deep: { y: [1, 2], x: 1 }, name: 'a' } })
  assert.equal(same.headers['idempotency-replayed'], 'true')
  for (const body of [{ name: 'b' }, { name: 'a', deep: { x: 1, y: [2, 1] } }]) {
    const other = await post('k2', { body })
    assert.equal(other.statusCode, 422)
    assert.equal(other.json().error.code, 'idempotency_conflict')
  }
  assert.equal(carriedOut, 1)
})

run('another path, reseller or sub-client is another use of the same key', async () => {
  await database.tenant('acme', (db) =>
    db.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'sub', 'Sub')"),
  )
  const pinned = await createKey(database, 'acme', { name: 'p', scopes: ['*'], perMinute: 0, perDay: 0, subClientId: 'sub' }, now)
  const calls = [{}, { path: '/other-things' }, { apiKey: globex.apiKey }, { apiKey: pinned.apiKey }, { surface: '/api/v1' }]
  for (const call of calls) assert.equal((await post('k3', call)).headers['idempotency-replayed'], undefined)
  assert.equal(carriedOut, calls.length)
})

run('of 20 at once one is carried out; the others are answered that it runs, and later get its answer', async () => {
  const statuses: number[] = []
  const racing = Array.from({ length: 20 }, async () => {
    const { response } = await untilTaken(async () => {
      const answer = await post('k4', { path: '/slow' })
      return { response: answer, status: answer.statusCode }
    })
    statuses.push(response.statusCode)
    if (response.statusCode === 200) return
    assert.equal(response.json().error.code, 'idempotency_in_progress')
    assert.equal(response.headers['retry-after'], '1')
  })
  const finish = await nextRunning()
  while (statuses.length < 19) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(new Set(statuses), new Set([409]))
  finish()
  await Promise.all(racing)
  assert.deepEqual([carriedOut, statuses.at(-1)], [1, 200])
  assert.deepEqual((await post('k4', { path: '/slow' })).json(), { done: true })
})

run('a refusal is kept, also one of the body; a failure and a 429 are not', async () => {
  for (const [path, status, times] of [
    ['/refused', 409, 1],
    ['/failing', 500, 2],
    ['/busy', 429, 2],
  ] as const) {
    carriedOut = 0
    for (let i = 0; i < 2; i++) assert.equal((await post('k5', { path })).statusCode, status)
    assert.equal(carriedOut, times, path)
  }
  const invalid = await post('k5', { body: {} })
  assert.equal(invalid.statusCode, 400)
  assert.equal((await post('k5', { body: {} })).headers['idempotency-replayed'], 'true')
  assert.equal((await post('k5', { body: { name: 'mended' } })).statusCode, 422)
})

run('an answer is kept for 24 h and encrypted', async () => {
  const first = await post('k6')
  const { rows } = await database.systemPool.query<{ response: Buffer }>("select response from idempotency_keys where key = 'k6'")
  assert.equal(rows[0]?.response.includes('s3cret'), false)
  await letPass(24 * 3_600_000 - 60_000)
  assert.equal((await post('k6')).body, first.body)
  await letPass(60_000)
  assert.equal((await post('k6', { body: { name: 'b' } })).json().secret, 's3cret-2')
})

run('a request that died without an answer holds its key for a minute', async () => {
  const dead = post('k7', { path: '/slow' })
  const finishDead = await nextRunning()
  await letPass(30_000)
  assert.equal((await post('k7', { path: '/slow' })).statusCode, 409)
  await letPass(30_000)
  assert.equal((await post('k7', { path: '/slow', body: { other: true } })).statusCode, 422)
  const takeover = post('k7', { path: '/slow' })
  const finish = await nextRunning()
  assert.equal(carriedOut, 2)
  // The one thought dead answers after all: it must not end the claim of the one that took over.
  finishDead()
  await dead
  assert.equal((await post('k7', { path: '/slow' })).statusCode, 409)
  finish()
  assert.equal((await takeover).statusCode, 200)
  assert.equal((await post('k7', { path: '/slow' })).headers['idempotency-replayed'], 'true')
})

test('a request that runs for long renews its claim, so that no repeat is carried out beside it, and its answer is kept', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  carriedOut = 0
  const claimedAt = async () => {
    const { rows } = await database.systemPool.query<{ at: Date }>("select created_at as at from idempotency_keys where key = 'long'")
    return rows[0]?.at.getTime() ?? 0
  }
  const long = post('long', { path: '/slow' })
  const finish = await nextRunning(long)
  for (let renewals = 0; renewals < 3; renewals++) {
    const [before, countBefore] = [await claimedAt(), tenantCount]
    t.mock.timers.tick(20_000)
    // The next renewal waits from the answer on, which comes after the row is as others see it.
    for (const deadlineMs = performance.now() + 120_000; tenantCount === countBefore; ) {
      assert.ok(performance.now() < deadlineMs, 'nothing is renewed')
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.notEqual(await claimedAt(), before, 'the claim stays as it was')
  }
  assert.equal((await post('long', { path: '/slow' })).json().error.code, 'idempotency_in_progress')
  finish()
  assert.equal((await long).statusCode, 200)
  const kept = await claimedAt()
  t.mock.timers.tick(20_000)
  assert.deepEqual([(await post('long', { path: '/slow' })).headers['idempotency-replayed'], carriedOut], ['true', 1])
  assert.equal(await claimedAt(), kept, 'what is answered is renewed no more')
})

run('a process whose clock is off neither repeats a request, nor takes over one that runs, nor holds a dead one up', async () => {
  for (const offMs of [25 * 3_600_000, -25 * 3_600_000]) {
    const key = `off by ${offMs}`
    carriedOut = 0
    now = START
    const first = post(key, { path: '/slow' })
    const finish = await nextRunning(first)
    now = new Date(+START + offMs)
    assert.equal((await post(key, { path: '/slow' })).json().error.code, 'idempotency_in_progress')
    finish()
    await first
    assert.deepEqual([(await post(key, { path: '/slow' })).headers['idempotency-replayed'], carriedOut], ['true', 1])
    const dead = post(`dead ${key}`, { path: '/slow' })
    const finishDead = await nextRunning(dead)
    await letPass(60_000)
    now = START
    const takeover = post(`dead ${key}`, { path: '/slow' })
    for (const end of [finishDead, await nextRunning(takeover)]) end()
    assert.deepEqual([(await dead).statusCode, (await takeover).statusCode], [200, 200])
  }
})

run('a key that is empty, too long or not printable is refused', async () => {
  for (const key of ['', 'x'.repeat(256), 'tab\there', 'é']) {
    const response = await post(key)
    assert.equal(response.statusCode, 400, JSON.stringify(key))
    assert.equal(response.json().error.details.field, 'Idempotency-Key')
  }
  assert.equal((await post('x'.repeat(255))).statusCode, 200)
})

run('housekeeping deletes what has outlived its time, a bounded number at once', async () => {
  for (let i = 0; i < 5; i++) await post(`old ${i}`)
  await letPass(24 * 3_600_000)
  await post('young')
  let deleted = 0
  let batch = 0
  do {
    batch = await deleteExpiredIdempotencyKeysAcrossResellers(database.systemPool, IDEMPOTENCY_KEPT_MS, 3)
    assert.equal(batch <= 3, true)
    deleted += batch
  } while (batch > 0)
  assert.equal(deleted >= 5, true)
  assert.equal((await post('young')).headers['idempotency-replayed'], 'true')
})

test('a repeat of what was answered in parts is answered from what is stored, and carried out once', async () => {
  const before = carriedOut
  const answers = [await post('in-parts', { path: '/in-parts' }), await post('in-parts', { path: '/in-parts' })]
  assert.equal(carriedOut, before + 1)
  assert.deepEqual(
    answers.map(({ statusCode, body, headers }) => [statusCode, body, headers['idempotency-replayed']]),
    [
      [200, `made of thing-${carriedOut}.`, undefined],
      [200, `made of thing-${carriedOut}.`, 'true'],
    ],
  )
})
