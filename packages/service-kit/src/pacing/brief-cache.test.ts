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

test('one that was loaded anew is the youngest, and an answer from a clock that was set back since is not believed', async () => {
  const { cache, clock, asked } = createCache(async (key) => key)
  for (const key of ['a', 'b']) await cache.find(key)
  clock.ms = 1_000
  for (const key of ['a', 'c', 'a']) await cache.find(key)
  assert.deepEqual(asked, ['a', 'b', 'a', 'c'])
  clock.ms = 500
  await cache.find('a')
  assert.deepEqual(asked.slice(4), ['a'])
})

test('a load that fails late takes nothing of the one that came after it', async () => {
  const loads: PromiseWithResolvers<string>[] = []
  const { cache, asked } = createCache(() => {
    const load = Promise.withResolvers<string>()
    loads.push(load)
    return load.promise
  })
  const early = cache.find('a')
  cache.forgetAll()
  const late = cache.find('a')
  loads[0]?.reject(new Error('away'))
  await assert.rejects(early, { message: 'away' })
  loads[1]?.resolve('A')
  assert.deepEqual([await late, await cache.find('a'), asked], ['A', 'A', ['a', 'a']])
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
