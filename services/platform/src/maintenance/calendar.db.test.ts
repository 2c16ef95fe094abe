// Goal: a calendar program that sends no key follows a vehicle's maintenance by a link that can be taken away.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { START_MS } from '../predictions/test-bench.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { openWorkshop } from './test-workshop.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

test('planned work and what falls due are in it, each on its day under its own id; what has no date is not', async (t) => {
  const { bench, api, plan, schedule, done } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle({ externalRef: 'truck-1' })
  const planned = await plan({ vehicleId, dueAt: '2026-12-01T09:00:00+05:30', notes: 'Front pads; discs, too' })
  const due = await schedule({ vehicleId, title: 'Coolant', component: 'cooling', every: { days: 30 } })
  await schedule({ vehicleId, title: 'Never projected', every: { km: 1000 } })
  await plan({ vehicleId, component: 'battery' })
  await done({ vehicleId, component: 'engine' })
  const { status, contentType, text } = await api.text('/vehicles/truck-1/maintenance.ics')
  assert.deepEqual([status, contentType], [200, 'text/calendar; charset=utf-8'])
  const events = text.split('BEGIN:VEVENT').slice(1)
  assert.equal(events.length, 2)
  for (const [event, lines] of [
    [
      events[0],
      [
        `UID:${planned.body.id}@roadworthy`,
        'DTSTART;VALUE=DATE:20261201',
        'SUMMARY:truck-1: brakes',
        'DESCRIPTION:Front pads\\; discs\\, too',
      ],
    ],
    [events[1], [`UID:${due.body.id}@roadworthy`, 'DTSTART;VALUE=DATE:20261220', 'SUMMARY:truck-1: Coolant']],
  ] as const) {
    for (const line of lines) assert.ok(event?.includes(`\r\n${line}\r\n`), `${line} is not in ${event}`)
  }
})

test('a retired vehicle has an empty calendar, and a restored one its entries again', async (t) => {
  const { bench, api, plan, schedule } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await plan({ vehicleId, dueAt: '2026-12-01T09:00:00Z' })
  await schedule({ vehicleId, title: 'Coolant', component: 'cooling', every: { days: 30 } })
  const entriesAs = async (vehicleStatus: string) => {
    await database.systemPool.query('update vehicles set status = $2 where vehicle_id = $1', [vehicleId, vehicleStatus])
    const { status, text } = await api.text(`/vehicles/${vehicleId}/maintenance.ics`)
    return [status, text.split('BEGIN:VEVENT').length - 1]
  }
  assert.deepEqual(await entriesAs('retired'), [200, 0])
  assert.deepEqual(await entriesAs('active'), [200, 2])
})

test('the vehicle is called as people call it, and a schedule with one limit names one', async (t) => {
  const { bench, api, schedule } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle()
  await schedule({ vehicleId, title: 'Coolant', component: 'cooling', every: { days: 30 } })
  await schedule({ vehicleId, title: 'Pads', every: { days: 30, km: 10_000 }, last: { at: '2026-11-01T08:00:00Z', odometer_km: 500 } })
  const nameIt = (fields: string) => database.systemPool.query(`update vehicles set ${fields} where vehicle_id = $1`, [vehicleId])
  const text = async () => (await api.text(`/vehicles/${vehicleId}/maintenance.ics`)).text.replaceAll('\r\n ', '')
  await nameIt("make = 'MAN', model = 'TGX', name = 'Bus North'")
  const named = await text()
  for (const line of ['X-WR-CALNAME:Maintenance: Bus North', 'SUMMARY:Bus North: Coolant', 'DESCRIPTION:Expected. Due on 2026-12-20.']) {
    assert.ok(named.includes(`\r\n${line}\r\n`), `${line} is not in ${named}`)
  }
  assert.match(named, /Due on 2026-12-01 or at 10500 km\\, whichever comes first\.\r\n/)
  await nameIt("license_plate = 'B-MW 1'")
  assert.match(await text(), /SUMMARY:B-MW 1: Coolant/)
})

test('days are those of the account, in alerts too, and parts are named in words', async (t) => {
  const { bench, api, plan, schedule } = await openWorkshop(t, database)
  const vehicleId = await bench.addVehicle({ externalRef: 'truck-1' })
  await database.systemPool.query("update resellers set time_zone = 'Pacific/Auckland' where reseller_id = $1", [bench.resellerId])
  // As the dashboard plans it there: at noon.
  await plan({ vehicleId, component: 'high_voltage', dueAt: '2026-11-30T23:00:00Z' })
  await schedule({ vehicleId, title: 'Pads', every: { days: 30 }, last: { at: '2026-10-10T20:00:00Z' } })
  const { text } = await api.text('/vehicles/truck-1/maintenance.ics')
  for (const line of [
    'DTSTART;VALUE=DATE:20261201',
    'SUMMARY:truck-1: high voltage',
    'DESCRIPTION:Planned maintenance: high voltage',
    'DTSTART;VALUE=DATE:20261110',
    'DESCRIPTION:Overdue. Due on 2026-11-10.',
  ]) {
    assert.ok(text.includes(`\r\n${line}\r\n`), `${line} is not in ${text}`)
  }
  const { rows } = await database.systemPool.query('select message from alerts where vehicle_id = $1', [vehicleId])
  assert.deepEqual(rows, [{ message: 'Pads: was due on 2026-11-10' }])
})

test('a link opens it without a key, until another takes its place, it is revoked, or the vehicle or its reseller is gone', async (t) => {
  const { bench, api, inject, plan, as } = await openWorkshop(t, database)
  await bench.addSubClient('north')
  await bench.addSubClient('south')
  const vehicleId = await bench.addVehicle({ subClientId: 'north' })
  await plan({ vehicleId, dueAt: '2026-12-01T09:00:00Z' })
  const link = async () => {
    const { body } = await api.post<{ url: string }>(`/vehicles/${vehicleId}/calendar-link`, undefined)
    assert.match(body.url, /^https:\/\/fleet\.example\.com\/api\/v1\/calendars\/[A-Za-z0-9]{40}\.ics$/)
    return body.url.slice('https://fleet.example.com/api/v1'.length)
  }
  const statusOf = async (url: string) => (await inject(url)).statusCode
  const first = await link()
  assert.match((await inject(first)).body, /DTSTART;VALUE=DATE:20261201/)
  const second = await link()
  assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200])
  const setOwner = (subClientId: string) =>
    database.systemPool.query('update vehicles set sub_client_id = $2 where vehicle_id = $1', [vehicleId, subClientId])
  await setOwner('south')
  assert.equal(await statusOf(second), 404)
  await setOwner('north')
  assert.equal(await statusOf(second), 200)
  await database.systemPool.query(`update resellers set subscription = 'canceled' where reseller_id = $1`, [bench.resellerId])
  assert.equal(await statusOf(second), 404)
  await database.systemPool.query(`update resellers set subscription = 'active' where reseller_id = $1`, [bench.resellerId])
  assert.deepEqual((await api.delete(`/vehicles/${vehicleId}/calendar-link`)).body, { vehicleId, revoked: true })
  assert.deepEqual((await api.delete(`/vehicles/${vehicleId}/calendar-link`)).body, { vehicleId, revoked: false })
  assert.equal(await statusOf(second), 404)
  assert.equal(await statusOf(`/calendars/${'0'.repeat(40)}.ics`), 404)
  const { rows } = await database.systemPool.query('select * from calendar_links')
  assert.deepEqual(rows, [])
  for (const outsider of [as({ resellerId: 'stranger' }), as({ subClientPin: 'south' })]) {
    assert.equal((await outsider.text(`/vehicles/${vehicleId}/maintenance.ics`)).status, 404)
    assert.equal((await outsider.post(`/vehicles/${vehicleId}/calendar-link`, undefined)).status, 404)
    assert.equal((await outsider.delete(`/vehicles/${vehicleId}/calendar-link`)).status, 404)
  }
})
