// Goal: endpoints that drag cannot take all slots, whether it is known of them or not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AttemptSlots } from './attempt-slots.ts'

const brisk = (nth: number) => ({ endpointId: `whe-${nth}`, isDegraded: false })

test('attempts that take long count as degraded while they last, and their endpoint until it is quicker', () => {
  const slots = new AttemptSlots()
  const ends = Array.from({ length: 60 }, (_, nth) => slots.take(brisk(nth), 0))
  assert.deepEqual(slots.left(2_000), { room: 140, degradedRoom: 100, furtherRoom: 40, slowEndpointIds: [] })
  const { degradedRoom, slowEndpointIds } = slots.left(2_001)
  assert.deepEqual([degradedRoom, slowEndpointIds.length], [40, 60])
  for (const end of ends) end(15_000)
  assert.deepEqual([slots.left(15_000).degradedRoom, slots.left(15_000).slowEndpointIds.length], [100, 60])
  const [first] = slots.left(15_000).slowEndpointIds
  assert.equal(first, 'whe-0')
  slots.take(brisk(0), 15_000)(15_100)
  assert.ok(!slots.left(15_100).slowEndpointIds.includes('whe-0'))
  assert.equal(slots.takenCount, 0)
})

test('those that are degraded leave half, and beyond half only first slots are given', () => {
  const slots = new AttemptSlots()
  for (let nth = 0; nth < 100; nth++) slots.take({ endpointId: `whe-${nth}`, isDegraded: true }, 0)
  assert.deepEqual(slots.left(0), { room: 100, degradedRoom: 0, furtherRoom: 0, slowEndpointIds: [] })
})
