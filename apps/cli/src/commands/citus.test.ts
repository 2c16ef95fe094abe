import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLack } from './citus.ts'

test('what comes back from the workers has to fit on the disk of the coordinator, where that can be seen', () => {
  const folder = '/var/lib/postgresql/data'
  assert.equal(describeLack(2_000_000, { folder, freeBytes: 2_000_000 }), undefined)
  assert.equal(describeLack(2_000_000, undefined), undefined)
  assert.equal(
    describeLack(2_000_000, { folder, freeBytes: 1_900_000 }),
    '2.0 MB are to come back, and 1.9 MB are free at /var/lib/postgresql/data of the coordinator. Make room there, or enlarge its disk.',
  )
})
