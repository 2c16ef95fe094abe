// Goal: whoever changes an incident at the same moment, nothing is lost and nothing stands in one that is resolved; and a batch of scores costs as
// many statements as one.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Severity } from '@roadworthy/signals/severity'
import { recordAlertsAcrossResellers } from '../alerts/record-alerts.ts'
import type { Score } from '../predictions/scoring/score-due-vehicles.ts'
import { START_MS } from '../predictions/test-bench.ts'
import { openTestDatabase } from '../test-support.ts'
import { openDesk } from './test-incident-desk.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
const pool = database.systemPool
type WireAlert = { id: string; status: string }

/** Until so many sessions wait for a lock: of this database, for other tests use the server at the same time. */
async function untilWaiting(sessions: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(distinct pid)::int as count from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
    )
    if ((rows[0]?.count ?? 0) >= sessions) return
    await sleep(5)
  }
}

/** A score with an alert of one severity. */
const scoreOf = (resellerId: string, vehicleId: string, severity: Severity, types: readonly string[]): Score => {
  const at = new Date(START_MS + 3_600_000)
  const alerts = types.map((type) => ({ type, component: 'cooling', severity, description: type, message: type, urgency: 'soon' }))
  return { resellerId, vehicleId, scoredAt: at, readingAt: at, currentSignals: new Set(), alerts, incidents: undefined } as unknown as Score
}

test('an alert that joins while a person resolves the incident is resolved with it', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { id } = await desk.only(vehicleId)
  const { resellerId } = desk.bench
  const resolving = await database.system(async (db) => {
    // As a score does it: it has read which alerts there are, holds the incident, and adds one.
    await db.query('select 1 from incidents where incident_id = $1 for update', [id])
    const alertId = newId('alr')
    await db.query(
      `insert into alerts select (jsonb_populate_record(a, jsonb_build_object('alert_id', $2::text, 'type', 'leak'))).*
         from alerts a where a.reseller_id = $1 and a.incident_id = $3`,
      [resellerId, alertId, id],
    )
    const answer = desk.api.patch(`/incidents/${id}`, { status: 'resolved', resolution: { reason: 'false_alarm' } })
    await untilWaiting(1)
    return { answer }
  })
  assert.equal((await resolving.answer).status, 200)
  const { alerts } = (await desk.api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body
  assert.deepEqual(
    alerts.map(({ status }) => status),
    ['resolved', 'resolved'],
  )
  assert.equal((await desk.only(vehicleId)).status, 'resolved')
})

test('work that is completed while a person resolves the incident takes its alerts in the same order, so neither is refused', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'leak' }, { type: 'hot' }])
  const { resellerId } = desk.bench
  const { rows } = await pool.query<{ alert_id: string }>('select alert_id from alerts where vehicle_id = $1 order by alert_id', [
    vehicleId,
  ])
  const [first, second] = rows.map(({ alert_id }) => alert_id)
  // Where they stand in the table and by when they were opened, the second comes first.
  await pool.query("update alerts set opened_at = opened_at + interval '1 second' where alert_id = $1", [first])
  desk.bench.clock.nowMs += 60_000
  const planned = await desk.api.post<{ id: string }>('/maintenance', { vehicleId, component: 'cooling', status: 'planned' })
  assert.equal(planned.status, 200, JSON.stringify(planned.body))
  const completing = await database.tenant(resellerId, async (db) => {
    // As a person does it who resolves the incident.
    await db.query('select 1 from alerts where alert_id = $1 for update', [first])
    const answer = desk.api.post(`/maintenance/${planned.body.id}/complete`, {})
    await untilWaiting(1)
    await db.query('select 1 from alerts where alert_id = $1 for update', [second])
    return { answer }
  })
  const { status, body } = await completing.answer
  assert.equal(status, 200, JSON.stringify(body))
})

test('a score that makes an incident graver keeps what a person does to it at that moment', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { id } = await desk.only(vehicleId)
  const { resellerId } = desk.bench
  const scoring = await database.tenant(resellerId, async (db) => {
    await db.query(
      "update incidents set status = 'acknowledged', acknowledged_by = 'usr-1', acknowledged_at = now() where incident_id = $1",
      [id],
    )
    const scored = database.system((other) => recordAlertsAcrossResellers(other, [scoreOf(resellerId, vehicleId, 'critical', ['hot'])]))
    await untilWaiting(1)
    return { scored }
  })
  await scoring.scored
  const incident = await desk.only(vehicleId)
  assert.deepEqual([incident.status, incident.acknowledgedBy, incident.severity], ['acknowledged', 'usr-1', 'critical'])
})

test('of a score that changes nothing no incident is written or locked', async (t) => {
  const desk = await openDesk(t, database)
  const vehicleId = await desk.bench.addVehicle()
  await desk.report(vehicleId, [{ type: 'hot' }])
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { rows: before } = await pool.query('select xmin, xmax from incidents where vehicle_id = $1', [vehicleId])
  await desk.report(vehicleId, [{ type: 'hot' }])
  const { rows: after } = await pool.query('select xmin, xmax from incidents where vehicle_id = $1', [vehicleId])
  assert.deepEqual(after, before)
})

test('a batch of scores takes as many statements as one score, whatever happens in it', async (t) => {
  const desk = await openDesk(t, database)
  const { resellerId } = desk.bench
  const statementsOf = async (vehicleCount: number) => {
    const vehicleIds = await Promise.all(Array.from({ length: vehicleCount }, () => desk.bench.addVehicle()))
    const counts: number[] = []
    const rounds: [Severity, string[]][] = [
      ['high', ['hot']],
      ['high', ['hot', 'leak']],
      ['critical', ['hot']],
      ['critical', ['hot']],
      ['low', []],
    ]
    for (const [severity, types] of rounds) {
      await database.system(async (db) => {
        let count = 0
        const counting = { ...db, query: (...given: Parameters<Db['query']>) => db.query(...given).finally(() => count++) } as Db
        await recordAlertsAcrossResellers(
          counting,
          vehicleIds.map((vehicleId) => scoreOf(resellerId, vehicleId, severity, types)),
        )
        counts.push(count)
      })
    }
    return counts
  }
  const ofOne = await statementsOf(1)
  assert.deepEqual(await statementsOf(20), ofOne)
  assert.ok(Math.max(...ofOne) <= 12, String(ofOne))
})
