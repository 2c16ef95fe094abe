import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxText, contains } from './box.ts'

const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north })

test('one box contains another, also across the antimeridian', () => {
  assert.equal(contains(box(0, 0, 10, 10), box(2, 2, 8, 8)), true)
  assert.equal(contains(box(0, 0, 10, 10), box(2, 2, 11, 8)), false)
  assert.equal(contains(box(0, 0, 10, 10), box(2, -1, 8, 8)), false)
  assert.equal(contains(box(170, 0, -170, 10), box(175, 0, 179, 10)), true)
  assert.equal(contains(box(170, 0, -170, 10), box(-175, 0, -172, 10)), true)
  assert.equal(contains(box(170, 0, -170, 10), box(175, 0, -165, 10)), false)
  assert.equal(contains(box(0, 0, 10, 10), box(5, 0, -5, 10)), false)
})

test('a box is written for the service to about ten metres', () => {
  assert.equal(boxText(box(-0.123456, 48, 7.1, 50.00001)), '-0.1235,48,7.1,50')
})
