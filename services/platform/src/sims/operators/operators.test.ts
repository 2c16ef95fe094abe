// Goal: both adapters keep what the interface promises, against a platform that really changes its state. Method: one suite for both, against the
// emulator in a process of its own, over HTTP, by one clock that only the test moves.

import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { FaultKind } from '@roadworthy/operator-emulator/faults'
import { onceTimeIsOver } from '../../test-time-over.ts'
import { type ActionRequest, type ActionSearch, type OperatorError, operatorIds, type SimOperator } from './operator.ts'
import { freshSim, type OperatorBench, readAll, receivedFor, refusalOf, requestFor, simsOf, startBench } from './test-operator.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const signal = new AbortController().signal
const LIMITS = { connectMs: 20_000, totalMs: 30_000, maxAnswerBytes: 1_000_000 }

let bench: OperatorBench
before(async () => {
  bench = await startBench({ clock: new Date('2026-11-10T06:00:00Z'), accounts: 2, sims: 130, jobMs: 10_000 })
})

after(() => bench.emulator.stop())

/** How a change ends that the platform does not answer as it should: where it does not answer at all, when the time for it is over. */
async function refusalOfSubmit(t: TestContext, operator: SimOperator, asked: ActionRequest, kind: FaultKind): Promise<OperatorError> {
  const { count } = (await bench.emulator.state()).calls
  await bench.emulator.fault({ kind, method: operator.caps.async ? 'POST' : 'PUT', path: '*' })
  const submit = () => operator.submit(asked, signal)
  const isAsked = async () => (await bench.emulator.state()).calls.count > count
  return await refusalOf(kind.startsWith('timeout') ? onceTimeIsOver(t, LIMITS.totalMs, submit, isAsked) : submit())
}

/** What each platform does from which state, as `[state of the emulator, our state, action, status it leads to]`. */
const moves = {
  cisco: [
    ['inventory', 'inventory', 'activate', 'active'],
    ['inventory', 'inventory', 'activate_test', 'test'],
    ['test', 'test', 'activate', 'active'],
    ['active', 'active', 'suspend', 'suspended'],
    ['suspended', 'suspended', 'resume', 'active'],
    ['active', 'active', 'safe_custody', 'safe_custody'],
    ['custody', 'safe_custody', 'resume', 'active'],
    ['active', 'active', 'terminate', 'terminated'],
  ],
  airtel: [
    ['inventory', 'inventory', 'activate', 'active'],
    ['inventory', 'inventory', 'activate_test', 'test'],
    ['test', 'test', 'activate', 'active'],
    ['active', 'active', 'safe_custody', 'safe_custody'],
    ['custody', 'safe_custody', 'resume', 'active'],
    ['active', 'active', 'terminate', 'terminating'],
    ['disconnecting', 'terminating', 'resume_termination', 'active'],
  ],
} as const

for (const id of operatorIds) {
  describe(id, () => {
    let operator: SimOperator
    before(() => {
      operator = bench.open(id)
    })

    test('proves its credentials, and reports when they are refused', async () => {
      await operator.testConnection(signal)
      const secrets =
        id === 'cisco' ? { username: 'user-1', apiKey: 'wrong' } : { clientId: 'client-1', clientSecret: 'wrong', apiKey: 'apikey-1' }
      const wrong = bench.open(id, { connection: { secrets } as never })
      const { kind, message } = await refusalOf(wrong.testConnection(signal))
      assert.equal(kind, 'auth')
      assert.doesNotMatch(message, /wrong/)
    })

    test('lists every SIM of the account once, page by page, in our words', async () => {
      const pages = await readAll(operator)
      const { accounts } = await bench.emulator.state()
      const sims = pages.flatMap((page) => page.sims)
      assert.ok(pages.length > 1)
      assert.deepEqual(sims.map(({ iccid }) => iccid).toSorted(), accounts[0]?.sims.map(({ iccid }) => iccid).toSorted())
      assert.deepEqual(
        pages.flatMap(({ refused }) => refused),
        [],
      )
      const expected = { inventory: 'inventory', test: 'test', active: 'active', suspended: 'suspended', custody: 'safe_custody' } as const
      for (const [state, status] of Object.entries(expected)) {
        const [known] = await simsOf(bench, state)
        assert.equal(sims.find(({ iccid }) => iccid === known?.iccid)?.status, status, state)
      }
    })

    test('reports a SIM in full, with its 13-digit number and the device it is in', async () => {
      const [known] = await simsOf(bench, 'active')
      assert.ok(known)
      const sim = await operator.getSim({ iccid: known.iccid }, signal)
      assert.equal(sim.msisdn, known.msisdn)
      assert.equal(sim.msisdn?.length, 13)
      assert.equal(sim.imei, known.imei)
      assert.equal(sim.status, 'active')
      assert.ok(sim.activatedAt instanceof Date)
      const before = Math.abs(bench.now().getTime() - sim.activatedAt.getTime())
      assert.ok(before < 200 * DAY_MS)
    })

    test('does not know the SIM of another account, nor one that vanished', async () => {
      const [other] = await simsOf(bench, 'active', 2)
      assert.equal((await refusalOf(operator.getSim({ iccid: other?.iccid ?? '' }, signal))).kind, 'not_found')
      const sim = await freshSim(bench, 'active')
      await bench.emulator.patch({ sims: [{ iccid: sim.iccid, hidden: true }] })
      assert.equal((await refusalOf(operator.getSim({ iccid: sim.iccid }, signal))).kind, 'not_found')
      await bench.emulator.patch({ sims: [{ iccid: sim.iccid, hidden: false }] })
    })

    test('hands on a state that it does not know as text, and refuses a row without one by its ICCID', async () => {
      const [strange, empty] = [await freshSim(bench, 'active'), await freshSim(bench, 'active')]
      await bench.emulator.patch({
        sims: [
          { iccid: strange.iccid, word: 'QUARANTINED' },
          { iccid: empty.iccid, word: '' },
        ],
      })
      const pages = await readAll(operator)
      const reported = pages.flatMap(({ sims }) => sims).find(({ iccid }) => iccid === strange.iccid)
      assert.deepEqual([reported?.status, reported?.operatorStatus], [undefined, 'QUARANTINED'])
      const [refused] = pages.flatMap((page) => page.refused)
      assert.equal(refused?.iccid, empty.iccid)
      assert.match(refused.message, /status/)
      await bench.emulator.patch({ sims: [{ iccid: empty.iccid, word: null }] })
    })

    test('reports usage that grows within a cycle and begins anew with the next', async () => {
      const sim = await freshSim(bench, 'active')
      const query = { sim: { iccid: sim.iccid, msisdn: sim.msisdn }, cycle: 'current' } as const
      const first = await operator.getUsage(query, signal)
      assert.ok(first.cycleStart <= bench.now() && bench.now() < first.cycleEnd)
      await bench.emulator.patch({ sims: [{ iccid: sim.iccid, add_bytes: 50 * 1_048_576 }] })
      const second = await operator.getUsage(query, signal)
      const rise = second.dataBytes - first.dataBytes
      assert.ok(Math.abs(rise - 50 * 1_048_576) <= 2 * second.resolutionBytes, `rose by ${rise}`)
      assert.equal(second.cycleStart.getTime(), first.cycleStart.getTime())
      await bench.moveClock(first.cycleEnd.getTime() + DAY_MS - bench.now().getTime())
      const third = await operator.getUsage(query, signal)
      assert.equal(third.cycleStart.getTime(), first.cycleEnd.getTime())
      assert.ok(third.dataBytes < second.dataBytes)
    })

    for (const [state, from, action, status] of moves[id]) {
      test(`${action} makes ${from} to ${status} by one request`, async () => {
        const sim = await freshSim(bench, state)
        const asked = requestFor(sim, action, from)
        const sentAt = bench.now()
        const { state: first, job } = await operator.submit(asked, signal)
        if (first === 'running') {
          assert.deepEqual(await operator.findAction({ ...asked, sentAt, job }, signal), { state: 'running', job })
          assert.equal((await operator.getSim(asked.sim, signal)).isChanging, true)
          await bench.moveClock(60_000)
        }
        const found = await operator.findAction({ ...asked, sentAt, job }, signal)
        assert.equal(found.state, 'done')
        assert.equal((await operator.getSim(asked.sim, signal)).status, status)
        assert.equal((await receivedFor(bench, sim.iccid)).length, 1)
      })
    }

    test('refuses what its capabilities do not name, without a call', async () => {
      const sim = await freshSim(bench, 'active')
      const { calls } = await bench.emulator.state()
      const other = (['suspend', 'resume_termination'] as const).find((action) => !operator.caps.actions.includes(action))
      assert.ok(other)
      assert.equal((await refusalOf(operator.submit(requestFor(sim, other, 'active'), signal))).kind, 'rejected')
      assert.equal((await bench.emulator.state()).calls.count, calls.count)
    })

    test('reports a move that the platform does not allow as rejected, with the reason', async () => {
      const sim = await freshSim(bench, 'inventory')
      const asked = requestFor(sim, 'safe_custody', 'active')
      const sentAt = bench.now()
      if (id === 'cisco') {
        const { kind, message } = await refusalOf(operator.submit(asked, signal))
        assert.equal(kind, 'rejected')
        assert.match(message, /inventory/)
      } else {
        const { job } = await operator.submit(asked, signal)
        const found = await operator.findAction({ ...asked, sentAt, job }, signal)
        assert.ok(found.state === 'rejected')
        assert.match(found.detail, /inventory/)
      }
      assert.equal((await operator.getSim(asked.sim, signal)).status, 'inventory')
    })

    for (const kind of ['timeout_after', 'hang_up_after', 'error_after', 'garbage', 'truncated'] as const) {
      test(`does not know the outcome after ${kind}, and finds that it was done`, async (t) => {
        const sim = await freshSim(bench, 'active')
        const asked = requestFor(sim, 'safe_custody', 'active')
        const otherJobs = await operator.earlierJobs(asked.sim, signal)
        const sentAt = bench.now()
        const own = bench.open(id, { limits: LIMITS })
        await own.testConnection(signal)
        assert.equal((await refusalOfSubmit(t, own, asked, kind)).kind, 'unknown_outcome')
        const search: ActionSearch = { ...asked, sentAt, otherJobs }
        if (operator.caps.async) {
          assert.equal((await operator.findAction(search, signal)).state, 'running')
          await bench.moveClock(60_000)
        }
        assert.equal((await operator.findAction(search, signal)).state, 'done')
        assert.equal((await receivedFor(bench, sim.iccid)).length, 1)
      })
    }

    for (const kind of ['timeout_before', 'hang_up_before', 'error'] as const) {
      test(`does not know the outcome after ${kind}, and finds it absent only when nothing can come any more`, async (t) => {
        const sim = await freshSim(bench, 'active')
        const asked = requestFor(sim, 'safe_custody', 'active')
        const sentAt = bench.now()
        const own = bench.open(id, { limits: LIMITS })
        await own.testConnection(signal)
        assert.equal((await refusalOfSubmit(t, own, asked, kind)).kind, 'unknown_outcome')
        const early = await operator.findAction({ ...asked, sentAt }, signal)
        assert.ok(early.state === 'undecided')
        assert.ok(early.retryAfterMs > 0 && early.retryAfterMs <= operator.caps.settleMs)
        await bench.moveClock(operator.caps.settleMs)
        assert.deepEqual(await operator.findAction({ ...asked, sentAt }, signal), { state: 'absent' })
        assert.equal((await receivedFor(bench, sim.iccid)).length, 0)
      })
    }

    test('does not take an earlier action of the same kind for this one', async () => {
      const sim = await freshSim(bench, 'active')
      const asked = requestFor(sim, 'safe_custody', 'active')
      const jobs = [(await operator.submit(asked, signal)).job]
      await bench.moveClock(20_000)
      jobs.push((await operator.submit(requestFor(sim, 'resume', 'safe_custody'), signal)).job)
      await bench.moveClock(20_000)
      const otherJobs = await operator.earlierJobs(asked.sim, signal)
      if (operator.caps.async) assert.deepEqual(otherJobs.toSorted(), jobs.toSorted())
      const sentAt = bench.now()
      await bench.emulator.fault({ kind: 'hang_up_before', method: id === 'cisco' ? 'PUT' : 'POST', path: '*' })
      assert.equal((await refusalOf(operator.submit(asked, signal))).kind, 'unknown_outcome')
      await bench.moveClock(operator.caps.settleMs)
      assert.deepEqual(await operator.findAction({ ...asked, sentAt, otherJobs }, signal), { state: 'absent' })
    })

    test('reports as done what was done and changed again since', async () => {
      const sim = await freshSim(bench, 'active')
      const asked = requestFor(sim, 'safe_custody', 'active')
      const sentAt = bench.now()
      const otherJobs = await operator.earlierJobs(asked.sim, signal)
      await operator.submit(asked, signal)
      await bench.moveClock(30_000)
      await bench.emulator.patch({ sims: [{ iccid: sim.iccid, state: 'active' }] })
      await bench.moveClock(HOUR_MS)
      assert.equal((await operator.findAction({ ...asked, sentAt, otherJobs }, signal)).state, 'done')
    })

    test('sends nothing while the platform wants to be left alone, and reports how long that is', async () => {
      for (const [retryAfter, least, most] of [
        [7, 6_000, 7_000],
        [undefined, 59_000, 60_000],
      ] as const) {
        const own = bench.open(id)
        await own.testConnection(signal)
        const sim = await freshSim(bench, 'active')
        const method = id === 'cisco' ? 'PUT' : 'POST'
        await bench.emulator.fault({
          kind: 'too_many',
          method,
          path: '*',
          ...(retryAfter === undefined ? {} : { retry_after_s: retryAfter }),
        })
        const refused = await refusalOf(own.submit(requestFor(sim, 'safe_custody', 'active'), signal))
        assert.equal(refused.kind, 'rate')
        assert.ok((refused.retryAfterMs ?? 0) >= least && (refused.retryAfterMs ?? 0) <= most, `${refused.retryAfterMs}`)
        const { calls } = await bench.emulator.state()
        const held = await refusalOf(own.getSim({ iccid: sim.iccid }, signal))
        assert.equal(held.kind, 'rate')
        assert.ok((held.retryAfterMs ?? 0) > 0)
        assert.equal((await bench.emulator.state()).calls.count, calls.count)
        assert.equal((await receivedFor(bench, sim.iccid)).length, 0)
      }
    })

    for (const [kind, what] of [
      ['garbage', /not JSON/],
      ['truncated', /not JSON/],
      ['wrong_type', /page 1/i],
      ['flood', /longer than/],
      ['error', /500/],
      ['hang_up_before', /No answer/],
    ] as const) {
      test(`names what was wrong with a page after ${kind}, and reads it the next time`, async () => {
        const own = bench.open(id)
        await own.testConnection(signal)
        const field = kind === 'wrong_type' ? { field: id === 'cisco' ? 'iccid' : 'simNo', value: 8_991_000_000 } : {}
        await bench.emulator.fault({ kind, method: 'GET', ...field })
        const error = await refusalOf(own.listSims({}, signal))
        assert.equal(error.kind, 'unavailable')
        assert.match(error.message, what)
        assert.ok((await own.listSims({}, signal)).sims.length > 0)
      })
    }

    test('ends a list that shows the same page again', async () => {
      const own = bench.open(id)
      const { next } = await own.listSims({}, signal)
      await bench.emulator.fault({ kind: 'repeat_page', method: 'GET', count: 100 })
      const error = await refusalOf(readAll(own))
      await bench.emulator.clearFaults()
      assert.match(error.message, /same as the one before/)
      assert.ok(next)
      assert.equal((await refusalOf(own.listSims({ cursor: 'anything' }, signal))).kind, 'rejected')
    })

    test('an operator that stops waiting reports whether the request may have been read', async () => {
      const sim = await freshSim(bench, 'active')
      const own = bench.open(id)
      await own.testConnection(signal)
      assert.equal((await refusalOf(own.submit(requestFor(sim, 'safe_custody', 'active'), AbortSignal.abort()))).kind, 'unavailable')
      assert.equal((await receivedFor(bench, sim.iccid)).length, 0)
    })
  })
}
