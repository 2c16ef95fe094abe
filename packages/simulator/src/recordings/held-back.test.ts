import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashShareOf, isHeldBack } from './held-back.ts'

const trips = Array.from({ length: 2000 }, (_, index) => `trip${index}.csv.gz`)

test('about the asked share of trips is held back', () => {
  for (const share of [0, 0.3, 1]) {
    const found = trips.filter((trip) => isHeldBack(trip, share)).length / trips.length
    assert.ok(Math.abs(found - share) < 0.04, `${found} of ${share}`)
  }
})

test('a trip keeps its place wherever it lies and however it is compressed', () => {
  assert.equal(hashShareOf('live1'), hashShareOf('/data/carobd/live1.csv.gz'))
  assert.equal(hashShareOf('live1'), hashShareOf('live1.csv'))
  assert.notEqual(hashShareOf('live1'), hashShareOf('live2'))
})
