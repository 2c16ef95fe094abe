import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offeredActions } from './sim-actions.ts'

const labels = (
  status: 'active' | 'suspended' | 'terminating' | 'terminated',
  possible: Parameters<typeof offeredActions>[0]['possible'],
) => offeredActions({ status, possible, pending_action: null }).map(({ label }) => label)

test('what is possible by the service is offered, in words for the state it is in', () => {
  assert.deepEqual(labels('active', ['suspended', 'safe_custody', 'terminating']), ['Suspend', 'Safe custody', 'Terminate'])
  assert.deepEqual(labels('suspended', ['active', 'safe_custody', 'terminating']), ['Resume', 'Safe custody', 'Terminate'])
  assert.deepEqual(labels('suspended', ['terminating']), ['Terminate'], 'the operator suspended it')
  assert.deepEqual(labels('terminating', ['suspended']), ['Take termination back'])
  assert.deepEqual(labels('terminated', []), [])
})

test('nothing is offered while the operator is asked for something', () => {
  assert.deepEqual(offeredActions({ status: 'active', possible: ['suspended'], pending_action: 'suspend' }), [])
})
