// Goal: an operator that does not answer keeps no action at another operator of the same reseller waiting, however many wait for it. Method: the worker
// itself over a real database, one operator of the emulator holding every answer back, and the other answering.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startJobWorker } from '../../jobs/job-worker.ts'
import { openSimDesk } from '../test-sim-desk.ts'
import { actionJobs } from './run-action.ts'

const POLL_MS = 50
/** A minute. */
const MAX_POLLS = 1_200
/** Longer than the test waits. */
const HELD_BACK_MS = 240_000
/** More than a reseller has slots. */
const WAITING = 20

const desk = await openSimDesk({ after }, { isEmulated: true, totalMs: HELD_BACK_MS })

test('an action is sent to its operator while many wait for another one that does not answer', async (t) => {
  const parked = await desk.knownSim('airtel', 'active')
  for (let nth = 0; nth < WAITING; nth++) {
    const { id } = await desk.knownSim('cisco', 'active')
    assert.equal((await desk.call('POST', `/sims/${id}/suspend`, {})).status, 200)
  }
  await desk.emulator.fault({ kind: 'timeout_before', path: '*devices*', count: 1_000 })
  const { database, operators, clock } = desk
  const now = () => clock.now
  const worker = startJobWorker(
    { database, now: async () => now(), random: () => 0.5, log: { error: (fields) => console.error(fields) } },
    actionJobs({ database, operators, now }),
  )
  t.after(() => worker.stop())
  const underWay = async () => {
    const { rows } = await database.systemPool.query<{ count: number }>(
      'select count(*)::integer as count from jobs where claim_id is not null',
    )
    return rows[0]?.count ?? 0
  }
  for (let polls = 0; (await underWay()) < 4 && polls < MAX_POLLS; polls++) await delay(POLL_MS)
  assert.equal((await desk.call('POST', `/sims/${parked.id}/safe-custody`, { days: 60 })).status, 200)
  worker.wake()
  for (let polls = 0; (await desk.received(parked.iccid)).length === 0 && polls < MAX_POLLS; polls++) await delay(POLL_MS)
  assert.equal((await desk.received(parked.iccid)).length, 1)
})
