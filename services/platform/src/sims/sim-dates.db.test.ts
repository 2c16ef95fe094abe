// Goal: what was agreed with a date happens on it, and not before; and many SIMs are judged one by one. Method: the routes and the background
// work over a real database, both adapters against the emulator, by a clock that the test moves.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSimDesk } from './test-sim-desk.ts'

const desk = await openSimDesk({ after }, { isEmulated: true })
const { call, simOf, untilSettled, knownSim } = desk
const DAY_MS = 86_400_000

async function ask(simId: string, action: string, body: object = {}) {
  const answer = await call('POST', `/sims/${simId}/${action}`, body)
  assert.equal(answer.status, 200, answer.text)
  await untilSettled(simId)
  return await simOf(simId)
}
async function passDays(count: number) {
  await desk.moveClock(count * DAY_MS)
  // What comes due asks for an action, and that for looking after it.
  for (let round = 0; round < 6; round++) {
    await desk.runJobs()
    await desk.moveClock(30_000)
  }
}

test('safe custody is for the days that were agreed', async () => {
  const { id } = await knownSim('cisco', 'active')
  const refused = async (body: object) => (await call('POST', `/sims/${id}/safe-custody`, body)).body.error.details?.['field']
  assert.equal(await refused({ days: 29 }), 'days')
  assert.equal(await refused({ days: 91 }), 'days')
  assert.equal(await refused({ until: '2026-11-19T00:00:00.000Z' }), 'until')
  assert.equal(await refused({ until: '2027-12-01T00:00:00.000Z' }), 'until')
  assert.equal(await refused({ days: 40, until: '2027-01-15T00:00:00.000Z' }), 'days')
  const until = new Date(desk.clock.now.getTime() + 40 * DAY_MS).toISOString()
  assert.equal((await ask(id, 'safe-custody', { until })).safe_custody_until, until)
})

for (const operator of ['cisco', 'airtel'] as const) {
  test(`${operator}: custody that ends leaves the SIM suspended, barred as it was, until it is activated`, async () => {
    const { id, iccid } = await knownSim(operator, 'active')
    await ask(id, 'safe-custody', { days: 30 })
    await passDays(29)
    assert.equal((await simOf(id)).status, 'safe_custody')
    await passDays(1)
    const ended = await simOf(id)
    assert.deepEqual([ended.status, ended.suspended_by, ended.safe_custody_until], ['suspended', 'system', null])
    assert.equal((await desk.received(iccid)).length, 1, 'the operator has nothing to do')
    // What the operator reports of it, which is custody, is what it should.
    await desk.see(operator, iccid)
    assert.equal((await simOf(id)).status, 'suspended')
    assert.equal((await ask(id, 'activate')).status, 'active')
    assert.equal((await desk.received(iccid)).length, 2)
  })
}

test('custody that ends activates the SIM where its connection sets it', async () => {
  const id = desk.connectionIds.airtel
  assert.equal((await call('PUT', `/operator-connections/${id}`, { custody_on_expiry: 'activate' })).status, 200)
  const sim = await knownSim('airtel', 'active')
  await ask(sim.id, 'safe-custody', { days: 30 })
  await passDays(31)
  assert.equal((await simOf(sim.id)).status, 'active')
  const [entry] = (await call('GET', `/sims/${sim.id}/history`)).body.history
  assert.deepEqual([entry?.source, entry?.actor_type], ['system', 'system'])
  await call('PUT', `/operator-connections/${id}`, { custody_on_expiry: 'suspend' })
})

test('custody that ends does not activate the SIM of a suspended sub-client', async () => {
  const id = desk.connectionIds.airtel
  assert.equal((await call('PUT', `/operator-connections/${id}`, { custody_on_expiry: 'activate' })).status, 200)
  assert.equal((await call('POST', '/api/external/sub-clients', { name: 'Resting', sub_client_id: 'resting' })).status, 200)
  const sim = await knownSim('airtel', 'active')
  assert.equal((await call('PUT', `/sims/${sim.id}`, { sub_client_id: 'resting' })).status, 200)
  await ask(sim.id, 'safe-custody', { days: 30 })
  assert.equal((await call('PUT', '/api/external/sub-clients/resting', { status: 'suspended' })).status, 200)
  await passDays(31)
  const ended = await simOf(sim.id)
  assert.deepEqual([ended.status, ended.suspended_by, ended.suspended_reason], ['suspended', 'system', 'Its sub-client is suspended.'])
  assert.equal((await call('PUT', '/api/external/sub-clients/resting', { status: 'active' })).status, 200)
  assert.equal((await ask(sim.id, 'activate')).status, 'active')
  await call('PUT', `/operator-connections/${id}`, { custody_on_expiry: 'suspend' })
})

for (const operator of ['cisco', 'airtel'] as const) {
  test(`${operator}: a termination can be taken back within its grace, and is final after it`, async () => {
    const back = await knownSim(operator, 'active')
    const terminating = await ask(back.id, 'terminate', { reason: 'Vehicle sold' })
    assert.deepEqual([terminating.status, terminating.possible], ['terminating', ['active']])
    await desk.see(operator, back.iccid)
    assert.equal((await simOf(back.id)).status, 'terminating', 'the operator reports what it should')
    assert.equal((await ask(back.id, 'activate')).status, 'active')
    await desk.see(operator, back.iccid)
    assert.deepEqual([(await simOf(back.id)).status, (await simOf(back.id)).terminates_at], ['active', null])

    const { id, iccid } = await knownSim(operator, 'active')
    await ask(id, 'terminate')
    await passDays(4)
    assert.equal((await simOf(id)).status, 'terminating')
    await passDays(2)
    const ended = await simOf(id)
    assert.deepEqual([ended.status, ended.possible], ['terminated', []])
    assert.equal((await call('POST', `/sims/${id}/activate`, {})).body.error.code, 'invalid_transition')
    assert.equal((await call('POST', `/sims/${id}/terminate`, {})).body.action, null)
    const { accounts } = await desk.emulator.state()
    assert.equal(accounts[0]?.sims.find((each) => each.iccid === iccid)?.state, 'terminated')
  })
}

test('of many SIMs each has its result', async () => {
  const [active, suspended, ready] = [
    await knownSim('cisco', 'active'),
    await knownSim('cisco', 'suspended'),
    await knownSim('cisco', 'inventory'),
  ]
  const simIds = [active.id, suspended.iccid, ready.id, 'sim-00000000000000000000', active.id]
  const { status, body } = await call('POST', '/sims/bulk', { sim_ids: simIds, action: 'suspend', reason: 'Unpaid' })
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map(({ index, status: result, error }) => [index, result, error?.code ?? null]),
    [
      [0, 'accepted', null],
      [1, 'unchanged', null],
      [2, 'refused', 'invalid_transition'],
      [3, 'refused', 'not_found'],
      [4, 'refused', 'sim_action_in_progress'],
    ],
  )
  assert.deepEqual([body.success, body.accepted, body.unchanged, body.refused], [false, 1, 1, 3])
  await untilSettled(active.id)
  assert.equal((await simOf(active.id)).suspended_reason, 'Unpaid')
  const tooMany = await call('POST', '/sims/bulk', { sim_ids: Array(501).fill(active.id), action: 'suspend' })
  assert.equal(tooMany.status, 400)
  assert.equal((await call('POST', '/sims/bulk', { sim_ids: [active.id], action: 'suspend', days: 40 })).status, 400)
})

test('SIMs of a suspended sub-client are barred and ended by its reseller, and not activated', async () => {
  assert.equal((await call('POST', '/api/external/sub-clients', { name: 'Frozen', sub_client_id: 'frozen' })).status, 200)
  const sims = [await knownSim('cisco', 'active'), await knownSim('cisco', 'suspended')]
  const [active, barred] = sims.map(({ id }) => id)
  for (const { id } of sims) assert.equal((await call('PUT', `/sims/${id}`, { sub_client_id: 'frozen' })).status, 200)
  assert.equal((await call('PUT', '/api/external/sub-clients/frozen', { status: 'suspended' })).status, 200)
  const refused = await call('POST', `/sims/${barred}/activate`, {})
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'sub_client_suspended'], refused.text)
  const bulk = await call('POST', '/sims/bulk', { sim_ids: [active, barred], action: 'activate' })
  assert.deepEqual(
    bulk.body.results.map(({ error }) => error?.code),
    ['sub_client_suspended', 'sub_client_suspended'],
  )
  assert.equal((await ask(active ?? '', 'suspend')).status, 'suspended')
  assert.equal((await ask(barred ?? '', 'terminate')).status, 'terminating')
  assert.equal((await call('PUT', '/api/external/sub-clients/frozen', { status: 'active' })).status, 200)
  assert.equal((await ask(active ?? '', 'activate')).status, 'active')
})
