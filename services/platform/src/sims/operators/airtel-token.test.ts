import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenSource } from './airtel-token.ts'
import { type Exchange, ExchangeError } from './exchange.ts'

const signal = new AbortController().signal

function sourceWith(expiresIn: unknown = 1800) {
  let [nowMs, fetched] = [Date.UTC(2026, 10, 10), 0]
  let isDown = false
  const exchange: Exchange = async () => {
    fetched++
    if (isDown) throw new ExchangeError('refused', { hasLeft: false })
    return {
      status: 200,
      retryAfterMs: undefined,
      date: undefined,
      text: JSON.stringify({ access_token: `token-${fetched}`, expires_in: expiresIn }),
    }
  }
  const tokens = createTokenSource({ exchange, headers: {}, clientId: 'c', clientSecret: 's', now: () => new Date(nowMs) })
  return {
    tokens,
    fetchCount: () => fetched,
    pass: (ms: number) => {
      nowMs += ms
    },
    setDown: (down: boolean) => {
      isDown = down
    },
  }
}

test('a token serves until a minute before its end, and no refused call is needed to replace it', async () => {
  const { tokens, fetchCount, pass } = sourceWith()
  assert.equal(await tokens.get(signal), 'token-1')
  pass(1_739_000)
  assert.equal(await tokens.get(signal), 'token-1')
  pass(2_000)
  assert.equal(await tokens.get(signal), 'token-2')
  assert.equal(fetchCount(), 2)
})

test('a life that is not stated is short, and no life is longer than a day', async () => {
  for (const [given, servesMs] of [
    ['for ever', 240_000],
    [1e12, 86_340_000],
    ['1800', 1_740_000],
  ] as const) {
    const { tokens, fetchCount, pass } = sourceWith(given)
    await tokens.get(signal)
    pass(servesMs - 1)
    await tokens.get(signal)
    assert.equal(fetchCount(), 1)
    pass(1)
    await tokens.get(signal)
    assert.equal(fetchCount(), 2)
  }
})

test('callers at the same time share one fetch, and one that fails is not kept', async () => {
  const { tokens, fetchCount, setDown } = sourceWith()
  assert.deepEqual(await Promise.all([tokens.get(signal), tokens.get(signal), tokens.get(signal)]), ['token-1', 'token-1', 'token-1'])
  assert.equal(fetchCount(), 1)
  tokens.drop('another')
  await tokens.get(signal)
  assert.equal(fetchCount(), 1)
  tokens.drop('token-1')
  setDown(true)
  await assert.rejects(tokens.get(signal), /No answer: refused/)
  setDown(false)
  assert.equal(await tokens.get(signal), 'token-3')
})
