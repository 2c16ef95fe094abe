// What only one of the platforms has or does. The suite that both share is in operators.test.ts.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { openOperator } from './open-operator.ts'
import { freshSim, type OperatorBench, readAll, receivedFor, refusalOf, requestFor, startBench, testGuard } from './test-operator.ts'
import { freeGates } from './test-turns.ts'

const HOUR_MS = 3_600_000
const signal = new AbortController().signal

let bench: OperatorBench
before(async () => {
  bench = await startBench({ clock: new Date('2026-11-10T06:00:00Z'), sims: 20, jobMs: 10_000 })
})
after(() => bench.emulator.stop())

describe('what is of one platform only', () => {
  test('Control Center lists what changed since, and reports the cycle before', async () => {
    const operator = bench.open('cisco')
    await bench.moveClock(HOUR_MS)
    const since = bench.now()
    const sim = await freshSim(bench, 'active')
    await operator.submit(requestFor(sim, 'suspend', 'active'), signal)
    const listed = (await readAll(operator, since)).flatMap(({ sims }) => sims)
    assert.deepEqual(
      listed.map(({ iccid }) => iccid),
      [sim.iccid],
    )
    const query = { sim: { iccid: sim.iccid }, cycle: 'previous' } as const
    const before = await operator.getUsage(query, signal)
    const { accounts } = await bench.emulator.state()
    const known = accounts[0]?.sims.find(({ iccid }) => iccid === sim.iccid)
    assert.equal(before.dataBytes, known?.previous?.bytes)
    assert.equal(before.cycleEnd.getTime(), known?.current.startMs)
  })

  test('Control Center: half a change is no change, and may be sent again', async () => {
    const operator = bench.open('cisco')
    const sim = await freshSim(bench, 'active')
    const asked = requestFor(sim, 'safe_custody', 'active')
    const sentAt = bench.now()
    await bench.emulator.patch({ sims: [{ iccid: sim.iccid, state: 'suspended' }] })
    assert.equal((await operator.findAction({ ...asked, sentAt }, signal)).state, 'undecided')
    await bench.moveClock(operator.caps.settleMs)
    assert.equal((await operator.findAction({ ...asked, sentAt }, signal)).state, 'absent')
  })

  test('a job that fails late is rejected with its reason', async () => {
    const operator = bench.open('airtel')
    const sim = await freshSim(bench, 'active')
    const asked = requestFor(sim, 'safe_custody', 'active')
    const sentAt = bench.now()
    await operator.testConnection(signal)
    await bench.emulator.fault({ kind: 'job_fail', method: 'POST', text: 'HLR is not reachable' })
    const { job } = await operator.submit(asked, signal)
    await bench.moveClock(60_000)
    assert.deepEqual(await operator.findAction({ ...asked, sentAt, job }, signal), {
      state: 'rejected',
      job,
      detail: 'HLR is not reachable',
    })
    assert.equal((await operator.getSim(asked.sim, signal)).status, 'active')
  })

  test('a token that was revoked, or that expired, is fetched anew, and the action is done once', async () => {
    const operator = bench.open('airtel')
    const sim = await freshSim(bench, 'active')
    await operator.getSim({ iccid: sim.iccid }, signal)
    await bench.emulator.patch({ revoke_tokens: true })
    await operator.submit(requestFor(sim, 'safe_custody', 'active'), signal)
    assert.equal((await receivedFor(bench, sim.iccid)).length, 1)
    await bench.moveClock(HOUR_MS)
    await operator.getSim({ iccid: sim.iccid }, signal)
  })

  test('a job platform goes by numbers, and refuses a SIM without one before it is called', async () => {
    const operator = bench.open('airtel')
    const sim = await freshSim(bench, 'active')
    const asked = { ...requestFor(sim, 'safe_custody', 'active'), sim: { iccid: sim.iccid } }
    assert.equal((await refusalOf(operator.submit(asked, signal))).kind, 'rejected')
    assert.equal((await refusalOf(operator.getUsage({ sim: asked.sim, cycle: 'current' }, signal))).kind, 'rejected')
  })
})

test('however many ask at once, a platform sees as many calls at once as it allows, also through two connections of one credential', async (t) => {
  const own = await startBench({ clock: new Date('2026-11-10T06:00:00Z'), sims: 4 })
  t.after(() => own.emulator.stop())
  const { accounts } = await own.emulator.state()
  const sims = accounts[0]?.sims ?? []
  const gates = freeGates()
  const deps = { guard: testGuard, gates, now: own.now }
  const operators = [openOperator(ciscoConnection(own.emulator.url), deps), openOperator(ciscoConnection(own.emulator.url), deps)]
  await own.emulator.fault({ kind: 'slow', ms: 20, count: 8 })
  await Promise.all(operators.flatMap((operator) => sims.map(({ iccid }) => operator.getSim({ iccid }, signal))))
  const { calls } = await own.emulator.state()
  assert.deepEqual([calls.count, calls.mostAtOnce], [8, 1])
})
