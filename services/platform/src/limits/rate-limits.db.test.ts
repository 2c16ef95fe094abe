// Goal: the limits of spec §8 through HTTP, exact at their edges, over several connections, across a restart and between two processes.

import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createKey } from '../keys/keys.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase } from '../test-support.ts'
import { defaultPlans } from './plans.ts'

const things: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/things', { config: { scope: 'devices:read' } }, async () => ({ ok: true }))
}

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const START = new Date('2026-03-01T12:00:00.000Z')
let now = START
const options = { external: [things], platform: [things], now: () => now }
const { app } = await openTestApi(cleanUp, database, options)
await insertResellerWithKey(database, 'acme')

async function newKey(limits: { perMinute?: number; perDay?: number } = {}): Promise<string> {
  const { apiKey } = await createKey(database, 'acme', { name: 'limited', scopes: ['*'], ...limits }, START)
  now = START
  return apiKey
}

const call = (apiKey: string, url = '/api/external/things', on = app) => on.inject({ method: 'GET', url, headers: { 'x-api-key': apiKey } })

test('a key has 60 requests a minute on the External API unless it has its own limit, and gets how many are left', async () => {
  const apiKey = await newKey()
  for (let i = 1; i <= 60; i++) {
    const response = await call(apiKey)
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['ratelimit-policy'], '"minute";q=60;w=60, "day";q=5000;w=86400')
    assert.equal(response.headers['ratelimit'], `"minute";r=${60 - i};t=60`)
  }
  now = new Date(+START + 12_345)
  const refused = await call(apiKey)
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '48')
  assert.equal(refused.headers['ratelimit'], '"minute";r=0;t=48')
  assert.deepEqual(
    { ...refused.json().error, request_id: '' },
    {
      code: 'rate_limit_exceeded',
      message: 'More than 60 requests in 60 seconds with this key.',
      request_id: '',
      details: { policy: 'minute', limit: 60 },
      retry_after: 48,
    },
  )
  now = new Date(+now + 48_000)
  assert.equal((await call(apiKey)).statusCode, 200, 'let in after the returned wait')
})

test('the 5001st request of a UTC day is refused until midnight', async () => {
  const apiKey = await newKey({ perMinute: 0 })
  now = new Date('2026-03-01T23:50:00.000Z')
  for (let i = 1; i <= 5_000; i++) assert.equal((await call(apiKey)).statusCode, 200, `request ${i}`)
  const refused = await call(apiKey)
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['retry-after'], '600')
  assert.equal(refused.headers['ratelimit-policy'], '"day";q=5000;w=86400')
  now = new Date('2026-03-02T00:00:00.000Z')
  assert.equal((await call(apiKey)).headers['ratelimit'], '"day";r=4999;t=86400')
})

test('over 8 connections at once exactly the limit is accepted', async (t) => {
  const apiKey = await newKey()
  const served = await openTestApi(t, database, options)
  await served.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = served.app.server.address() as AddressInfo
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
  t.after(() => agent.destroy())
  const statuses = await Promise.all(
    Array.from({ length: 160 }, () => {
      return new Promise<number>((resolve, reject) => {
        const request = http.get(
          { port, host: '127.0.0.1', path: '/api/external/things', agent, headers: { 'x-api-key': apiKey } },
          (response) => {
            response.resume()
            response.on('end', () => resolve(response.statusCode ?? 0))
          },
        )
        request.on('error', reject)
      })
    }),
  )
  assert.equal(statuses.filter((status) => status === 200).length, 60)
  assert.equal(statuses.filter((status) => status === 429).length, 100)
})

test('requests refused for another reason after admission count, those refused by the limit do not', async () => {
  const apiKey = await newKey({ perMinute: 2 })
  assert.equal((await call(apiKey, '/api/v1/api-keys?limit=0')).statusCode, 400)
  assert.equal((await call(apiKey)).headers['ratelimit'], '"minute";r=0;t=60')
  now = new Date(+START + 59_000)
  assert.equal((await call(apiKey)).statusCode, 429)
  now = new Date(+START + 60_000)
  assert.equal((await call(apiKey)).statusCode, 200)
})

test("a plan's defaults hold on the External API only, a key's own limits on both with one count", async () => {
  const byPlan = await newKey()
  for (let i = 0; i < 70; i++) {
    const response = await call(byPlan, '/api/v1/things')
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['ratelimit'], undefined)
  }
  const own = await newKey({ perMinute: 3 })
  for (const surface of ['external', 'v1', 'external']) assert.equal((await call(own, `/api/${surface}/things`)).statusCode, 200)
  const refused = await call(own, '/api/v1/things')
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.json().error.retry_after, 60)
})

test('a key with limits of 0 is not limited and gets no headers', async () => {
  const apiKey = await newKey({ perMinute: 0, perDay: 0 })
  for (let i = 0; i < 100; i++) assert.equal((await call(apiKey)).statusCode, 200)
  assert.equal((await call(apiKey)).headers['ratelimit-policy'], undefined)
})

test('limits can be set for a plan', async (t) => {
  const plans = { ...defaultPlans, enterprise: { ...defaultPlans.enterprise, perMinute: 2 } }
  const { app: other } = await openTestApi(t, database, { ...options, plans })
  const apiKey = await newKey()
  for (const expected of [200, 200, 429]) assert.equal((await call(apiKey, undefined, other)).statusCode, expected)
})

test('a restart forgets nothing that was written, and closing writes it', async (t) => {
  const apiKey = await newKey({ perMinute: 5, perDay: 8 })
  const stopped: (() => Promise<void>)[] = []
  const first = await openTestApi({ after: (stop) => stopped.push(stop) }, database, options)
  for (let i = 0; i < 4; i++) assert.equal((await call(apiKey, undefined, first.app)).statusCode, 200)
  for (const stop of stopped) await stop()

  const second = await openTestApi(t, database, options)
  now = new Date(+START + 30_000)
  assert.equal((await call(apiKey, undefined, second.app)).headers['ratelimit'], '"minute";r=0;t=30')
  assert.equal((await call(apiKey, undefined, second.app)).statusCode, 429)
  now = new Date(+START + 60_000)
  for (const expected of [200, 200, 200, 429]) assert.equal((await call(apiKey, undefined, second.app)).statusCode, expected)
})

test('two processes learn of what the other accepted when they write', async (t) => {
  const apiKey = await newKey({ perMinute: 10 })
  const first = await openTestApi(t, database, options)
  const second = await openTestApi(t, database, options)
  // The second holds its window before the first writes, and has calls to write after that, whenever else the two write.
  for (const { app: each } of [first, second]) await call(apiKey, undefined, each)
  for (let i = 0; i < 2; i++) await call(apiKey, undefined, first.app)
  await first.access.flush()
  for (let i = 0; i < 3; i++) await call(apiKey, undefined, second.app)
  await second.access.flush()
  assert.match(String((await call(apiKey, undefined, second.app)).headers['ratelimit']), /^"minute";r=2;/)
  await call(apiKey, undefined, first.app)
  await first.access.flush()
  assert.match(String((await call(apiKey, undefined, first.app)).headers['ratelimit']), /^"minute";r=[01];/)
})
