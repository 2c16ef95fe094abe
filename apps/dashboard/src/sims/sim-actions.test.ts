import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offeredActions, offeredForMany } from './sim-actions.ts'

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

test('of many, an action is offered that at least one allows, with how many do', () => {
  const active = { status: 'active', possible: ['suspended', 'terminating'], pending_action: null } as const
  const parked = { status: 'safe_custody', possible: ['active', 'terminating'], pending_action: null } as const
  const ending = { status: 'terminating', possible: ['active'], pending_action: null } as const
  const writable = [active, active, parked, ending].map((sim) => ({ ...sim, possible: [...sim.possible] }))
  assert.deepEqual(
    offeredForMany(writable).map(({ label, possibleCount, color }) => [label, possibleCount, color]),
    [
      ['Activate or resume', 2, undefined],
      ['Suspend', 2, undefined],
      ['Terminate', 3, 'red'],
    ],
  )
  assert.deepEqual(offeredForMany([]), [])
})
