// Goal: endpoints that drag cannot take all places, whether it is known of them or not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Places } from './places.ts'

const brisk = (nth: number) => ({ endpointId: `whe-${nth}`, isHesitant: false })

test('attempts that take long count as hesitant while they last, and their endpoint until it is quicker', () => {
  const places = new Places()
  const ends = Array.from({ length: 60 }, (_, nth) => places.take(brisk(nth), 0))
  assert.deepEqual(places.left(2_000), { room: 140, hesitantRoom: 100, furtherRoom: 40, slowEndpointIds: [] })
  const { hesitantRoom, slowEndpointIds } = places.left(2_001)
  assert.deepEqual([hesitantRoom, slowEndpointIds.length], [40, 60])
  for (const end of ends) end(15_000)
  assert.deepEqual([places.left(15_000).hesitantRoom, places.left(15_000).slowEndpointIds.length], [100, 60])
  const [first] = places.left(15_000).slowEndpointIds
  assert.equal(first, 'whe-0')
  places.take(brisk(0), 15_000)(15_100)
  assert.ok(!places.left(15_100).slowEndpointIds.includes('whe-0'))
  assert.equal(places.takenCount, 0)
})

test('those that are known to hesitate leave half, and beyond half only first places are given', () => {
  const places = new Places()
  for (let nth = 0; nth < 100; nth++) places.take({ endpointId: `whe-${nth}`, isHesitant: true }, 0)
  assert.deepEqual(places.left(0), { room: 100, hesitantRoom: 0, furtherRoom: 0, slowEndpointIds: [] })
})
