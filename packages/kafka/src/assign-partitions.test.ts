import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterMetadata } from '@platformatic/kafka'
import { assignBySubscription } from './assign-partitions.ts'

const member = (memberId: string, ...topics: string[]) => [memberId, { memberId, version: 0, topics }] as const
const metadata = (counts: Record<string, number>) =>
  ({ topics: new Map(Object.entries(counts).map(([name, partitionsCount]) => [name, { partitionsCount }])) }) as unknown as ClusterMetadata
const assign = (members: readonly ReturnType<typeof member>[], counts: Record<string, number>) =>
  Object.fromEntries(
    assignBySubscription('a', new Map(members), new Set(['one']), metadata(counts)).map(({ memberId, assignments }) => [
      memberId,
      Object.fromEntries([...assignments].map(([topic, { partitions }]) => [topic, partitions])),
    ]),
  )

test('members of one topic share its partitions, whoever leads', () => {
  assert.deepEqual(assign([member('b', 'one'), member('a', 'one')], { one: 5 }), { a: { one: [0, 2, 4] }, b: { one: [1, 3] } })
})

test('members of different topics have all of their own and none of the other’s', () => {
  assert.deepEqual(assign([member('a', 'one'), member('b', 'two')], { one: 2, two: 3 }), { a: { one: [0, 1] }, b: { two: [0, 1, 2] } })
})

test('more members than partitions leave some without', () => {
  assert.deepEqual(assign([member('a', 'one'), member('b', 'one')], { one: 1 }), { a: { one: [0] }, b: { one: [] } })
})
