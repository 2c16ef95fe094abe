import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, TenantCache, type TenantCacheOptions } from './tenant-cache.ts'

/** A store whose loads are counted, and which answers `<reseller>/<reference>` unless set otherwise. */
function createCache(options: Partial<TenantCacheOptions<string>> = {}) {
  const loads: (readonly Asked[])[] = []
  const clock = { ms: 0 }
  const cache = new TenantCache<string>({
    load: async (asked) => {
      loads.push(asked)
      return asked.map(({ resellerId, reference }) => (reference === 'unknown' ? undefined : `${resellerId}/${reference}`))
    },
    now: () => new Date(clock.ms),
    ttlMs: 1_000,
    maxEntries: 100,
    ...options,
  })
  return { cache, loads, clock }
}

test('what is known is answered at once, and what is not is asked once for everybody', async () => {
  const { cache, loads } = createCache()
  const answers = await Promise.all(['x', 'y', 'x', 'z'].map((reference) => cache.find('a', reference)))
  assert.deepEqual(answers, ['a/x', 'a/y', 'a/x', 'a/z'])
  assert.equal(loads.length, 1)
  assert.equal(loads[0]?.length, 3)
  assert.equal(cache.find('a', 'x'), 'a/x')
})

test('an answer is believed for the time to live and not longer', async () => {
  const { cache, loads, clock } = createCache()
  await cache.find('a', 'x')
  clock.ms = 999
  assert.equal(cache.find('a', 'x'), 'a/x')
  clock.ms = 1_000
  assert.equal(await cache.find('a', 'x'), 'a/x')
  assert.equal(loads.length, 2)
})

test('absence is asked again every time', async () => {
  const { cache, loads } = createCache()
  assert.equal(await cache.find('a', 'unknown'), undefined)
  assert.equal(await cache.find('a', 'unknown'), undefined)
  assert.equal(loads.length, 2)
})

test('of resellers of which nothing is found nothing is held', async () => {
  const { cache } = createCache()
  await cache.find('a', 'x')
  await Promise.all(Array.from({ length: 50 }, (_, nth) => cache.find(`none-${nth}`, 'unknown')))
  await Promise.all([cache.find('a', 'unknown'), cache.find('b', 'unknown'), cache.find('b', 'x')])
  assert.equal(cache.resellerCount, 2)
  assert.deepEqual([cache.find('a', 'x'), cache.find('b', 'x')], ['a/x', 'b/x'])
  const failing = createCache({ load: async () => Promise.reject(new Error('away')) }).cache
  await assert.rejects(async () => failing.find('a', 'x'))
  assert.equal(failing.resellerCount, 0)
})

test('forgetting one thing leaves the others of its reseller known', async () => {
  const { cache, loads } = createCache()
  await Promise.all([cache.find('a', 'x'), cache.find('a', 'y')])
  cache.forgetOne('a', 'x')
  cache.forgetOne('nobody', 'x')
  assert.equal(cache.find('a', 'y'), 'a/y')
  await cache.find('a', 'x')
  assert.deepEqual(loads[1], [{ ...loads[1]?.[0], resellerId: 'a', reference: 'x' }])
})

test('forgetting one reseller leaves the others known', async () => {
  const { cache, loads } = createCache()
  await Promise.all([cache.find('a', 'x'), cache.find('b', 'x')])
  cache.forget('a')
  assert.equal(cache.find('b', 'x'), 'b/x')
  await cache.find('a', 'x')
  assert.equal(loads.length, 2)
})

test('a lookup that began before a change answers nobody who asked after it, and is not remembered', async () => {
  for (const forget of [(c: TenantCache<string>) => c.forget('a'), (c: TenantCache<string>) => c.forgetOne('a', 'x')]) {
    let answer = 'before'
    const gates: (() => void)[] = []
    const { cache } = createCache({
      load: async (asked) => {
        const seen = asked.map(() => answer)
        await new Promise<void>((open) => gates.push(open))
        return seen
      },
    })
    const early = cache.find('a', 'x')
    while (gates.length < 1) await new Promise(setImmediate)
    answer = 'after'
    forget(cache)
    const late = cache.find('a', 'x')
    while (gates.length < 2) await new Promise(setImmediate)
    for (const open of gates) open()
    assert.deepEqual(await Promise.all([early, late]), ['before', 'after'])
    assert.equal(cache.find('a', 'x'), 'after')
  }
})

test('a failed lookup fails those who waited and is tried again by the next', async () => {
  let away = true
  const { cache } = createCache({
    load: async (asked) => {
      if (away) throw new Error('the store is away')
      return asked.map(({ reference }) => reference)
    },
  })
  const both = await Promise.allSettled([cache.find('a', 'x'), cache.find('a', 'y')])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  away = false
  assert.equal(await cache.find('a', 'x'), 'x')
})

test('the cache never holds more than its limit, over any number of references', async () => {
  const { cache, loads } = createCache({ maxEntries: 10 })
  for (let i = 0; i < 100; i++) await cache.find(`reseller-${i % 3}`, `device-${i}`)
  let known = 0
  for (let i = 0; i < 100; i++) if (typeof cache.find(`reseller-${i % 3}`, `device-${i}`) === 'string') known++
  assert.ok(known >= 1 && known <= 10, `${known} are known`)
  assert.equal(loads.length, 100)
})

test('one reseller with more devices than the limit does not have those of others forgotten', async () => {
  const { cache } = createCache({ maxEntries: 10 })
  await cache.find('small', 'device')
  for (let i = 0; i < 100; i++) await cache.find('large', `device-${i}`)
  assert.equal(cache.find('small', 'device'), 'small/device')
})

test('a crowd of unknown references is asked in loads of bounded size, two at a time', async () => {
  let underWay = 0
  let most = 0
  const sizes: number[] = []
  const { cache } = createCache({
    maxEntries: 10_000,
    load: async (asked) => {
      sizes.push(asked.length)
      most = Math.max(most, ++underWay)
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      underWay--
      return asked.map(({ reference }) => reference)
    },
  })
  const answers = await Promise.all(Array.from({ length: 4_500 }, (_, i) => cache.find('a', `device-${i}`)))
  assert.ok(answers.every((answer, i) => answer === `device-${i}`))
  assert.deepEqual(sizes, [1_000, 1_000, 1_000, 1_000, 500])
  assert.equal(most, 2)
})
