// Goal: a SIM is billed by the rate plan that bears the operator's name of its plan, however it became known, unless somebody chose otherwise.
// Method: a real database, plans as the billing slice stores them, and answers of the operator made by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertPlanVersion } from '../billing/rating/plans.sql.ts'
import { planOf as ratePlan } from '../billing/rating/test-rating-input.ts'
import { applyOperatorSim } from './apply-operator-sim.ts'
import { selectConnection } from './connections/connections.sql.ts'
import { capsOf } from './operators/open-operator.ts'
import { openSimDesk } from './test-sim-desk.ts'

const desk = await openSimDesk({ after })
const { call, database, clock } = desk
await desk.as('rival')
const connectionId = await desk.newConnection()
const connection = (await selectConnection(database.tenantPool('acme'), 'acme', connectionId)) ?? assert.fail('no connection')
const caps = capsOf(connection as unknown as Parameters<typeof capsOf>[0])
let count = 0
const iccid = () => `89910009000002${String(10_000 + count++)}`

type Version = { operatorPlan?: string; archivedAt?: Date; resellerId?: string }

/** The first version of a plan, or another one. */
async function storePlan(planId: string, { operatorPlan, archivedAt, resellerId = 'acme' }: Version, isNew = true): Promise<void> {
  clock.now = new Date(clock.now.getTime() + 60_000)
  const { prices, name } = ratePlan()
  const plan = { planId, name, effectiveFrom: '2026-11', operatorPlan, archivedAt, prices }
  await database.tenant(resellerId, async (db) => {
    assert.notEqual(await insertPlanVersion(db, resellerId, plan, { isNew, at: clock.now }), undefined)
  })
}

/** What the operator's platform reports of an active SIM at the next synchronisation. */
async function sync(id: string, operatorPlan: string | undefined): Promise<string | null> {
  clock.now = new Date(clock.now.getTime() + 60_000)
  const absent = undefined
  const seen = {
    ...{ iccid: id, imsi: absent, msisdn: absent, eid: absent, imei: absent, isChanging: false, ratePlan: operatorPlan },
    ...{ communicationPlan: absent, apn: absent, ipAddress: absent, activatedAt: absent, modifiedAt: absent },
    ...{ operatorStatus: 'ACTIVATED', status: 'active' as const },
  }
  await database.tenant('acme', (db) => applyOperatorSim(db, { connection, caps, seen, askedAt: clock.now, at: clock.now }))
  return await planOf(id)
}
const planOf = async (id: string) => (await call('GET', `/sims/${id}`)).body.sim.plan_id
const choosePlan = async (id: string, planId: string | null) => {
  const answer = await call('PUT', `/sims/${id}`, { plan_id: planId })
  assert.equal(answer.status, 200, answer.text)
}

test('a SIM gets the plan that bears its operator’s name, by the synchronisation and by POST', async () => {
  await storePlan('ten', { operatorPlan: 'M2M 10' })
  await storePlan('ten-too', { operatorPlan: 'M2M 10' })
  await storePlan('of-rival', { operatorPlan: 'M2M 99', resellerId: 'rival' })
  const found = iccid()
  assert.equal(await sync(found, 'M2M 10'), 'ten', 'of two the one that was made first')
  const [entry] = (await call('GET', `/sims/${found}/history`)).body.history
  assert.deepEqual([entry?.change, entry?.plan_id], ['created', 'ten'], 'it is billed from the start')
  assert.equal((await desk.newSim({ connection_id: connectionId, iccid: iccid(), rate_plan: 'M2M 10' })).plan_id, 'ten')
  const chosen = { connection_id: connectionId, iccid: iccid(), rate_plan: 'M2M 10', plan_id: 'ten-too' }
  assert.equal((await desk.newSim(chosen)).plan_id, 'ten-too', 'what is asked for goes before')
  for (const name of ['M2M', 'm2m 10', 'M2M 99']) {
    assert.equal(await sync(iccid(), name), null, `${name} is the name of none of its plans`)
    assert.equal((await desk.newSim({ connection_id: connectionId, iccid: iccid(), rate_plan: name })).plan_id, null, name)
  }
  assert.equal(await sync(iccid(), undefined), null)
})

test('a plan that is made later is taken by SIMs that never had one', async () => {
  const [synced, taken] = [iccid(), iccid()]
  const { id } = await desk.newSim({ connection_id: connectionId, iccid: taken, rate_plan: 'M2M 25' })
  assert.deepEqual([await sync(synced, 'M2M 25'), await planOf(id)], [null, null])
  await storePlan('twenty-five', { operatorPlan: 'M2M 25' })
  for (const each of [synced, taken]) {
    assert.equal(await sync(each, 'M2M 25'), 'twenty-five')
    assert.equal((await call('GET', `/sims/${each}/history`)).body.history[0]?.plan_id, 'twenty-five')
  }
  await choosePlan(synced, null)
  assert.equal(await sync(synced, 'M2M 25'), null, 'one whose plan was taken away stays without')
})

test('a SIM follows the operator to another plan, and a choice of somebody stays', async () => {
  await storePlan('fifty', { operatorPlan: 'M2M 50' })
  await storePlan('flat', {})
  const [follows, flat, unnamed] = [iccid(), iccid(), iccid()]
  for (const each of [follows, flat, unnamed]) await sync(each, 'M2M 10')
  await choosePlan(flat, 'flat')
  assert.equal(await sync(follows, 'M2M 50'), 'fifty')
  assert.equal(await sync(flat, 'M2M 50'), 'flat')
  assert.equal(await sync(unnamed, 'M2M unheard of'), 'ten', 'without another plan it keeps the one that it has')
})

test('the newest version has the name of a plan, and an archived plan is for no further SIM', async () => {
  await storePlan('hundred', { operatorPlan: 'M2M 100' })
  const before = iccid()
  assert.equal(await sync(before, 'M2M 100'), 'hundred')
  await storePlan('hundred', { operatorPlan: 'M2M 100 new' }, false)
  assert.deepEqual([await sync(iccid(), 'M2M 100'), await sync(iccid(), 'M2M 100 new')], [null, 'hundred'])
  await storePlan('hundred', { operatorPlan: 'M2M 100 new', archivedAt: clock.now }, false)
  const late = iccid()
  assert.equal(await sync(late, 'M2M 100 new'), null)
  assert.equal((await call('PUT', `/sims/${late}`, { plan_id: 'hundred' })).status, 409)
  assert.equal(await sync(before, 'M2M 100'), 'hundred', 'those that have it keep it')
  await storePlan('hundred-one', { operatorPlan: 'M2M 100 new' })
  assert.equal(await sync(iccid(), 'M2M 100 new'), 'hundred-one')
})
