// Goal: what is asked for is done at the operator once, whatever goes wrong on the way, and the SIM shows what became of it. Method: the routes
// and the background work over a real database, both adapters against the emulator with faults, by a clock that the test moves.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { untilTaken } from '../../test-support.ts'
import { type EmulatedState, openSimDesk } from '../test-sim-desk.ts'

/** What is held back is waited for as long. */
const desk = await openSimDesk({ after }, { isEmulated: true, totalMs: 2_000 })
const { call, emulator, simOf, untilSettled, knownSim } = desk
const DAY_MS = 86_400_000

async function ask(simId: string, action: string, body: object = {}) {
  const answer = await call('POST', `/sims/${simId}/${action}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function refusal(simId: string, action: string, body: object = {}) {
  const { status, body: answer, text } = await call('POST', `/sims/${simId}/${action}`, body)
  assert.notEqual(status, 200, text)
  return { status, ...answer.error }
}
async function eventsOf(simId: string) {
  const { rows } = await desk.database.systemPool.query<{ type: string; data: Record<string, unknown> }>(
    `select type, data from event_outbox where data->>'simId' = $1 order by outbox_id`,
    [simId],
  )
  return rows
}
const actionsOf = async (simId: string) => (await call('GET', `/sims/${simId}/actions`)).body.actions

type Case = readonly ['cisco' | 'airtel', EmulatedState, string, object, string]
const cases: readonly Case[] = [
  ['cisco', 'inventory', 'activate', { rate_plan: 'M2M-100MB' }, 'active'],
  ['cisco', 'inventory', 'activate', { mode: 'test' }, 'test'],
  ['cisco', 'active', 'suspend', { reason: 'Stolen' }, 'suspended'],
  ['cisco', 'suspended', 'activate', {}, 'active'],
  ['cisco', 'active', 'safe-custody', { days: 60 }, 'safe_custody'],
  ['airtel', 'inventory', 'activate', { rate_plan: 'M2M-100MB' }, 'active'],
  ['airtel', 'test', 'activate', { rate_plan: 'M2M-100MB' }, 'active'],
  ['airtel', 'active', 'safe-custody', { days: 60 }, 'safe_custody'],
  ['airtel', 'active', 'terminate', {}, 'terminating'],
]

describe('an action', () => {
  for (const [operator, state, action, body, to] of cases) {
    test(`${operator}: ${action} ${JSON.stringify(body)} makes ${state} to ${to} by one request, and publishes it`, async () => {
      const { id, iccid } = await knownSim(operator, state)
      const { sim, action: asked } = await ask(id, action, body)
      assert.deepEqual([sim.pending_action, asked?.state], [asked?.action, 'pending'])
      await untilSettled(id)
      assert.equal((await simOf(id)).status, to)
      assert.equal((await desk.received(iccid)).length, 1)
      const { history } = (await call('GET', `/sims/${id}/history`)).body
      const entry = history.find(({ action_id }) => action_id === asked?.action_id)
      assert.deepEqual([entry?.change, entry?.status, entry?.source, entry?.actor_type], ['status', to, 'request', 'key'])
      const events = await eventsOf(id)
      assert.deepEqual(
        events.map(({ type, data }) => [type, data['status']]),
        [['sim.state.changed', to]],
      )
      assert.equal((await actionsOf(id))[0]?.state, 'done')
      // What the operator reports of it now agrees.
      await desk.moveClock(1_000)
    })
  }

  test('a key of a sub-client activates its SIM, but on no other plan of the operator: a rate plan may follow from that', async () => {
    await call('POST', '/api/external/sub-clients', { name: 'billed', sub_client_id: 'billed' })
    const pinned = await desk.as('acme', 'billed')
    const { id } = await knownSim('cisco', 'inventory')
    const { rate_plan } = (await call('PUT', `/sims/${id}`, { sub_client_id: 'billed' })).body.sim
    const asked = { action: 'activate', sim_ids: [id], rate_plan: 'CHEAPER' }
    assert.equal((await pinned('POST', '/sims/bulk', asked)).body.results[0]?.error?.code, 'missing_scope')
    const { status, body } = await pinned('POST', `/sims/${id}/activate`, { rate_plan: 'CHEAPER' })
    assert.deepEqual([status, body.error.code], [403, 'missing_scope'])
    assert.equal((await pinned('POST', `/sims/${id}/activate`, { rate_plan })).status, 200, 'its own')
    await untilSettled(id)
  })

  test('the reason for which one sub-client had a SIM suspended is not shown to the next that has it, but in the history of before', async () => {
    for (const id of ['gave', 'got']) await call('POST', '/api/external/sub-clients', { name: id, sub_client_id: id })
    const give = async (id: string, to: string) => assert.equal((await call('PUT', `/sims/${id}`, { sub_client_id: to })).status, 200)
    const seen = async (id: string) => {
      const { history } = (await call('GET', `/sims/${id}/history`)).body
      const reasons = history.filter(({ reason }) => reason !== null).map(({ sub_client_id, reason }) => [sub_client_id, reason])
      const { status, suspended_by, suspended_reason } = await simOf(id)
      return [status, suspended_by, suspended_reason, reasons]
    }
    const asked = { reason: 'The driver was dismissed' }
    const [settled, pending] = [await knownSim('cisco', 'active'), await knownSim('cisco', 'active')]
    for (const { id } of [settled, pending]) await give(id, 'gave')
    await ask(settled.id, 'suspend', asked)
    await untilSettled(settled.id)
    await give(settled.id, 'got')
    assert.deepEqual(await seen(settled.id), ['suspended', 'customer', null, [['gave', asked.reason]]])
    await ask(pending.id, 'suspend', asked)
    await give(pending.id, 'got')
    await untilSettled(pending.id)
    assert.deepEqual(await seen(pending.id), ['suspended', 'customer', null, []])
    assert.deepEqual(
      (await eventsOf(pending.id)).map(({ data }) => data['reason']),
      [null],
    )
    assert.equal((await actionsOf(pending.id))[0]?.reason, asked.reason, 'of the sub-client that asked')
  })

  test('out of an emulated custody a SIM has the plan of before', async () => {
    const { id } = await knownSim('cisco', 'active')
    const plan = (await simOf(id)).rate_plan
    await ask(id, 'safe-custody')
    await untilSettled(id)
    const parked = await simOf(id)
    assert.deepEqual([parked.rate_plan, parked.safe_custody_until === null], ['PARKING', false])
    await ask(id, 'activate')
    await untilSettled(id)
    const resumed = await simOf(id)
    assert.deepEqual([resumed.status, resumed.rate_plan, resumed.safe_custody_until], ['active', plan, null])
  })

  test('asked of a SIM in that state it does nothing and answers 200', async () => {
    const { id, iccid } = await knownSim('cisco', 'active')
    const answer = await ask(id, 'activate')
    assert.deepEqual([answer.success, answer.action, answer.sim.pending_action], [true, null, null])
    assert.equal((await desk.received(iccid)).length, 0)
    assert.deepEqual(await actionsOf(id), [])
  })

  test('that no move leads to is refused with what is possible', async () => {
    const { id } = await knownSim('cisco', 'inventory')
    const refused = await refusal(id, 'suspend')
    assert.deepEqual([refused.status, refused.code], [409, 'invalid_transition'])
    assert.deepEqual(refused.details, { status: 'inventory', action: 'suspend', possible: ['active', 'test'] })
    // Airtel's platform knows no suspension that customers ask for.
    const { id: other } = await knownSim('airtel', 'active')
    assert.deepEqual((await refusal(other, 'suspend')).details?.['possible'], ['safe_custody', 'terminating'])
  })

  test('is one at a time', async () => {
    const { id, iccid } = await knownSim('cisco', 'active')
    const [first, ...others] = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        untilTaken(() => call('POST', `/sims/${id}/${nth % 2 === 0 ? 'suspend' : 'safe-custody'}`, {})),
      ),
    ).then((answers) => answers.sort((a, b) => a.status - b.status))
    assert.equal(first?.status, 200)
    for (const { status, body } of others) assert.deepEqual([status, body.error.code], [409, 'sim_action_in_progress'])
    await untilSettled(id)
    assert.equal((await desk.received(iccid)).length, 1)
  })

  test('a refusal of the operator leaves the SIM as it was, and has its reason', async () => {
    const { id } = await knownSim('airtel', 'active')
    await emulator.fault({ kind: 'job_fail', method: 'POST', text: 'HLR is not reachable', path: '*suspend*' })
    await ask(id, 'safe-custody')
    await untilSettled(id)
    const [action] = await actionsOf(id)
    assert.deepEqual([action?.state, action?.error], ['failed', { code: 'rejected', message: 'HLR is not reachable' }])
    assert.equal((await simOf(id)).status, 'active')
    const [event] = await eventsOf(id)
    assert.deepEqual([event?.type, event?.data['code'], event?.data['status']], ['sim.action.failed', 'rejected', 'active'])
    await ask(id, 'safe-custody')
    await untilSettled(id)
    assert.equal((await simOf(id)).status, 'safe_custody')
  })

  test('waits while the operator is away, and is given up after a day without being sent', async () => {
    const { id, iccid } = await knownSim('cisco', 'active')
    await emulator.fault({ kind: 'too_many', retry_after_s: 3_600, count: 1_000 })
    await ask(id, 'suspend')
    await untilSettled(id)
    await emulator.clearFaults()
    const [action] = await actionsOf(id)
    assert.deepEqual([action?.state, action?.error?.code], ['failed', 'timed_out'])
    assert.deepEqual([(await simOf(id)).status, (await desk.received(iccid)).length], ['active', 0])
  })
})

const faults = [
  'timeout_after',
  'hang_up_after',
  'error_after',
  'timeout_before',
  'hang_up_before',
  'error',
  'too_many',
  'garbage',
  'truncated',
  'slow',
] as const

describe('exactly one job at the operator', () => {
  for (const operator of ['cisco', 'airtel'] as const) {
    for (const kind of faults) {
      test(`${operator}: ${kind}`, async () => {
        const { id, iccid } = await knownSim(operator, 'active')
        const method = operator === 'cisco' ? 'PUT' : 'POST'
        const path = operator === 'cisco' ? '*devices*' : '*job/*'
        await emulator.fault({ kind, method, path, count: 1, ...(kind === 'slow' ? { ms: 6_000 } : {}) })
        await ask(id, 'safe-custody')
        await untilSettled(id)
        await emulator.clearFaults()
        assert.equal((await simOf(id)).status, 'safe_custody')
        const taken = (await desk.received(iccid)).filter(({ outcome }) => outcome !== 'rejected')
        assert.equal(taken.length, 1, JSON.stringify(taken))
      })
    }
  }

  test('a job that is done days late is waited for, and one that never reports is left to the next synchronisation', async () => {
    const { id, iccid } = await knownSim('airtel', 'active')
    await emulator.fault({ kind: 'job_late', method: 'POST', path: '*job/*', ms: 2 * DAY_MS })
    await ask(id, 'safe-custody')
    const endless = await knownSim('airtel', 'active')
    await desk.runJobs()
    await emulator.fault({ kind: 'job_late', method: 'POST', path: '*job/*', ms: 30 * DAY_MS })
    await ask(endless.id, 'safe-custody')
    await desk.runJobs()
    for (const wait of [DAY_MS, DAY_MS + 3_600_000, 2 * DAY_MS]) {
      await desk.moveClock(wait)
      await desk.runJobs()
    }
    assert.deepEqual([(await simOf(id)).status, (await desk.received(iccid)).length], ['safe_custody', 1])
    assert.deepEqual([(await actionsOf(endless.id))[0]?.error?.code, (await simOf(endless.id)).status], ['outcome_unknown', 'active'])
    assert.equal((await desk.received(endless.iccid)).length, 1)
  })
})
