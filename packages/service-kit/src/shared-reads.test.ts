import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedReads } from './shared-reads.ts'

/** A store that answers when the test lets it, and remembers what it was asked. */
function createStore() {
  const asked: { keys: readonly string[]; answer: PromiseWithResolvers<ReadonlyMap<string, string>> }[] = []
  const reads = new SharedReads<string>(
    (keys) => {
      const answer = Promise.withResolvers<ReadonlyMap<string, string>>()
      asked.push({ keys, answer })
      return answer.promise
    },
    { maxKeysPerRead: 2 },
  )
  return { asked, reads }
}

test('one read runs at a time and the next takes along all who asked meanwhile', async () => {
  const { asked, reads } = createStore()
  const answers = Promise.all(['a', 'b', 'b', 'c', 'd'].map((key) => reads.read(key)))
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [['a']],
  )
  asked[0]?.answer.resolve(new Map([['a', 'A']]))
  await new Promise(setImmediate)
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [['a'], ['b', 'c']],
  )
  asked[1]?.answer.resolve(new Map([['b', 'B']]))
  await new Promise(setImmediate)
  asked[2]?.answer.resolve(new Map([['d', 'D']]))
  assert.deepEqual(await answers, ['A', 'B', 'B', undefined, 'D'])
})

test('a read that fails fails for those who shared it and for nobody after', async () => {
  const { asked, reads } = createStore()
  const failed = reads.read('a')
  const next = reads.read('a')
  asked[0]?.answer.reject(new Error('away'))
  await assert.rejects(failed, { message: 'away' })
  asked[1]?.answer.resolve(new Map([['a', 'A']]))
  assert.equal(await next, 'A')
})
