import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailureBan, RateLimit } from './attempt-limits.ts'

test('a rate lets a burst through at once and then one event per spacing', () => {
  const rate = new RateLimit(10, 3)
  assert.deepEqual(
    [0, 0, 0, 0, 99, 100, 100, 200].map((nowMs) => rate.admits('a', nowMs)),
    [true, true, true, false, false, true, false, true],
  )
  assert.equal(rate.admits('b', 0), true)
})

test('delays keep events at the rate and in their order', () => {
  const rate = new RateLimit(10, 2)
  assert.deepEqual(
    [0, 0, 0, 0, 150].map((nowMs) => rate.delayMs('a', nowMs)),
    [0, 0, 100, 200, 150],
  )
})

test('a rate of 0 is no limit', () => {
  const rate = new RateLimit(0, 0)
  assert.ok(Array.from({ length: 1_000 }).every(() => rate.admits('a', 0) && rate.delayMs('a', 0) === 0))
})

test('too many failures within a minute bring a ban, which ends', () => {
  const ban = new FailureBan(3, 300_000)
  assert.deepEqual([ban.fail('a', 0), ban.fail('a', 1), ban.fail('a', 2)], [false, false, true])
  assert.equal(ban.isBanned('a', 300_001), true)
  assert.equal(ban.isBanned('b', 3), false)
  assert.equal(ban.isBanned('a', 300_002), false)
})

test('failures that are spread out, or forgotten by a success, bring no ban', () => {
  const ban = new FailureBan(3, 300_000)
  for (const nowMs of [0, 59_000, 61_000, 119_000, 125_000]) ban.fail('slow', nowMs)
  assert.equal(ban.isBanned('slow', 125_000), false)
  ban.fail('a', 0)
  ban.fail('a', 0)
  ban.forget('a')
  ban.fail('a', 0)
  assert.equal(ban.isBanned('a', 1), false)
})

test('strangers are remembered up to a limit, the newest longest', () => {
  const ban = new FailureBan(1, 300_000)
  for (let i = 0; i < 10_001; i++) ban.fail(`user-${i}`, 0)
  assert.equal(ban.isBanned('user-10000', 1), true)
  assert.equal(ban.isBanned('user-0', 1), false)
})
