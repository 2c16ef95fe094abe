import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBatchTurns } from './batch-turns.ts'

const wanted = () => true

test('between the slices of a batch others have their turn, and the results keep their order', async () => {
  let clockMs = 0
  const turns = createBatchTurns(() => clockMs)
  const seen: (number | 'probe')[] = []
  const batch = turns.map(
    [1, 2, 3, 4],
    (item) => {
      clockMs += 6
      seen.push(item)
      return item * 10
    },
    wanted,
  )
  const probes = (async () => {
    while (!seen.includes(4)) {
      await nextTurn()
      seen.push('probe')
    }
  })()
  assert.deepEqual(await batch, [10, 20, 30, 40])
  await probes
  // A slice of 10 ms holds two items of 6.
  assert.ok(seen.indexOf('probe') < seen.indexOf(3), seen.join(' '))
})

test('batches do not mix, and one that fails does not take the next with it', async () => {
  let clockMs = 0
  const turns = createBatchTurns(() => clockMs)
  const seen: string[] = []
  const of = (name: string) => (item: number) => {
    clockMs += 20
    seen.push(`${name}${item}`)
    if (name === 'b') throw new Error('of b')
    return item
  }
  const batches = ['a', 'b', 'c'].map((name) => turns.map([1, 2], of(name), wanted))
  const settled = await Promise.allSettled(batches)
  assert.deepEqual(seen, ['a1', 'a2', 'b1', 'c1', 'c2'])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('it is behind once a batch has waited for a second, and no longer when that one has begun', async () => {
  let clockMs = 0
  const turns = createBatchTurns(() => clockMs)
  assert.equal(turns.isBehind(), false)
  const first = turns.map([1, 2], () => (clockMs += 999), wanted)
  const second = turns.map([1], () => turns.isBehind(), wanted)
  assert.equal(turns.isBehind(), false)
  clockMs = 1000
  assert.equal(turns.isBehind(), true)
  await first
  assert.deepEqual(await second, [false])
  assert.equal(turns.isBehind(), false)
})

test('what nobody waits for any more is left at the end of its slice', async () => {
  let clockMs = 0
  const turns = createBatchTurns(() => clockMs)
  let isWanted = true
  const results = await turns.map(
    [1, 2, 3, 4],
    (item) => {
      clockMs += 10
      isWanted = item < 2
      return item
    },
    () => isWanted,
  )
  assert.deepEqual(results, [1, 2])
})
