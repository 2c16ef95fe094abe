// Goal: what is due again and again is done by one worker at a time, however many there are, and goes on when one dies. Method: several workers over
// one database, with the database's clock in a variable.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase } from '../test-support.ts'
import { startJobWorker } from './job-worker.ts'
import { periodicJob, periodicSteps } from './periodic-job.ts'

const { database } = await openTestDatabase({ after })
let at = new Date('2026-03-01T12:00:00.000Z')
const errors: object[] = []
const log = { error: (fields: object) => void errors.push(fields) }
const now = async () => at
const deps = { database, now, random: () => 0.5, log }
const rowsOf = async (kind: string) => {
  const { rows } = await database.systemPool.query<{ key: string; due_at: Date; failures: number }>(
    'select key, due_at, failures from jobs where kind = $1 order by key',
    [kind],
  )
  return rows
}
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('several workers do a round once, and the next when its time has come', async (t) => {
  let [underWay, most, count] = [0, 0, 0]
  const kind = periodicJob(
    {
      kind: 'rounds',
      everyMs: 60_000,
      run: async () => {
        most = Math.max(most, ++underWay)
        await new Promise((resolve) => setTimeout(resolve, 20))
        underWay--
        count++
        return undefined
      },
    },
    now,
  )
  // A worker that starts has a round done at once: until all of them have asked for theirs, one may still come.
  let asked = 0
  const tenant: typeof database.tenant = (resellerIds, run) => database.tenant(resellerIds, run).finally(() => asked++)
  const workers = [1, 2, 3].map(() => startJobWorker({ ...deps, database: { ...database, tenant } }, [kind]))
  t.after(() => Promise.all(workers.map((worker) => worker.stop())))
  await until(() => asked === workers.length)
  const isDueAt = async (time: Date) => (await rowsOf('rounds'))[0]?.due_at.getTime() === time.getTime()
  await until(() => isDueAt(new Date(at.getTime() + 60_000)))
  // Three at most, one after the other.
  assert.ok(count >= 1 && count <= 3, String(count))
  assert.equal(most, 1)
  const before = count
  at = new Date(at.getTime() + 60_000)
  for (const worker of workers) worker.wake()
  await until(() => isDueAt(new Date(at.getTime() + 60_000)))
  assert.equal(count, before + 1)
  assert.equal(most, 1)
})

test('a round returns when the next is wanted, and several slots are done at once by several workers', async (t) => {
  const release = Promise.withResolvers<void>()
  let underWay = 0
  const kind = periodicJob(
    {
      kind: 'slots',
      everyMs: 1_000,
      slots: 2,
      run: async () => {
        underWay++
        await release.promise
        return 5_000
      },
    },
    now,
  )
  const workers = [1, 2].map(() => startJobWorker(deps, [kind]))
  t.after(() => Promise.all(workers.map((worker) => worker.stop())))
  await until(() => underWay === 2)
  release.resolve()
  await until(async () => (await rowsOf('slots')).every(({ due_at }) => due_at.getTime() === at.getTime() + 5_000))
})

test('a step that fails is repeated by itself, after a wait; the others keep their time', async (t) => {
  const done: string[] = []
  const steps = [
    { name: 'good', run: async () => void done.push('good') },
    { name: 'seldom', everyMs: 86_400_000, run: async () => void done.push('seldom') },
    {
      name: 'bad',
      run: async () => {
        done.push('bad')
        if (done.filter((name) => name === 'bad').length === 1) throw new Error('the table is locked')
      },
    },
  ]
  const worker = startJobWorker(deps, [periodicSteps('steps', 600_000, steps, now)])
  t.after(() => worker.stop())
  const started = at
  await until(async () => {
    const rows = await rowsOf('steps')
    return rows.length === 3 && rows.every(({ due_at }) => due_at > started)
  })
  const rows = await rowsOf('steps')
  assert.deepEqual(
    rows.map(({ failures, due_at }) => [failures, due_at.getTime() - at.getTime()]),
    [
      [1, 5_000],
      [0, 600_000],
      [0, 86_400_000],
    ],
  )
  at = new Date(at.getTime() + 5_000)
  worker.wake()
  await until(async () => (await rowsOf('steps'))[0]?.failures === 0)
  assert.deepEqual(done.toSorted(), ['bad', 'bad', 'good', 'seldom'])
  assert.deepEqual(
    errors.map((fields) => (fields as { key: string }).key),
    ['bad'],
  )
})

test('a step of another release is left to workers of that release', async () => {
  const kind = periodicSteps('other', 1_000, [], now)
  const outcome = await kind.run({ resellerId: '_operator', kind: 'other', key: 'unknown', failureCount: 0 }, new AbortController().signal)
  assert.deepEqual(outcome, { againAt: new Date(at.getTime() + 1_000) })
})
