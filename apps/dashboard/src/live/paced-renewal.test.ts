import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { PacedRenewal } from './paced-renewal.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
afterEach(() => mock.timers.reset())

function pace() {
  const renewed: string[] = []
  return { renewed, renewal: new PacedRenewal((key) => renewed.push(key.join(' ')), Date.now) }
}

test('what comes together is asked for once and at once, and a thousand events a second once a second', () => {
  const { renewed, renewal } = pace()
  for (let ms = 0; ms < 10_000; ms++) {
    renewal.note(['incidents'])
    mock.timers.tick(1)
  }
  assert.equal(renewed.length, 10)
  mock.timers.tick(60_000)
  assert.equal(renewed.length, 11, 'the last event is not forgotten')
})

test('another key does not wait for one that was just renewed', () => {
  const { renewed, renewal } = pace()
  renewal.note(['vehicles'])
  mock.timers.tick(50)
  renewal.note(['vehicles'])
  renewal.note(['health', 'veh-1'])
  mock.timers.tick(50)
  assert.deepEqual(renewed, ['vehicles', 'health veh-1'])
  mock.timers.tick(9_899)
  assert.equal(renewed.length, 2)
  mock.timers.tick(51)
  assert.deepEqual(renewed, ['vehicles', 'health veh-1', 'vehicles'])
})

test('nothing is renewed after it was stopped', () => {
  const { renewed, renewal } = pace()
  renewal.note(['incidents'])
  renewal.stop()
  mock.timers.tick(60_000)
  assert.deepEqual(renewed, [])
})
