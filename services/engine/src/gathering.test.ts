import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGathering } from './gathering.ts'

function record() {
  const seen: string[] = []
  const take = createGathering(
    (item: number) => {
      seen.push(`result ${item}`)
      return item * 10
    },
    (item, result) => {
      seen.push(`deliver ${item} ${result}`)
      if (item === 7) take(8)
    },
  )
  return { seen, take }
}

test('what comes in during one turn is worked on at its end, one step for all before the next', async () => {
  const { seen, take } = record()
  take(1)
  take(2)
  assert.deepEqual(seen, [])
  await nextTurn()
  assert.deepEqual(seen, ['result 1', 'result 2', 'deliver 1 10', 'deliver 2 20'])
})

test('of many the first have their answers before the last are worked on', async () => {
  const { seen, take } = record()
  for (let item = 100; item < 140; item++) take(item)
  await nextTurn()
  assert.equal(seen.length, 80)
  assert.deepEqual(seen.slice(16, 18), ['deliver 100 1000', 'deliver 101 1010'])
  assert.equal(seen[32], 'result 116')
  assert.equal(seen.at(-1), 'deliver 139 1390')
})

test('what comes in while the others are answered has the next turn', async () => {
  const { seen, take } = record()
  take(7)
  await nextTurn()
  assert.deepEqual(seen, ['result 7', 'deliver 7 70'])
  await nextTurn()
  assert.deepEqual(seen.slice(2), ['result 8', 'deliver 8 80'])
})
