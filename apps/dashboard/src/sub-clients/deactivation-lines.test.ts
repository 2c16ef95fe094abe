import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deactivationLines } from './deactivation-lines.ts'

test('what deactivating does is shown in numbers, for one and for many', () => {
  assert.deepEqual(deactivationLines({ devices: 1, sims: 0, vehicles: 2, people: 1 }), [
    '1 device leaves it and belongs to no sub-client.',
    '2 vehicles stay with it and can be read, not changed.',
    '1 person who sees only this sub-client can still read.',
  ])
  assert.deepEqual(deactivationLines({ devices: 0, sims: 0, vehicles: 0, people: 0 }).length, 1)
  assert.match(deactivationLines({ devices: 12, sims: 0, vehicles: 0, people: 0 })[0] ?? '', /^12 devices leave it and belong to/)
})
