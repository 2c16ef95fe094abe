// Goal: whoever follows events learns that an alert got worse and that it ended, whoever ended it, once and with its data. Method: vehicles that
// are scored by an engine at the edge; the events are read where slices write them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { START_MS, startBench } from '../predictions/test-bench.ts'
import { openTestDatabase } from '../test-support.ts'
import { changeAlert } from './change-alert.ts'
import { resolveAlertsOfComponent } from './resolve-alerts.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))

type Published = { type: string; data: Record<string, unknown>; sub_client_id: string | null }

async function hotVehicle(t: Parameters<typeof startBench>[0]) {
  const bench = await startBench(t, database)
  const { resellerId, clock } = bench
  await bench.addSubClient('north')
  const vehicleId = await bench.addVehicle({ subClientId: 'north' })
  const report = async (coolantTempC: number) => {
    await bench.report(vehicleId, { recordedAtMs: clock.nowMs, signals: { coolantTempC } })
    assert.equal(await bench.score(), 1)
    clock.nowMs += 60_000
  }
  const published = async () => {
    const { rows } = await database.systemPool.query<Published>(
      `delete from event_outbox where reseller_id = $1 and type like 'alert.%' returning type, data::jsonb as data, sub_client_id`,
      [resellerId],
    )
    return rows
  }
  return { resellerId, vehicleId, report, published, clock }
}

test('an alert that rises is published with the severity it had, and once', async (t) => {
  const { report, published, vehicleId } = await hotVehicle(t)
  await report(110)
  const [created] = await published()
  assert.deepEqual([created?.type, created?.data['severity'], created?.data['vehicleId']], ['alert.created', 'high', vehicleId])
  await report(110)
  assert.deepEqual(await published(), [])
  await report(120)
  const [updated, ...others] = await published()
  assert.equal(others.length, 0)
  assert.deepEqual(updated, {
    type: 'alert.updated',
    sub_client_id: 'north',
    data: {
      ...created?.data,
      severity: 'critical',
      message: updated?.data['message'],
      urgency: updated?.data['urgency'],
      previousSeverity: 'high',
      status: 'open',
    },
  })
  await report(110)
  await report(120)
  assert.deepEqual(await published(), [])
})

test('an alert that ends by itself, by a person or by work is published with who ended it', async (t) => {
  const { report, published, resellerId, vehicleId, clock } = await hotVehicle(t)
  await report(110)
  const [created] = await published()
  for (let i = 0; i < 4; i++) await report(80)
  const [gone, ...others] = await published()
  assert.equal(others.length, 0)
  assert.deepEqual(gone, {
    type: 'alert.resolved',
    sub_client_id: 'north',
    data: { ...created?.data, resolvedBy: 'engine', resolvedAt: gone?.data['resolvedAt'], openedAt: new Date(START_MS).toISOString() },
  })
  assert.ok(Date.parse(String(gone?.data['resolvedAt'])) > START_MS)

  await report(110)
  const [second] = await published()
  const at = new Date(clock.nowMs)
  const change = { alertId: String(second?.data['id']), to: 'resolved' } as const
  for (let i = 0; i < 2; i++) await changeAlert(database, { resellerId, subClientPin: undefined }, change, systemAuthor(resellerId, at))
  assert.deepEqual(
    (await published()).map(({ type, data }) => [type, data['resolvedBy']]),
    [['alert.resolved', 'user']],
  )
  // What goes on after a person resolved it is no news when it is gone.
  for (let i = 0; i < 4; i++) await report(80)
  assert.deepEqual(await published(), [])

  await report(110)
  await published()
  const work = { vehicleId, component: 'cooling', openedUntil: new Date(clock.nowMs), at: new Date(clock.nowMs), maintenanceId: 'mnt-1' }
  for (let i = 0; i < 2; i++) await database.tenant(resellerId, (db) => resolveAlertsOfComponent(db, resellerId, work))
  assert.deepEqual(
    (await published()).map(({ type, data }) => [type, data['resolvedBy']]),
    [['alert.resolved', 'maintenance']],
  )
})
