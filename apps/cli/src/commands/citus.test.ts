import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLack, describeReturn, wentAway } from './citus.ts'

test('what comes back from the workers has to fit on the disk of the coordinator, where that can be seen', () => {
  const folder = '/var/lib/postgresql/data'
  assert.equal(describeLack(2_000_000, { folder, freeBytes: 2_000_000 }), undefined)
  assert.equal(describeLack(2_000_000, undefined), undefined)
  assert.equal(
    describeLack(2_000_000, { folder, freeBytes: 1_900_000 }),
    '2.0 MB are to come back, and 1.9 MB are free at /var/lib/postgresql/data of the coordinator. Make room there, or enlarge its disk.',
  )
})

test('citus undo reports nodes that have still to remove what they had, and does not claim that they have nothing', () => {
  const returned = [{ name: 'readings', rows: 3 }]
  assert.equal(describeReturn(returned, []), 'readings: 3 rows came back\nThe workers have nothing of it any more.')
  assert.match(describeReturn(returned, ['a:1', 'b:2']), /^readings: 3 rows came back\nThe files of the shards are still on a:1, b:2: /)
  assert.equal(describeReturn([], []), 'Everything is on one PostgreSQL already.')
  assert.match(describeReturn([], ['a:1']), /^Everything is on one PostgreSQL already\.\nThe files of the shards are still on a:1: /)
})

test('a coordinator that goes away under a command is not one that refuses it or cannot be reached', () => {
  const reported = (code: string, severity: string, message = 'of PostgreSQL') => Object.assign(new Error(message), { code, severity })
  assert.ok(wentAway(new Error('Connection terminated unexpectedly')))
  assert.ok(wentAway(reported('57P01', 'FATAL')))
  assert.ok(wentAway(reported('XX000', 'ERROR', 'postmaster was shut down, exiting')))
  assert.ok(wentAway(reported('XX000', 'PANIC')))
  assert.ok(!wentAway(reported('28P01', 'FATAL')))
  assert.ok(!wentAway(reported('57P03', 'FATAL')))
  assert.ok(!wentAway(reported('XX000', 'ERROR')))
  assert.ok(!wentAway(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })))
  assert.ok(!wentAway(new Error('of 3 rows, 2 came back')))
})
