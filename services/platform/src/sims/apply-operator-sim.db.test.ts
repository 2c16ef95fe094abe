// Goal: what an operator reports of a SIM becomes what is known here, and no answer that is old, unsure or late makes it worse. Method: a real
// database, and answers made by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { applyOperatorSim, applyOperatorSims } from './apply-operator-sim.ts'
import type { SealedConnection } from './connections/connection.ts'
import { selectConnection } from './connections/connections.sql.ts'
import { capsOf } from './operators/open-operator.ts'
import type { OperatorSim, OperatorUsage } from './operators/operator.ts'
import { recordUsages } from './record-usage.ts'
import { selectSimForUpdate, selectSimsByIccidForUpdate } from './sims.sql.ts'
import { openSimDesk } from './test-sim-desk.ts'

const desk = await openSimDesk({ after })
const { call, database, clock } = desk
const connection = await requireConnection(await desk.newConnection())
const caps = capsOf(connection as unknown as Parameters<typeof capsOf>[0])
const MB = 1_048_576
let count = 0

async function requireConnection(id: string): Promise<SealedConnection> {
  const found = await selectConnection(database.tenantPool('acme'), 'acme', id)
  assert.ok(found !== undefined)
  return found
}

function seenSim(given: Partial<OperatorSim> = {}): OperatorSim {
  const absent = undefined
  return {
    iccid: `89910009000001${String(10_000 + count++)}`,
    ...{ imsi: absent, msisdn: absent, eid: absent, imei: absent, isChanging: false, ratePlan: 'M2M 10' },
    ...{ communicationPlan: absent, apn: absent, ipAddress: absent, activatedAt: absent, modifiedAt: absent },
    ...{ operatorStatus: 'ACTIVATED', status: 'active' },
    ...given,
  }
}

async function apply(seen: OperatorSim, { askedAt = clock.now, by = connection } = {}) {
  return await database.tenant('acme', (db) => applyOperatorSim(db, { connection: by, caps, seen, askedAt, at: clock.now }))
}
const simOf = async (id: string) => (await call('GET', `/sims/${id}`)).body.sim
const historyOf = async (id: string) => (await call('GET', `/sims/${id}/history`)).body.history
async function eventsOf(simId: string) {
  const { rows } = await database.systemPool.query<{ type: string; data: Record<string, unknown> }>(
    `select type, data from event_outbox where data->>'simId' = $1 order by outbox_id`,
    [simId],
  )
  return rows
}
const later = (minutes = 1) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000)
}

test('a SIM that is not known is made, and the same answer again changes nothing', async () => {
  const seen = seenSim({ msisdn: '5754333333333', activatedAt: new Date('2026-01-05T00:00:00Z') })
  assert.equal((await apply(seen)).outcome, 'created')
  later()
  assert.equal((await apply(seen)).outcome, 'unchanged')
  const sim = await simOf(seen.iccid)
  assert.deepEqual([sim.status, sim.operator_status, sim.rate_plan], ['active', 'ACTIVATED', 'M2M 10'])
  assert.equal(sim.operator_synced_at, clock.now.toISOString())
  assert.equal((await historyOf(sim.id)).length, 1)
  assert.equal((await apply({ ...seen, imei: '356938035643809' })).outcome, 'updated')
})

test('another state at the operator is stored as the operator’s doing, and published', async () => {
  const seen = seenSim()
  await apply(seen)
  later()
  await apply({ ...seen, status: 'suspended', operatorStatus: 'DEACTIVATED' })
  const sim = await simOf(seen.iccid)
  assert.deepEqual([sim.status, sim.suspended_by, sim.possible], ['suspended', 'operator', ['terminating']])
  const [entry] = await historyOf(sim.id)
  assert.deepEqual(
    [entry?.change, entry?.source, entry?.actor_type, entry?.actor_id],
    ['status', 'operator', 'operator', connection.connectionId],
  )
  const [event] = await eventsOf(sim.id)
  assert.deepEqual(
    [event?.type, event?.data['previousStatus'], event?.data['status'], event?.data['source']],
    ['sim.state.changed', 'active', 'suspended', 'operator'],
  )
  later()
  await apply({ ...seen })
  assert.deepEqual([(await simOf(seen.iccid)).status, (await simOf(seen.iccid)).suspended_by], ['active', null])
})

test('a SIM that is suspended at first sight can be lifted where its account can suspend', async () => {
  const seen = seenSim({ status: 'suspended', operatorStatus: 'DEACTIVATED' })
  await apply(seen)
  const sim = await simOf(seen.iccid)
  assert.deepEqual([sim.status, sim.suspended_by, sim.possible], ['suspended', null, ['active', 'safe_custody', 'terminating']])
})

test('a word for a state that nobody knows is shown, and the state stays', async () => {
  const seen = seenSim()
  await apply(seen)
  await apply({ ...seen, status: undefined, operatorStatus: 'HIBERNATING' })
  const sim = await simOf(seen.iccid)
  assert.deepEqual([sim.status, sim.operator_status], ['active', 'HIBERNATING'])
})

test('answers that are older than what is known change no state', async () => {
  const seen = seenSim({ modifiedAt: new Date('2026-11-10T10:00:00Z') })
  await apply(seen)
  later()
  const askedAt = clock.now
  later()
  await apply({ ...seen, status: 'suspended', modifiedAt: new Date('2026-11-11T10:00:00Z') })
  assert.equal((await apply({ ...seen })).outcome, 'stale', 'by the operator’s clock')
  await apply({ ...seen, modifiedAt: new Date('2026-11-12T10:00:00Z') }, { askedAt })
  assert.equal((await simOf(seen.iccid)).status, 'suspended', 'asked before the change was known')
  await apply({ ...seen, isChanging: true, modifiedAt: new Date('2026-11-12T10:00:00Z') })
  assert.equal((await simOf(seen.iccid)).status, 'suspended', 'a change is under way')
  await apply({ ...seen, modifiedAt: new Date('2026-11-12T10:00:00Z') })
  assert.equal((await simOf(seen.iccid)).status, 'active')
})

test('a SIM is not taken from the connection it came by', async () => {
  const seen = seenSim()
  await apply(seen)
  const other = await requireConnection(await desk.newConnection({ name: 'Other' }))
  const answer = await apply({ ...seen, status: 'terminated' }, { by: other })
  assert.deepEqual([answer.outcome, 'code' in answer && answer.code], ['refused', 'sim_of_other_connection'])
  assert.equal((await simOf(seen.iccid)).status, 'active')
})

test('a counter that rises is added once, and never goes down within its cycle', async () => {
  const seen = seenSim()
  await apply(seen)
  const { id } = await simOf(seen.iccid)
  const [november, december] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-12-01T00:00:00Z')]
  const report = async (dataBytes: number, cycleStart = november, cycleEnd = december) => {
    const usage: OperatorUsage = {
      iccid: seen.iccid,
      cycleStart,
      cycleEnd,
      dataBytes,
      resolutionBytes: 1,
      smsCount: 1,
      sessionCount: undefined,
    }
    return await database.tenant('acme', async (db) => {
      const sim = await selectSimForUpdate(db, { resellerId: 'acme', subClientPin: undefined }, { simId: id })
      assert.ok(sim !== undefined)
      return (await recordUsages(db, 'acme', [{ sim, usages: [usage] }], clock.now))[0]?.addedBytes
    })
  }
  assert.equal(await report(2 * MB), 2 * MB)
  assert.equal(await report(2 * MB), 0)
  assert.equal(await report(1 * MB), 0, 'late')
  assert.equal(await report(3 * MB), 1 * MB)
  assert.equal((await simOf(id)).data_usage_mb, 3)
  const january = new Date('2027-01-01T00:00:00Z')
  assert.equal(await report(1 * MB, december, january), 1 * MB, 'another cycle begins at nothing')
  assert.equal(await report(5 * MB), 2 * MB, 'counted late in the cycle before')
  assert.equal(await report(4 * MB), 0)
  const sim = await simOf(id)
  assert.deepEqual([sim.data_usage_bytes, sim.sms_count, sim.cycle_start], [1 * MB, 1, december.toISOString()])
  const { daily } = (await call('GET', `/sims/${id}/usage`)).body
  assert.equal(
    daily.reduce((sum, { data_usage_bytes: bytes }) => sum + bytes, 0),
    6 * MB,
  )
})

test('the counters of many SIMs, in two cycles each, are stored by three statements', async () => {
  const [october, november, december] = ['2026-10', '2026-11', '2026-12'].map((month) => new Date(`${month}-01T00:00:00Z`))
  assert.ok(october && november && december)
  const seen = Array.from({ length: 12 }, () => seenSim())
  await database.tenant('acme', (db) => applyOperatorSims(db, seen, { connection, caps, askedAt: clock.now, at: clock.now }))
  const counted = { resolutionBytes: 1, smsCount: 0, sessionCount: 0 }
  let statements = 0
  const record = (nth: number) =>
    database.tenant('acme', async (db) => {
      const held = await selectSimsByIccidForUpdate(
        db,
        'acme',
        seen.map(({ iccid }) => iccid),
      )
      const metered = held.map((sim) => ({
        sim,
        usages: [
          { ...counted, iccid: sim.iccid, cycleStart: october, cycleEnd: november, dataBytes: 5 * MB },
          { ...counted, iccid: sim.iccid, cycleStart: november, cycleEnd: december, dataBytes: nth * MB },
        ],
      }))
      const counting: Db = {
        query: (statement, values) => {
          statements++
          return db.query(statement, values)
        },
      }
      return (await recordUsages(counting, 'acme', metered, clock.now)).map(({ addedBytes }) => addedBytes / MB)
    })
  assert.deepEqual(await record(1), Array(12).fill(6))
  assert.equal(statements, 3)
  assert.deepEqual(await record(3), Array(12).fill(2))
  assert.deepEqual(await record(3), Array(12).fill(0))
  const sim = await simOf(seen[7]?.iccid ?? '')
  assert.deepEqual([sim.data_usage_bytes, sim.cycle_start], [3 * MB, november.toISOString()])
})

test('the SIMs of a page are held by one statement, each once, and one that is listed twice is as in its second entry', async () => {
  const connection = await requireConnection(await desk.newConnection({ name: 'Pages' }))
  const page = Array.from({ length: 40 }, (_, nth) => seenSim({ iccid: `89917${String(nth).padStart(13, '0')}`, status: 'active' }))
  const given = { connection, caps, askedAt: clock.now, at: clock.now }
  const twice = [...page, { ...page[3], status: 'suspended' as const } as OperatorSim, seenSim({ iccid: '12' })]
  const outcomes = (await database.tenant('acme', (db) => applyOperatorSims(db, twice, given))).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, [...Array(40).fill('created'), 'updated', 'refused'])
  assert.equal((await simOf(page[3]?.iccid ?? '')).status, 'suspended')
  let reads = 0
  const counting = (db: Db): Db => ({
    query: (statement, values) => {
      if (/for no key update|sim_actions/.test(typeof statement === 'string' ? statement : statement.text)) reads++
      return db.query(statement, values)
    },
  })
  later()
  await database.tenant('acme', (db) => applyOperatorSims(counting(db), page.slice(4), { ...given, at: clock.now }))
  assert.equal(reads, 2)
})

test('where one SIM of a page cannot be stored nothing is, and nothing is sent after the rollback', async () => {
  const connection = await requireConnection(await desk.newConnection({ name: 'Failing' }))
  const page = Array.from({ length: 20 }, (_, nth) => seenSim({ iccid: `89918${String(nth).padStart(13, '0')}`, status: 'active' }))
  let isOver = false
  let lateCount = 0
  const failing = (db: Db): Db => ({
    query: async (statement, values) => {
      if (isOver) lateCount++
      if (typeof statement !== 'string' && values?.includes(page[5]?.iccid)) throw new Error('not stored')
      return await db.query(statement, values)
    },
  })
  await assert.rejects(
    database.tenant('acme', async (db) => {
      try {
        return await applyOperatorSims(failing(db), page, { connection, caps, askedAt: clock.now, at: clock.now })
      } finally {
        isOver = true
      }
    }),
    /not stored/,
  )
  assert.equal(lateCount, 0)
  assert.equal((await call('GET', `/sims/${page[0]?.iccid}`)).status, 404)
})
