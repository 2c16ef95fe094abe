import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitState, usedUpAtMs } from './limit-use.ts'

test('a limit is near from 80 % on and used up from 100 % on; one of 0 is used up from the start', () => {
  assert.deepEqual(
    [limitState(79, 100), limitState(80, 100), limitState(99, 100), limitState(100, 100), limitState(0, 0)],
    ['fine', 'near', 'near', 'used up', 'used up'],
  )
})

test('it is shown when a limit is used up at this rate, if that is within the month', () => {
  const november = { from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' }
  const at = (used: number, limit: number, now: string) => {
    const atMs = usedUpAtMs(used, limit, november, Date.parse(now))
    return atMs === undefined ? undefined : new Date(atMs).toISOString()
  }
  assert.equal(at(50, 100, '2026-11-11T00:00:00.000Z'), '2026-11-21T00:00:00.000Z')
  assert.equal(at(33, 100, '2026-11-11T00:00:00.000Z'), undefined, 'not before December')
  assert.equal(at(100, 100, '2026-11-11T00:00:00.000Z'), undefined, 'it is used up already')
  assert.equal(at(0, 100, '2026-11-11T00:00:00.000Z'), undefined)
  assert.equal(at(1, 100, '2026-11-01T00:00:00.000Z'), undefined, 'no time has passed to go by')
})
