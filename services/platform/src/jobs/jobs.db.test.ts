// Goal: what is due is done once, however many processes look, and nothing that was asked for is forgotten. Method: several workers over one
// real database, and a clock that the test sets.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemAuthor } from '../audit/audit.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import type { JobId, JobKind, JobOutcome, NewJob } from './job.ts'
import { runDueJobs, startJobWorker } from './job-worker.ts'
import { deleteJob, selectDueKindsAcrossResellers, upsertJob } from './jobs.sql.ts'

const { database } = await openTestDatabase({ after })
let at = new Date('2026-03-01T12:00:00.000Z')
const errors: string[] = []
const log = { error: (_fields: object, message: string) => void errors.push(message) }
const deps = { database, now: async () => at, random: () => 0.5, log }
const later = (ms: number) => new Date(at.getTime() + ms)
const ask = (job: NewJob, dueAt = at) => database.tenant(job.resellerId, (db) => upsertJob(db, job, dueAt))
const rowOf = async ({ resellerId, kind, key }: JobId) => {
  const { rows } = await database.systemPool.query<{ due_at: Date; failures: number; last_error: string | null; claim_id: string | null }>(
    'select due_at, failures, last_error, claim_id from jobs where reseller_id = $1 and kind = $2 and key = $3',
    [resellerId, kind, key],
  )
  return rows[0]
}
const kindOf = (kind: string, run: JobKind['run'], concurrency = 4): JobKind => ({ kind, run, concurrency, perReseller: concurrency })

test('what is due is done once by several processes, and is gone', async () => {
  const done: string[] = []
  const kind = kindOf('count', async ({ key }) => {
    await new Promise((resolve) => setImmediate(resolve))
    done.push(key)
    return 'done'
  })
  for (let nth = 0; nth < 40; nth++) await ask({ resellerId: nth % 2 === 0 ? 'acme' : 'rival', kind: 'count', key: `k${nth}` })
  await ask({ resellerId: 'acme', kind: 'count', key: 'later' }, later(1))
  await Promise.all([runDueJobs(deps, [kind]), runDueJobs(deps, [kind]), runDueJobs(deps, [kind])])
  assert.equal(done.length, 40)
  assert.equal(new Set(done).size, 40)
  assert.equal(await rowOf({ resellerId: 'acme', kind: 'count', key: 'k0' }), undefined)
  assert.deepEqual((await rowOf({ resellerId: 'acme', kind: 'count', key: 'later' }))?.due_at, later(1))
})

test('what is asked for while somebody is at it is done again', async () => {
  const job = { resellerId: 'acme', kind: 'again', key: 'one' }
  let count = 0
  const kind = kindOf('again', async () => {
    count++
    if (count === 1) await ask(job)
    return 'done'
  })
  await ask(job)
  await runDueJobs(deps, [kind])
  assert.equal(count, 2)
  assert.equal(await rowOf(job), undefined)
})

test('work that names its next time is due then, and earlier where it was asked for', async () => {
  const job = { resellerId: 'acme', kind: 'recurring', key: 'one' }
  let count = 0
  const kind = kindOf('recurring', async () => {
    count++
    return { againAt: later(60_000) }
  })
  await ask(job)
  assert.equal(await runDueJobs(deps, [kind]), 1)
  assert.equal(await runDueJobs(deps, [kind]), 0)
  assert.deepEqual((await rowOf(job))?.due_at, later(60_000))
  await ask(job, later(3_600_000))
  assert.deepEqual((await rowOf(job))?.due_at, later(60_000), 'a later wish moves nothing')
  await ask(job)
  assert.equal(await runDueJobs(deps, [kind]), 1)
  assert.equal(count, 2)
  await database.tenant('acme', (db) => deleteJob(db, job))
  at = later(60_000)
  assert.equal(await runDueJobs(deps, [kind]), 0)
})

test('work that fails is tried again after waits that double, and has the reason', async () => {
  const job = { resellerId: 'acme', kind: 'failing', key: 'one' }
  const seen: number[] = []
  const kind = kindOf('failing', async ({ failureCount }) => {
    seen.push(failureCount)
    if (seen.length < 3) throw new Error(`no route to the operator \0 ${seen.length}`)
    return 'done'
  })
  await ask(job)
  await runDueJobs(deps, [kind])
  assert.deepEqual((await rowOf(job))?.due_at, later(5_000))
  assert.equal((await rowOf(job))?.last_error, 'no route to the operator  1')
  at = later(4_999)
  assert.equal(await runDueJobs(deps, [kind]), 0)
  at = later(1)
  await runDueJobs(deps, [kind])
  assert.deepEqual((await rowOf(job))?.due_at, later(10_000))
  at = later(10_000)
  await runDueJobs(deps, [kind])
  assert.deepEqual(seen, [0, 1, 2])
  assert.equal(await rowOf(job), undefined)
  assert.equal(errors.length, 2)
})

test('of a process that died, another does the work when the claim is over, and what the first one reports late changes nothing', async () => {
  const job = { resellerId: 'acme', kind: 'dying', key: 'one' }
  const first = Promise.withResolvers<'done'>()
  const started = Promise.withResolvers<void>()
  await ask(job)
  const dying = runDueJobs(deps, [
    kindOf('dying', () => {
      started.resolve()
      return first.promise
    }),
  ])
  await started.promise
  const other = kindOf('dying', async () => ({ againAt: later(5_000) }))
  assert.equal(await runDueJobs(deps, [other]), 0, 'the claim holds')
  at = later(30_000)
  assert.equal(await runDueJobs(deps, [other]), 1)
  first.resolve('done')
  await dying
  assert.deepEqual((await rowOf(job))?.due_at, later(5_000), 'the claim of the first was over')
})

test('one reseller with much to do does not keep another waiting', async () => {
  const order: string[] = []
  const kind = kindOf('fair', async ({ resellerId }) => {
    order.push(resellerId)
    return 'done'
  })
  for (let nth = 0; nth < 20; nth++) await ask({ resellerId: 'busy', kind: 'fair', key: `b${nth}` })
  at = later(1_000)
  await ask({ resellerId: 'quiet', kind: 'fair', key: 'q' })
  await runDueJobs(deps, [kind])
  assert.equal(order.length, 21)
  assert.ok(order.indexOf('quiet') < 4, order.join(' '))
})

const POLL_MS = 50
/** Two minutes: what comes is waited for, and what does not come fails. */
const MAX_POLLS = 2_400

/** A worker whose jobs run until they are let go. */
function openHeldWorker(kind: string, slots: Pick<JobKind, 'concurrency' | 'perReseller' | 'perGroup'>) {
  const running: { readonly name: string; readonly end: (outcome: JobOutcome) => void }[] = []
  let isOver = false
  const run = async ({ key }: JobId): Promise<JobOutcome> => {
    if (isOver) return 'done'
    const { promise, resolve } = Promise.withResolvers<JobOutcome>()
    running.push({ name: key.split(' ')[0] ?? '', end: resolve })
    return await promise
  }
  const worker = startJobWorker(deps, [{ kind, run, ...slots }])
  return {
    ask: async (resellerId: string, count: number, group = resellerId) => {
      for (let nth = 0; nth < count; nth++) await ask({ resellerId, kind, key: `${group} ${nth}`, group })
      worker.wake()
    },
    /** Of which group the jobs are that began, in their order, once there are so many. */
    begun: async (count: number) => {
      for (let polls = 0; running.length < count && polls < MAX_POLLS; polls++) await delay(POLL_MS)
      return running.map(({ name }) => name)
    },
    end: (nth: number, outcome: JobOutcome = 'done') => running[nth]?.end(outcome),
    [Symbol.asyncDispose]: async () => {
      const stopping = worker.stop()
      isOver = true
      for (const { end } of running) end('done')
      await stopping
    },
  }
}

test('jobs of one reseller that take long leave room for those of others', async () => {
  await using held = openHeldWorker('long', { concurrency: 4, perReseller: 2 })
  await held.ask('busy', 10)
  assert.deepEqual(await held.begun(2), ['busy', 'busy'])
  await held.ask('quiet', 1)
  assert.deepEqual(await held.begun(3), ['busy', 'busy', 'quiet'])
})

test('a place that becomes free goes to the reseller with the fewest jobs under way, however old the others are', async () => {
  await using held = openHeldWorker('turns', { concurrency: 2, perReseller: 2 })
  await held.ask('busy', 10)
  await held.begun(2)
  at = later(60_000)
  await held.ask('quiet', 1)
  held.end(0)
  assert.deepEqual(await held.begun(3), ['busy', 'busy', 'quiet'])
})

test('jobs of one group that take long leave room for those of another group of the same reseller, which comes first', async () => {
  await using held = openHeldWorker('groups', { concurrency: 8, perReseller: 4, perGroup: 2 })
  await held.ask('acme', 10, 'slow')
  assert.deepEqual(await held.begun(2), ['slow', 'slow'])
  await held.ask('acme', 3, 'well')
  assert.deepEqual(await held.begun(4), ['slow', 'slow', 'well', 'well'])
  held.end(0)
  assert.deepEqual(await held.begun(5), ['slow', 'slow', 'well', 'well', 'slow'], 'the reseller has no more than its four')
})

test('a group that rests is left alone, others go on, and after the rest one job is tried before there are more', async () => {
  await using held = openHeldWorker('resting groups', { concurrency: 8, perReseller: 8, perGroup: 2 })
  const restOf = () => ({ againAt: later(60_000), groupRestsUntil: later(60_000) })
  await held.ask('acme', 9, 'away')
  await held.begun(2)
  for (const nth of [0, 1]) held.end(nth, restOf())
  await held.ask('acme', 2, 'well')
  assert.deepEqual((await held.begun(4)).slice(2), ['well', 'well'], 'seven of the other have waited for longer')
  at = later(60_000)
  assert.deepEqual((await held.begun(5)).slice(4), ['away'])
  await held.ask('other', 1)
  assert.deepEqual((await held.begun(6)).slice(4), ['away', 'other'], 'one is tried')
  held.end(4)
  assert.deepEqual((await held.begun(8)).slice(6), ['away', 'away'])
})

test('of a canceled reseller nothing is done, whatever is due, and others go on; active again, it is', async () => {
  await insertReseller(database, 'left')
  const setStanding = (subscription: string) =>
    updateReseller(database, 'left', { subscription }, systemAuthor('left', new Date('2026-03-01T12:00:00.000Z')))
  const order: string[] = []
  const kind = kindOf('resting', async ({ resellerId }) => {
    order.push(resellerId)
    return 'done'
  })
  for (const resellerId of ['left', 'busy']) await ask({ resellerId, kind: 'resting', key: 'one' })
  await setStanding('canceled')
  assert.deepEqual(await selectDueKindsAcrossResellers(database.systemPool, ['resting'], at), ['resting'])
  await runDueJobs(deps, [kind])
  assert.deepEqual(order, ['busy'])
  assert.deepEqual(await selectDueKindsAcrossResellers(database.systemPool, ['resting'], at), [], 'nobody looks for it again and again')
  await setStanding('past_due')
  await runDueJobs(deps, [kind])
  assert.deepEqual(order, ['busy', 'left'], 'who owes is still served with what is under way')
})

test('a tenant sees its own work and no other', async () => {
  await ask({ resellerId: 'acme', kind: 'seen', key: 'mine' }, later(1_000))
  const { rows } = await database.tenantPool('rival').query("select key from jobs where kind = 'seen'")
  assert.deepEqual(rows, [])
})

test('a worker that stops aborts what is under way, and leaves it to others at once', async () => {
  const job = { resellerId: 'acme', kind: 'stopping', key: 'one' }
  const started = Promise.withResolvers<void>()
  const worker = startJobWorker(deps, [
    kindOf('stopping', (_job, signal) => {
      started.resolve()
      const { promise, reject } = Promise.withResolvers<'done'>()
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      return promise
    }),
  ])
  await ask(job)
  worker.wake()
  await started.promise
  await worker.stop()
  assert.deepEqual((await rowOf(job))?.due_at, at)
  assert.equal((await rowOf(job))?.claim_id, null)
})
