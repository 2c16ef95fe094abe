import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coversShown, MAX_NAMED, streamUrl, unionOfShown } from './shown.ts'

const box = { west: 7, south: 48, east: 9, north: 50 }

test('the parts of a page are followed together, once each, up to the limit of a stream', () => {
  assert.deepEqual(unionOfShown([{ vehicleIds: ['b', 'a'] }, { box }, { vehicleIds: ['a'] }]), { vehicleIds: ['a', 'b'], box })
  const many = Array.from({ length: 600 }, (_, index) => `veh-${index}`)
  const all = unionOfShown([{ vehicleIds: many }, { vehicleIds: ['selected'] }]).vehicleIds
  assert.equal(all?.length, MAX_NAMED)
  assert.ok(all.includes('selected'), 'the smallest part counts most')
  assert.equal(streamUrl(unionOfShown([]), undefined), '/api/v1/stream')
})

test('a stream covers what is in its list and its box', () => {
  const opened = { vehicleIds: ['a', 'b'], box }
  assert.equal(coversShown(opened, { vehicleIds: ['b'] }), true)
  assert.equal(coversShown(opened, { vehicleIds: ['c'] }), false)
  assert.equal(coversShown(opened, { box: { west: 7.5, south: 48.5, east: 9, north: 49 } }), true)
  assert.equal(coversShown(opened, { box: { west: 6.9, south: 48.5, east: 8, north: 49 } }), false)
  assert.equal(coversShown({}, { box }), false)
})
