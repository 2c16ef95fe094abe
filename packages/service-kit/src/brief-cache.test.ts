import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BriefCache } from './brief-cache.ts'

function createCache(load: (key: string) => Promise<string | undefined>) {
  const clock = { ms: 0 }
  const asked: string[] = []
  const cache = new BriefCache({
    load: (key) => {
      asked.push(key)
      return load(key)
    },
    now: () => new Date(clock.ms),
    ttlMs: 1_000,
    maxEntries: 2,
  })
  return { cache, clock, asked }
}

test('an answer, absence included, is loaded once for everybody and is as old as the time to live at most', async () => {
  const { cache, clock, asked } = createCache(async (key) => (key === 'a' ? 'A' : undefined))
  assert.deepEqual(await Promise.all(['a', 'b', 'a', 'b'].map((key) => cache.find(key))), ['A', undefined, 'A', undefined])
  clock.ms = 999
  await cache.find('a')
  assert.deepEqual(asked, ['a', 'b'])
  clock.ms = 1_000
  await cache.find('a')
  assert.deepEqual(asked, ['a', 'b', 'a'])
})

test('the one loaded longest ago goes when it is full', async () => {
  const { cache, asked } = createCache(async (key) => key)
  for (const key of ['a', 'b', 'c', 'b', 'a']) await cache.find(key)
  assert.deepEqual(asked, ['a', 'b', 'c', 'a'])
})

test('what is forgotten is loaded again, also while it is being loaded', async () => {
  const { cache, asked } = createCache(async (key) => key)
  const early = cache.find('a')
  cache.forgetAll()
  assert.deepEqual(await Promise.all([early, cache.find('a')]), ['a', 'a'])
  assert.deepEqual(asked, ['a', 'a'])
})

test('a failure is not kept', async () => {
  let isAway = true
  const { cache } = createCache(async (key) => {
    if (isAway) throw new Error('away')
    return key
  })
  await assert.rejects(cache.find('a'), { message: 'away' })
  isAway = false
  assert.equal(await cache.find('a'), 'a')
})
