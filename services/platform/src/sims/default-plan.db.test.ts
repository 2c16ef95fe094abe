// Goal: a SIM that no rate plan claims by name is billed by the default of its connection, and by nothing that somebody did not want. Method: a real
// database, the emulated operator, plans as the billing slice stores them, and a month rated from what was written down.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { monthOfLabel } from '@roadworthy/service-kit/time/zoned-time'
import { selectRatedSims, selectSimsOfCustomer } from '../billing/ledger/ledgers.read.sql.ts'
import { insertPlanVersion } from '../billing/rating/plans.sql.ts'
import { rateInvoice } from '../billing/rating/rate-invoice.ts'
import { inputOf, monthOf, planOf } from '../billing/rating/test-rating-input.ts'
import { openSimDesk } from './test-sim-desk.ts'

const desk = await openSimDesk({ after }, { isEmulated: true })
const { call, database, clock, connectionIds, emulator, knownSim, see, simOf, untilSettled } = desk
const connection = `/operator-connections/${connectionIds.cisco}`
await desk.as('rival')
assert.equal((await call('POST', '/api/external/sub-clients', { name: 'North', sub_client_id: 'north' })).status, 200)

const prices = planOf({ custodyFee: '30.00' }).prices
async function storePlan(planId: string, given: { operatorPlan?: string; archivedAt?: Date; resellerId?: string } = {}, isNew = true) {
  const { operatorPlan, archivedAt, resellerId = 'acme' } = given
  const plan = { planId, name: planId, effectiveFrom: '2026-11', operatorPlan, archivedAt, prices }
  await database.tenant(resellerId, async (db) => {
    assert.notEqual(await insertPlanVersion(db, resellerId, plan, { isNew, at: clock.now }), undefined)
  })
}
async function setDefault(planId: string | null) {
  const answer = await call('PUT', connection, { default_plan_id: planId })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.connection.default_plan_id, planId)
}
const choose = async (id: string, planId: string | null) =>
  assert.equal((await call('PUT', `/sims/${id}`, { plan_id: planId })).status, 200)
/** The next synchronisation sees the SIM, where that is given on another plan at the operator. */
async function seeAgain(iccid: string, operatorPlan?: string): Promise<string | null> {
  await desk.moveClock(60_000)
  if (operatorPlan !== undefined) await emulator.patch({ sims: [{ iccid, rate_plan: operatorPlan }] })
  return (await simOf(await see('cisco', iccid))).plan_id
}

await storePlan('base')
await storePlan('other')

test('a SIM that is found in safe custody is billed its custody fee by the default', async () => {
  await setDefault('base')
  const { id } = await knownSim('cisco', 'custody')
  const found = await simOf(id)
  assert.deepEqual([found.status, found.rate_plan, found.plan_id], ['safe_custody', 'PARKING', 'base'])
  assert.equal((await call('PUT', `/sims/${id}`, { sub_client_id: 'north' })).status, 200)
  const db = database.tenantPool('acme')
  const month = monthOfLabel('UTC', '2026-11')
  const sims = await selectRatedSims(db, 'acme', 'north', month, await selectSimsOfCustomer(db, 'acme', 'north', month))
  const plans = [planOf({ custodyFee: '30.00' }, 'base')]
  const { lines } = rateInvoice(inputOf({ issuerId: 'acme', customerId: 'north', month: monthOf('2026-11', 'UTC'), sims, plans }))
  assert.deepEqual(
    lines.map(({ kind, amountMinor }) => [kind, amountMinor]),
    [['sim_custody', 1_100]],
    'eleven of thirty days at 1.00',
  )
})

test('a SIM in test, one that is added by hand and one that was known without a plan take the default', async () => {
  await setDefault(null)
  const known = await knownSim('cisco', 'custody')
  const without = await knownSim('cisco', 'custody')
  await choose(without.id, 'base')
  await choose(without.id, null)
  assert.equal(await seeAgain(known.iccid), null)
  await setDefault('base')
  assert.equal((await simOf((await knownSim('cisco', 'test')).id)).plan_id, 'base')
  assert.equal((await desk.newSim({ connection_id: connectionIds.cisco, iccid: '8991000900000000701' })).plan_id, 'base')
  assert.equal((await desk.newSim({ connection_id: connectionIds.cisco, iccid: '8991000900000000702', plan_id: 'other' })).plan_id, 'other')
  assert.equal(await seeAgain(known.iccid), 'base')
  const [entry] = (await call('GET', `/sims/${known.id}/history`)).body.history
  assert.deepEqual([entry?.change, entry?.plan_id], ['plan', 'base'])
  assert.equal(await seeAgain(without.iccid), null, 'one whose plan was taken away stays without')
  assert.equal(await seeAgain(without.iccid, 'Unheard of'), null, 'and no default comes in its place')
})

test('a SIM on the default follows to a plan that claims it, and to another default; what somebody chose stays', async () => {
  await setDefault('base')
  const claimed = await knownSim('cisco', 'custody')
  const chosen = await knownSim('cisco', 'custody')
  const unclaimed = await knownSim('cisco', 'custody')
  for (const { iccid } of [claimed, chosen]) await seeAgain(iccid, 'M2M 7')
  await choose(chosen.id, 'base')
  await storePlan('seven', { operatorPlan: 'M2M 7' })
  assert.deepEqual(
    [await seeAgain(claimed.iccid), await seeAgain(chosen.iccid), await seeAgain(unclaimed.iccid)],
    ['seven', 'base', 'base'],
  )
  await setDefault('other')
  assert.deepEqual(
    [await seeAgain(claimed.iccid), await seeAgain(chosen.iccid), await seeAgain(unclaimed.iccid)],
    ['seven', 'base', 'other'],
  )
  assert.equal(await seeAgain(claimed.iccid, 'M2M 8'), 'other', 'a plan by name is followed to one that nothing claims')
  await setDefault(null)
  assert.equal(await seeAgain(unclaimed.iccid), 'other', 'without a default it keeps what it has')
})

test('a SIM that is activated on another operator plan is billed by what claims that from then on', async () => {
  await storePlan('hundred', { operatorPlan: 'M2M-100MB' })
  await setDefault('base')
  const { id } = await knownSim('cisco', 'test')
  assert.equal((await simOf(id)).plan_id, 'base')
  assert.equal((await call('POST', `/sims/${id}/activate`, { rate_plan: 'M2M-100MB' })).status, 200)
  await untilSettled(id)
  const [entry] = (await call('GET', `/sims/${id}/history`)).body.history
  assert.deepEqual([entry?.status, entry?.plan_id], ['active', 'hundred'])
})

test('a default has to be a plan of the reseller that is in use', async () => {
  await storePlan('of-rival', { resellerId: 'rival' })
  await storePlan('gone')
  await setDefault('gone')
  await storePlan('gone', { archivedAt: clock.now }, false)
  assert.equal((await simOf((await knownSim('cisco', 'custody')).id)).plan_id, null, 'one that was archived is for no further SIM')
  assert.equal((await call('PUT', connection, { name: 'Renamed' })).status, 200)
  await setDefault(null)
  for (const [planId, status, code] of [
    ['gone', 409, 'conflict'],
    ['of-rival', 404, 'not_found'],
    ['never-was', 404, 'not_found'],
    ['Not an id', 400, 'invalid_request'],
  ] as const) {
    const { body, ...answer } = await call('PUT', connection, { default_plan_id: planId })
    assert.deepEqual([answer.status, body.error.code], [status, code], answer.text)
  }
  const { body } = await call('PUT', connection, { default_plan_id: 'gone' })
  assert.equal(body.error.message, 'The rate plan "gone" is archived: it is for no further SIM. Name one that is in use.')
  assert.deepEqual(body.error.details, { field: 'default_plan_id' })
})
