import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from '@roadworthy/service-kit/postgres/hash-text'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { NodeGate } from './node-gate.ts'
import type { NodeShards } from './reach.sql.ts'
import { Reach } from './reach.ts'

const SMALLEST = -(2 ** 31)
const LARGEST = 2 ** 31 - 1

/** The first has sources whose hash is negative. */
const [first, second] = [
  [SMALLEST, -1],
  [0, LARGEST],
].map(([from = 0, to = 0], nth): NodeShards => {
  return { host: `db-${nth}`, port: 5432, shards: [{ from, to, latestStates: `latest_states_${nth}`, effects: `reading_effects_${nth}` }] }
})
const names = Array.from({ length: 40 }, (_, nth) => `source-${nth}`)
const onFirst = names.filter((name) => hashText(name) < 0)
const onSecond = names.filter((name) => hashText(name) >= 0)

function closedGate() {
  assert.ok(first !== undefined && second !== undefined)
  const gate = new NodeGate()
  let refusedCount = 0
  gate.watch({ onTimeout: () => assert.fail('nothing took too long'), onRefused: () => refusedCount++ })
  gate.close(new Reach([first], [second]))
  return { gate, refusedCount: () => refusedCount }
}

test('while a node hangs, statements that need it are refused as an outage, and each asks whether it is back', () => {
  const { gate, refusedCount } = closedGate()
  const needingAll = [
    'select count(*) from latest_states',
    'with heard as (select source_id from readings r) select from heard',
    'delete from readings where recorded_at < $1',
    'update latest_states l set due = false',
    'insert into readings (source_id) values ($1)',
    'select from vehicles v join latest_states l using (vehicle_id)',
  ]
  for (const text of needingAll) assert.ok(isOutage(gate.refusalOf(text, ['source-0'])), text)
  assert.equal(refusedCount(), needingAll.length)
})

test('statements that name their sources are let through where none is on the node, and so is what is on the coordinator', () => {
  const { gate, refusedCount } = closedGate()
  const ofSources = 'select * from readings r where r.reseller_id = $1 and r.source_id = any ($2)'
  assert.equal(gate.refusalOf(ofSources, ['acme', onFirst]), undefined)
  assert.equal(gate.refusalOf('select * from readings where source_id = $1', onFirst), undefined)
  for (const text of ['select * from alerts', 'select readings from reports', 'select from readings_files']) {
    assert.equal(gate.refusalOf(text, undefined), undefined, text)
  }
  assert.equal(refusedCount(), 0)
  assert.ok(isOutage(gate.refusalOf(ofSources, ['acme', [...onFirst, ...onSecond.slice(0, 1)]])))
  assert.ok(isOutage(gate.refusalOf('select * from readings where source_id = $1', onSecond)))
})

test('it is open until a statement has waited in vain, and again when every node answers', () => {
  assert.ok(first !== undefined && second !== undefined)
  const gate = new NodeGate()
  const all = 'select count(*) from latest_states'
  // A node that refuses is noticed by what needs it.
  gate.update(new Reach([first], [second]))
  assert.equal(gate.refusalOf(all, []), undefined)
  gate.close(new Reach([first], [second]))
  assert.ok(isOutage(gate.refusalOf(all, [])))
  gate.update(undefined)
  assert.equal(gate.refusalOf(all, []), undefined)
})
