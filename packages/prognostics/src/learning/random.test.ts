import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, sampleInOrder, shuffle } from './random.ts'

test('a seed has one sequence for ever, and every seed another', () => {
  const first = (seed: number) => {
    const random = createRandom(seed)
    return [random(), random(), random()].map((value) => value * 2 ** 32)
  }
  assert.deepEqual(first(1), [4_055_765_230, 2_037_477_181, 1_008_553_161])
  const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, -(2 ** 32), Number.MAX_SAFE_INTEGER]
  assert.equal(new Set(seeds.map((seed) => first(seed).join())).size, seeds.length)
  assert.throws(() => createRandom(0.5), /a seed is a whole number, not 0.5/)
})

test('numbers are uniform in [0, 1) and neighbours know nothing of each other', () => {
  const random = createRandom(7)
  const count = 100_000
  const tenths = new Float64Array(10)
  let [product, previous] = [0, random()]
  for (let draw = 0; draw < count; draw++) {
    const value = random()
    assert.ok(value >= 0 && value < 1)
    const tenth = Math.floor(value * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
    product += (value - 0.5) * (previous - 0.5)
    previous = value
  }
  // Five standard errors.
  for (const each of tenths) assert.ok(Math.abs(each - count / 10) < 5 * Math.sqrt(count * 0.09), `${each}`)
  assert.ok(Math.abs(product / count) < 5 / 12 / Math.sqrt(count))
})

test('a sample holds that many different items, in their order, each as likely as the other', () => {
  const random = createRandom(3)
  const from = Int32Array.from({ length: 10 }, (_, index) => index * 2)
  const seen = new Map<number, number>()
  const into = new Int32Array(4)
  for (let trial = 0; trial < 5000; trial++) {
    sampleInOrder(from, 4, random, into)
    assert.deepEqual(
      [...into],
      [...new Set(into)].sort((a, b) => a - b),
    )
    for (const item of into) seen.set(item, (seen.get(item) ?? 0) + 1)
  }
  for (const item of from) assert.ok(Math.abs((seen.get(item) ?? 0) - 2000) < 5 * Math.sqrt(5000 * 0.24), `${item}: ${seen.get(item)}`)
})

test('a shuffle keeps the items and reaches every order equally often', () => {
  const random = createRandom(5)
  const seen = new Map<string, number>()
  for (let trial = 0; trial < 6000; trial++) {
    const items = ['a', 'b', 'c']
    shuffle(items, random)
    seen.set(items.join(''), (seen.get(items.join('')) ?? 0) + 1)
  }
  assert.equal(seen.size, 6)
  for (const [order, count] of seen) assert.ok(Math.abs(count - 1000) < 5 * Math.sqrt(6000 * (5 / 36)), `${order}: ${count}`)
})
