import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsOf, commandOf, neighbour, placeAfter } from './offered-actions.ts'

test('an incident offers what the service allows in its status, and work only of a vehicle', () => {
  const rest = ['snooze', 'assign', 'false_alarm', 'close']
  assert.deepEqual(actionsOf({ status: 'open', vehicleId: 'veh-1' }), ['acknowledge', 'plan', 'done', ...rest])
  assert.deepEqual(actionsOf({ status: 'acknowledged', vehicleId: null }), ['reopen', ...rest])
  assert.deepEqual(actionsOf({ status: 'snoozed', vehicleId: null }), ['acknowledge', 'reopen', ...rest])
  assert.deepEqual(actionsOf({ status: 'resolved', vehicleId: 'veh-1' }), [])
})

test('keys are commands, unless text is typed or the browser is meant', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false }
  assert.equal(commandOf({ ...plain, key: 'j' }, false), 'next')
  assert.equal(commandOf({ ...plain, key: '?' }, false), 'help')
  assert.equal(commandOf({ ...plain, key: 'e' }, true), undefined)
  assert.equal(commandOf({ ...plain, key: 'k', ctrlKey: true }, false), undefined)
  assert.equal(commandOf({ ...plain, key: 'toString' }, false), undefined)
})

test('rows are walked through in their order, and the ends hold', () => {
  const ids = ['a', 'b', 'c']
  assert.equal(neighbour(ids, undefined, 'next'), 'a')
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => neighbour(ids, id, 'next')),
    ['b', 'c', 'c'],
  )
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => neighbour(ids, id, 'previous')),
    ['a', 'a', 'b'],
  )
  assert.equal(neighbour(ids, 'gone', 'next'), 'a')
  assert.equal(neighbour([], undefined, 'next'), undefined)
})

test('after a row that left the list comes the next one that is still there, or the last', () => {
  assert.equal(placeAfter(['a', 'b', 'c', 'd'], ['a', 'd'], 'b'), 'd')
  assert.equal(placeAfter(['a', 'b'], ['a'], 'b'), 'a')
  assert.equal(placeAfter(['a'], [], 'a'), undefined)
})
