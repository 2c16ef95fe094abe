import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailureBan } from './failure-ban.ts'

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
