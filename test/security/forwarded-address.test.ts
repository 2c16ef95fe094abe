// Goal: a made-up X-Forwarded-For buys no more guesses of an API key, and blames nobody else. Method: bad keys through the real gate, with
// proxies that append the address they were called from, as proxies do.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApi, openTestDatabaseAndApi } from '@roadworthy/platform/surfaces/test-api'

const LIMIT = 3
const PROXY = '10.0.0.5'
const now = new Date()
const options = { authFailuresPerMinute: LIMIT, now: () => now }
const behindProxy = await openTestDatabaseAndApi({ after }, { ...options, trustProxy: ['10.0.0.0/8'] })
const open = await openTestApi({ after }, behindProxy.database, options)

type Guess = { app: typeof open.app; socket: string; forwardedFor: string }
let guessCount = 0

async function guess({ app, socket, forwardedFor }: Guess): Promise<number> {
  const key = `rw_live_${String(guessCount++).padStart(43, '0')}`
  const headers = { 'x-api-key': key, 'x-forwarded-for': forwardedFor }
  return (await app.inject({ url: '/api/v1/api-keys', remoteAddress: socket, headers })).statusCode
}

/** How many of ten guesses are heard, each with another made-up part of the header. */
async function heard(about: (i: number) => Guess): Promise<number> {
  let count = 0
  for (let i = 0; i < 10; i++) if ((await guess(about(i))) === 401) count++
  return count
}

test('what a caller writes in front of its address does not give it more guesses', async () => {
  const { app } = behindProxy
  assert.equal(await heard((i) => ({ app, socket: PROXY, forwardedFor: `198.51.100.${i}, 203.0.113.1` })), LIMIT)
})

test('a caller that claims to be of this machine is limited as any other', async () => {
  const { app } = behindProxy
  assert.equal(await heard(() => ({ app, socket: PROXY, forwardedFor: '127.0.0.1, 203.0.113.2' })), LIMIT)
  // From inside the network of the proxies, with nobody behind it to append the truth.
  assert.equal(await heard(() => ({ app, socket: '10.0.0.66', forwardedFor: '127.0.0.1' })), LIMIT)
  assert.equal(await heard(() => ({ app, socket: '10.0.0.67', forwardedFor: '::1' })), LIMIT)
})

test('a caller that comes past the proxies, or where there are none, is counted by its socket', async () => {
  for (const { app } of [behindProxy, open]) {
    assert.equal(await heard((i) => ({ app, socket: '203.0.113.3', forwardedFor: `198.51.100.${i}` })), LIMIT)
    assert.equal(await heard(() => ({ app, socket: '203.0.113.4', forwardedFor: '127.0.0.1' })), LIMIT)
  }
})

test('who has a /64 of addresses has one count', async () => {
  assert.equal(await heard((i) => ({ app: open.app, socket: `2001:db8:1:2:${i}::1`, forwardedFor: '' })), LIMIT)
})

test('callers behind one proxy are counted apart', async () => {
  const { app } = behindProxy
  assert.equal(await heard((i) => ({ app, socket: PROXY, forwardedFor: `203.0.113.${100 + i}` })), 10)
})
