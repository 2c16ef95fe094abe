import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '@roadworthy/contracts/webhooks/events'
import { keysOfEvent } from './keys-of-event.ts'

test('every type of event makes something old', () => {
  for (const type of eventTypes) assert.ok(keysOfEvent(type, {}).length > 0, type)
})

test('what is of one vehicle is asked for again of that vehicle only', () => {
  assert.deepEqual(keysOfEvent('prediction.created', { vehicleId: 'veh-1' }), [
    ['health', 'veh-1'],
    ['predictions', 'veh-1'],
  ])
  assert.deepEqual(keysOfEvent('alert.created', { vehicleId: null }), [['incidents'], ['incident'], ['health']])
  assert.deepEqual(keysOfEvent('something.new', {}), [])
})
