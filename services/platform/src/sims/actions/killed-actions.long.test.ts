// Goal: a process that is killed anywhere in its work on an action leaves exactly one job at the operator, and a SIM that is in its new state.
// Method: a process of its own does the work and stops at its nth step, where it is killed; others take over. Once for every step there is, of
// the first run and of the one after it, with the operator answering, and with it holding its answer back after it did what was asked.

import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { killAtStep } from '../../test-kill-at-step.ts'
import { TEST_SECRET_KEY } from '../../test-support.ts'
import { openSimDesk } from '../test-sim-desk.ts'
import type { ActionProcessTask } from './test-action-process.ts'

const SCRIPT = path.join(import.meta.dirname, 'test-action-process.ts')
const MAX_STEPS = 60
/** After which the claim of a process that was killed is over. */
const CLAIM_OVER_MS = 31_000

const desk = await openSimDesk({ after }, { isEmulated: true, totalMs: 2_000 })
const { app, system } = databaseUrls(desk.ownerUrl, TEST_SECRET_KEY)

/** Does what is due in a process that is killed at that step. Answers where it was, or nothing where it came to its end. */
async function killAt(stopAtStep: number): Promise<string | undefined> {
  const task: ActionProcessTask = { urls: { app, system }, at: desk.clock.now.toISOString(), stopAtStep }
  return await killAtStep(SCRIPT, task)
}

/** Of four that were all seen to hold, two: each takes a process for every step. */
const cases = [
  ['airtel', false],
  ['cisco', true],
] as const

for (const [operator, isHeld] of cases) {
  test(`${operator}${isHeld ? ', its answer held back' : ''}: killed at every step, the operator has one job`, async (t) => {
    const places: string[] = []
    for (let step = 1; step <= MAX_STEPS; step++) {
      const { id, iccid } = await desk.knownSim(operator, 'active')
      const change = operator === 'cisco' ? { method: 'PUT', path: '*devices*' } : { method: 'POST', path: '*job/*' }
      if (isHeld) await desk.emulator.fault({ kind: 'timeout_after', ...change, count: 1 })
      assert.equal((await desk.call('POST', `/sims/${id}/safe-custody`, {})).status, 200)
      const first = await killAt(step)
      await desk.moveClock(CLAIM_OVER_MS)
      // Whoever takes over is killed as well, somewhere.
      if (first !== undefined) await killAt(1 + ((step * 7) % 9))
      await desk.moveClock(CLAIM_OVER_MS)
      await desk.untilSettled(id)
      await desk.emulator.clearFaults()
      const received = await desk.received(iccid)
      assert.equal(received.length, 1, `killed at ${first}: ${JSON.stringify(received)}`)
      assert.equal((await desk.simOf(id)).status, 'safe_custody', `killed at ${first}`)
      const { history } = (await desk.call('GET', `/sims/${id}/history`)).body
      assert.deepEqual(
        history.flatMap(({ change, status }) => (change === 'details' ? [] : status)),
        ['safe_custody', 'active'],
        `killed at ${first}`,
      )
      if (first === undefined) break
      places.push(first)
    }
    t.diagnostic(`${places.length} places: ${places.join(', ')}`)
    for (const place of ['before operator.submit', 'after database.tenant']) assert.ok(places.includes(place), `never killed ${place}`)
    // Held back, the call never comes to its end before the limit of its time.
    assert.ok(isHeld || places.includes('after operator.submit'))
  })
}
