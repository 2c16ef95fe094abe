import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchLoader, type BatchLoaderLimits, inOrder } from './batch-loader.ts'

/** A store that answers when the test lets it, and remembers what it was asked. */
function createStore(limits: BatchLoaderLimits) {
  const asked: { keys: readonly string[]; answer: PromiseWithResolvers<readonly string[]> }[] = []
  const loader = new BatchLoader<string, string>((keys) => {
    const answer = Promise.withResolvers<readonly string[]>()
    asked.push({ keys, answer })
    return answer.promise
  }, limits)
  return { loader, keys: () => asked.map(({ keys }) => keys), answer: (nth: number) => asked[nth]?.answer }
}

const turn = () => new Promise(setImmediate)

test('what is asked in one turn and while a load is under way is one load, and a key that waits is asked for once', async () => {
  const { loader, keys, answer } = createStore({ maxKeys: 10 })
  const first = Promise.all(['a', 'b', 'a'].map((key) => loader.load(key)))
  assert.deepEqual(keys(), [])
  await turn()
  assert.deepEqual(keys(), [['a', 'b']])
  const next = Promise.all(['c', 'a', 'c'].map((key) => loader.load(key)))
  await turn()
  assert.equal(keys().length, 1)
  answer(0)?.resolve(['A', 'B'])
  assert.deepEqual(await first, ['A', 'B', 'A'])
  await turn()
  assert.deepEqual(keys()[1], ['c', 'a'])
  answer(1)?.resolve(['C', 'A again'])
  assert.deepEqual(await next, ['C', 'A again', 'C'])
})

test('a load has the keys of its limit, and as many run as may', async () => {
  const { loader, keys, answer } = createStore({ maxKeys: 2, concurrency: 2 })
  const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => loader.load(key)))
  await turn()
  await turn()
  assert.deepEqual(keys(), [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual([loader.isWaiting('a'), loader.isWaiting('e')], [false, true])
  answer(1)?.resolve(['C', 'D'])
  await turn()
  await turn()
  assert.deepEqual(keys()[2], ['e'])
  answer(0)?.resolve(['A', 'B'])
  answer(2)?.resolve(['E'])
  assert.deepEqual(await answers, ['A', 'B', 'C', 'D', 'E'])
})

test('a load that fails fails for those who shared it and for nobody after', async () => {
  const { loader, answer } = createStore({ maxKeys: 10 })
  const failed = loader.load('a')
  await turn()
  const next = loader.load('a')
  answer(0)?.reject(new Error('away'))
  await assert.rejects(failed, { message: 'away' })
  await turn()
  answer(1)?.resolve(['A'])
  assert.equal(await next, 'A')
})

test('what waits can be given up, and the next one is asked for', async () => {
  const { loader, keys, answer } = createStore({ maxKeys: 10 })
  const first = loader.load('a')
  await turn()
  const waiting = loader.load('b')
  loader.rejectWaiting(new Error('given up'))
  await assert.rejects(waiting, { message: 'given up' })
  answer(0)?.resolve(['A'])
  assert.equal(await first, 'A')
  const next = loader.load('c')
  await turn()
  assert.deepEqual(keys(), [['a'], ['c']])
  answer(1)?.resolve(['C'])
  assert.equal(await next, 'C')
})

test('what a statement leaves out is not there', async () => {
  assert.deepEqual(await inOrder(['b', 'x', 'a'], Promise.resolve(new Map([...'ab'].map((key) => [key, key.toUpperCase()])))), [
    'B',
    undefined,
    'A',
  ])
})
