// The event of the specification that a person brings about, with what DECISIONS adds to it.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertKeys, assertTime, callerAt, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

const LOGGED_WITHIN_MS = 180_000
const MAINTENANCE = [
  ...['id', 'vehicleId', 'component', 'status', 'scheduleId', 'dueAt', 'completedAt', 'odometer_km', 'engine_hours', 'cost', 'notes'],
  ...['condition_found', 'renewed', 'predictionId', 'prediction', 'createdAt', 'updatedAt'],
]
const SCHEDULE = [
  ...['id', 'vehicleId', 'component', 'title', 'every', 'remind', 'last', 'next', 'status', 'reviewedAt', 'createdAt', 'updatedAt'],
]

type Events = { events: (Row & { data: Row })[] }

async function nextEvent(tenant: Tenant, type: string): Promise<Events['events'][number]> {
  for (const startedAtMs = performance.now(); performance.now() - startedAtMs < LOGGED_WITHIN_MS; await sleep(100)) {
    const [event] = ok<Events>(await tenant.platform('GET', `/events?type=${type}`)).events
    if (event !== undefined) return event
  }
  return assert.fail(`no ${type} in time`)
}

async function addVehicle(tenant: Tenant): Promise<string> {
  ok(await tenant.external('POST', '/sub-clients', { body: { name: 'North', sub_client_id: 'north' } }))
  return ok<{ vehicle_id: string }>(
    await tenant.external('POST', '/vehicles', { body: { external_ref: 'truck-1', sub_client_id: 'north' } }),
  ).vehicle_id
}

export function maintenanceCompletedSection(service: Service): void {
  suite('6.1 maintenance.completed', () => {
    test('work that is marked complete is an event, once, with the fields of DECISIONS', async () => {
      const tenant = await service.newTenant()
      const vehicleId = await addVehicle(tenant)
      const planned = ok<Row>(
        await tenant.platform('POST', '/maintenance', { body: { vehicleId: 'truck-1', component: 'brakes', status: 'planned' } }),
      )
      assertKeys(planned, MAINTENANCE)
      const completedAt = new Date(Date.now() - 60_000).toISOString()
      const body = { completedAt, odometer_km: 171_300, notes: 'Front pads', condition_found: 'worn' }
      const path = `/maintenance/${planned['id']}/complete`
      const completed = ok<Row>(await tenant.platform('POST', path, { body }))
      assertKeys(completed, MAINTENANCE)
      assert.deepEqual([completed['status'], completed['completedAt'], completed['odometer_km']], ['completed', completedAt, 171_300])
      assertTime(completed['updatedAt'])
      assert.deepEqual(ok(await tenant.platform('POST', path, { body })), completed)
      const event = await nextEvent(tenant, 'maintenance.completed')
      assertKeys(event.data, ['vehicleId', 'component', 'maintenanceId', 'completedAt', 'odometer_km', 'notes', 'predictionId'])
      assert.deepEqual(event.data, {
        ...{ vehicleId, component: 'brakes', maintenanceId: planned['id'], completedAt, odometer_km: 171_300, notes: 'Front pads' },
        predictionId: null,
      })
      assert.deepEqual([event['sub_client_id'], event['timestamp']], ['north', completedAt])
      assert.equal(ok<Events>(await tenant.platform('GET', '/events?type=maintenance.completed')).events.length, 1)
      const list = ok<Row & { maintenance: Row[] }>(await tenant.platform('GET', '/maintenance'))
      assertKeys(list, ['maintenance', 'total', 'pagination'])
      assert.deepEqual([list['total'], list.maintenance], [1, [completed]])
    })

    test('what is overdue is an alert, and is in the calendar that a link opens without a key', async () => {
      const tenant = await service.newTenant()
      const vehicleId = await addVehicle(tenant)
      const last = { at: new Date(Date.now() - 40 * 86_400_000).toISOString() }
      const schedule = ok<Row>(
        await tenant.platform('POST', '/maintenance/schedules', {
          body: { vehicleId, component: 'brakes', title: 'Brake fluid', every: { days: 30 }, last },
        }),
      )
      assertKeys(schedule, SCHEDULE)
      assert.equal(schedule['status'], 'overdue')
      const event = await nextEvent(tenant, 'alert.created')
      assert.deepEqual([event.data['type'], event.data['component']], ['maintenance_overdue', 'brakes'])
      const { url } = ok<{ url: string }>(await tenant.platform('POST', `/vehicles/${vehicleId}/calendar-link`))
      const calendar = await fetch(url)
      assert.deepEqual([calendar.status, calendar.headers.get('content-type')], [200, 'text/calendar; charset=utf-8'])
      assert.match(await calendar.text(), /SUMMARY:truck-1: Brake fluid\r\n/)
      ok(await tenant.platform('DELETE', `/vehicles/${vehicleId}/calendar-link`))
      refused(await callerAt(new URL(url).origin, null)('GET', new URL(url).pathname), 404, 'not_found', 'platform')
    })
  })
}
