import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import type { LoggedEvent } from '../../events/event.ts'
import { insertReseller, openTestDatabase } from '../../test-support.ts'
import { createMetrics } from '../http/metrics.ts'
import { countNewAlerts, startCountingFleet } from './count-fleet.ts'

test('devices by state and vehicles by health are those of all resellers; one that was not judged yet is unknown', async (t) => {
  const { database } = await openTestDatabase(t)
  for (const reseller of ['acme', 'zeta']) {
    await insertReseller(database, reseller)
    await database.systemPool.query(
      `insert into devices (reseller_id, device_id, device_type, connection_method, status)
       select $1, 'dev-' || $2 || lpad(nth::text, 8, '0'), 'other', 'mqtt', case when nth = 1 then 'suspended' else 'active' end
         from generate_series(1, 3) nth`,
      [reseller, reseller.slice(0, 1)],
    )
    await database.systemPool.query(
      `insert into vehicles (reseller_id, vehicle_id) select $1, 'veh_' || nth from generate_series(1, 2) nth`,
      [reseller],
    )
  }
  const metrics = createMetrics('0')
  const counting = startCountingFleet(database, metrics, createLogger('silent'))
  t.after(() => counting.stop())
  let text = ''
  for (let waitedMs = 0; waitedMs < 20_000 && !/fleet_vehicles\{/.test(text); waitedMs += 20) {
    await sleep(20)
    text = await metrics.registry.metrics()
  }
  assert.deepEqual(text.match(/^fleet_(devices|vehicles)\{.*$/gm), [
    'fleet_devices{state="active"} 4',
    'fleet_devices{state="suspended"} 2',
    'fleet_vehicles{health_status="unknown"} 4',
  ])
})

test('new alerts are counted by severity, and other events are not', async () => {
  const metrics = createMetrics('0')
  const event = (type: string, severity: string) => ({ type, body: JSON.stringify({ data: { severity } }) }) as LoggedEvent
  countNewAlerts([event('alert.created', 'high'), event('alert.resolved', 'high'), event('alert.created', 'high')], metrics)
  assert.deepEqual((await metrics.registry.metrics()).match(/^fleet_alerts_total.*$/gm), ['fleet_alerts_total{severity="high"} 2'])
})
