// Goal: forests fitted by threads are those fitted here, and what goes wrong in a thread is reported. Method: real threads, a made-up table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ForestJob, fitForest } from '@roadworthy/prognostics/learning/forest-job'
import { createRandom } from '@roadworthy/prognostics/learning/random'
import { openForestPool } from './forest-pool.ts'

const ROW_COUNT = 500
const random = createRandom(1)
const column = () => Float32Array.from({ length: ROW_COUNT }, random)
const table = { names: ['a', 'b', 'c'], columns: [column(), column(), column()], rowCount: ROW_COUNT }
const options = { trees: 10, leaves: 8, learningRate: 0.1, rowSample: 0.7, columnSample: 0.7, lambda: 1, bins: 64, minLeafRows: 5 }

function job(seed: number, change: Partial<ForestJob> = {}): ForestJob {
  const places = Int32Array.from({ length: ROW_COUNT / 2 }, (_, at) => at * 2)
  const targets = Float64Array.from(places, (place) => (table.columns[0]?.[place] ?? 0) * seed)
  return { table, places, targets, options: { ...options, loss: { kind: 'squared' }, seed }, ...change }
}

test('each forest is the one that is fitted here, and every tree is reported', { timeout: 300_000 }, async (t) => {
  const pool = openForestPool(2)
  t.after(() => pool.close())
  const jobs = [1, 2, 3, 4, 5].map((seed) => job(seed, seed === 3 ? { extra: { name: 'd', column: column() } } : {}))
  let treeCount = 0
  const forests = await Promise.all(jobs.map((each) => pool.fit(each, () => treeCount++)))
  assert.deepEqual(
    forests,
    jobs.map((each) => fitForest(each, () => {})),
  )
  assert.equal(treeCount, 50)
  assert.deepEqual(forests[2]?.featureNames, ['a', 'b', 'c', 'd'])
})

test('a job that fails is reported with its reason, and the others are done', { timeout: 300_000 }, async (t) => {
  const pool = openForestPool(2)
  t.after(() => pool.close())
  const wrong = job(2, { targets: new Float64Array(3) })
  const outcomes = await Promise.allSettled([job(1), wrong, job(3), job(4)].map((each) => pool.fit(each, () => {})))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.match(String((outcomes[1] as PromiseRejectedResult).reason), /RangeError: .*target/)
})

test('with one processor the work is done here', async () => {
  const pool = openForestPool(1)
  assert.deepEqual(
    await pool.fit(job(1), () => {}),
    fitForest(job(1), () => {}),
  )
  await pool.close()
})
