import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { boundedMap } from './bounded-map.ts'

test('no more are under way than allowed, and results keep the order of the items', async () => {
  let underWay = 0
  let mostUnderWay = 0
  const results = await boundedMap([5, 1, 4, 2, 3], 2, async (turns) => {
    mostUnderWay = Math.max(mostUnderWay, ++underWay)
    for (let i = 0; i < turns; i++) await nextTurn()
    underWay--
    return turns * 10
  })
  assert.deepEqual(results, [50, 10, 40, 20, 30])
  assert.equal(mostUnderWay, 2)
})

test('the first failure is passed on', async () => {
  await assert.rejects(
    boundedMap([1, 2, 3], 2, async (item) => {
      if (item === 2) throw new Error('second')
    }),
    /second/,
  )
  assert.deepEqual(await boundedMap([], 2, async () => 1), [])
})
