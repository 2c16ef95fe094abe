// Goal: every stream is read by as many receivers as it is to be, whichever receivers come, go and die. Method: receivers that ask for their share in turn, on a real
// database; a receiver that is killed simply asks no more.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { leaveStreams, releaseStreams, takeShare } from './share-streams.ts'

const { database } = await openTestDatabase({ after })
const names = Array.from({ length: 7 }, (_, nth) => `reseller-${nth}`)
for (const name of names) await insertReseller(database, name)

type Reader = { readonly id: string; readonly reading: Set<string> }
const reader = (): Reader => ({ id: newId('rcv'), reading: new Set() })

/** What a receiver does each time it looks. */
async function look({ id, reading }: Reader, wanted: readonly string[] = names, readersPerStream = 1): Promise<void> {
  const { held, surplus } = await takeShare(database, id, wanted, readersPerStream)
  for (const name of reading) if (!held.has(name)) reading.delete(name)
  if (surplus.length > 0) await releaseStreams(database, id, surplus)
  for (const name of held) reading.add(name)
}

async function leave({ id, reading }: Reader): Promise<void> {
  reading.clear()
  await leaveStreams(database, id)
}

/** Nobody moves their leases on for longer than they last. */
const letLeasesEnd = () =>
  database.systemPool.query(
    `with ended as (update stream_leases set held_until = now() - interval '1 second')
     update stream_receivers set live_until = now() - interval '1 second'`,
  )

const readOnce = (...readers: Reader[]) => readers.flatMap(({ reading }) => [...reading]).sort()
const counts = (...readers: Reader[]) => readers.map(({ reading }) => reading.size).sort()

test('receivers divide the streams, and one that comes later takes its share', async (t) => {
  const [first, second, third] = [reader(), reader(), reader()]
  t.after(() => Promise.all([first, second, third].map(leave)))
  await look(first)
  assert.deepEqual(readOnce(first), names)
  await look(second)
  assert.equal(second.reading.size, 0, 'nothing is read twice')
  await look(first)
  await look(second)
  assert.deepEqual(readOnce(first, second), names)
  assert.deepEqual(counts(first, second), [3, 4])
  for (const each of [third, first, second, third, first, second]) {
    await look(each)
    assert.equal(new Set(readOnce(first, second, third)).size, readOnce(first, second, third).length, 'nothing is read twice')
  }
  assert.deepEqual(readOnce(first, second, third), names)
  assert.deepEqual(counts(first, second, third), [1, 3, 3])
})

test('the streams of a receiver that leaves are read by the others at once, those of one that was killed when its leases are over', async (t) => {
  const [first, second] = [reader(), reader()]
  t.after(() => Promise.all([first, second].map(leave)))
  for (const each of [first, second, first, second]) await look(each)
  await leave(first)
  await look(second)
  assert.deepEqual(readOnce(second), names)
  await look(first)
  await look(second)
  await look(first)
  await look(second)
  assert.deepEqual(counts(first, second), [3, 4])
  // `first` is killed.
  await look(second)
  assert.equal(second.reading.size, [...names].length - first.reading.size)
  await letLeasesEnd()
  await look(second)
  assert.deepEqual(readOnce(second), names)
})

test('a stream that is not to be read any more is given up, and another takes its place', async (t) => {
  const [first, second] = [reader(), reader()]
  t.after(() => Promise.all([first, second].map(leave)))
  for (const each of [first, second, first, second]) await look(each, names.slice(0, 4))
  assert.deepEqual(counts(first, second), [2, 2])
  const wanted = [...names.slice(0, 3), names[6] ?? '']
  for (const each of [first, second, first, second]) await look(each, wanted)
  assert.deepEqual(readOnce(first, second), wanted.toSorted())
  assert.deepEqual(counts(first, second), [2, 2])
})

test('receivers that begin at the same moment divide the streams as well', async (t) => {
  const readers = Array.from({ length: 4 }, reader)
  t.after(() => Promise.all(readers.map(leave)))
  for (let round = 0; round < 3; round++) await Promise.all(readers.map((each) => look(each)))
  assert.deepEqual(readOnce(...readers), names)
  assert.deepEqual(counts(...readers), [1, 2, 2, 2])
})

test('a stream with two readers has two receivers where there are two, and never one receiver twice', async (t) => {
  const readers = Array.from({ length: 3 }, reader)
  const [first, second, third] = readers as [Reader, Reader, Reader]
  t.after(() => Promise.all(readers.map(leave)))
  await look(first, names, 2)
  assert.deepEqual(readOnce(first), names, 'alone it reads each once')
  for (const each of [second, first, second]) await look(each, names, 2)
  assert.deepEqual(counts(first, second), [7, 7])
  for (let round = 0; round < 3; round++) for (const each of readers) await look(each, names, 2)
  const of = Map.groupBy(readOnce(...readers), (name) => name)
  assert.deepEqual([...of.keys()], names)
  // 14 slots for three are 5 each at most. Who has room may hold what is free already, so that a second reader can be missing, the first never.
  assert.ok(Math.max(...counts(...readers)) <= 5)
  for (const [name, { length }] of of) assert.ok(length === 1 || length === 2, name)
  await leave(third)
  for (const each of [first, second, first, second]) await look(each, names, 2)
  assert.deepEqual(counts(first, second), [7, 7])
})
