import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'

const fleet = await openFleetApp({ after }, ['acme', 'rival'])
const acme = fleet.as('acme')
for (const name of ['north', 'south']) await acme('POST', '/sub-clients', { name })

let imeis = 0
const newImei = () => String(358_000_000_000_000 + ++imeis)
const ago = (seconds: number) => new Date(fleet.clock.now.getTime() - seconds * 1_000)

const position = { latitude: 12.9716, longitude: -77.5946 }
const move = (deviceId: string) => fleet.hear('acme', deviceId, { position }, ago(1))

test('a location has every field of the contract, and is the newest by the time of the device', async () => {
  const imei = newImei()
  const registration = { name: 'A', imei, sub_client_id: 'north', vehicle: { mode: 'create' } }
  const { device_id, vehicle_id } = (await acme('POST', '/devices', registration)).body
  await fleet.hear(
    'acme',
    device_id,
    {
      recordedAtMs: ago(65).getTime(),
      position,
      signals: { vehicleSpeedKmh: 42.5, batteryVoltageV: 12.4 },
      attributes: { headingDeg: 270, altitudeM: 920, satellites: 11, ignition: false, event: 'periodic' },
    },
    ago(64),
  )
  await fleet.hear('acme', device_id, { recordedAtMs: ago(90).getTime(), position: { latitude: 1, longitude: 1 } }, ago(60))
  const { status, body } = await acme('GET', `/devices/${imei}/location`)
  assert.equal(status, 200)
  const where = { device_id, imei, name: 'A', sub_client_id: 'north', vehicle_id, ...position }
  const when = { timestamp: ago(65).toISOString(), received_at: ago(64).toISOString(), age_seconds: 65, online: true }
  const sent = { speed: 42.5, heading: 270, altitude: 920, satellites: 11, ignition: false, battery_voltage: 12.4, event: 'periodic' }
  assert.deepEqual(body, { success: true, location: { ...where, ...sent, ...when } })
  assert.deepEqual((await acme('GET', `/devices/${device_id}/location`)).body, body)
})

test('what the fix did not contain is null, a fix from the future has no age, and a silent device is not online', async () => {
  const { device_id } = (await acme('POST', '/devices', { imei: newImei() })).body
  await fleet.hear('acme', device_id, { recordedAtMs: ago(-30).getTime(), position }, ago(301))
  const { location } = (await acme('GET', `/devices/${device_id}/location`)).body
  for (const name of [
    'speed',
    'heading',
    'altitude',
    'satellites',
    'ignition',
    'battery_voltage',
    'event',
    'name',
    'vehicle_id',
  ] as const) {
    assert.equal(location[name], null, name)
  }
  assert.deepEqual([location.timestamp, location.age_seconds, location.online], [ago(-30).toISOString(), 0, false])
})

test('without a fix the single form answers no_location and the list leaves the device out', async () => {
  const { device_id } = (await acme('POST', '/devices', { imei: newImei() })).body
  const silent = await acme('GET', `/devices/${device_id}/location`)
  assert.deepEqual([silent.status, silent.body.error.code], [404, 'no_location'])
  await fleet.hear('acme', device_id, { signals: { coolantTempC: 90 } }, ago(1))
  assert.equal((await acme('GET', `/devices/${device_id}/location`)).body.error.code, 'no_location')
  const { locations } = (await acme('GET', '/devices/locations')).body
  assert.ok(!locations.some((each) => each.device_id === device_id))
})

test('the list filters by sub-client, leaves out decommissioned devices, and pages', async () => {
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    const { device_id } = (await acme('POST', '/devices', { imei: newImei(), sub_client_id: 'south' })).body
    await move(device_id)
    ids.push(device_id)
  }
  await acme('POST', `/devices/${ids[6]}/decommission`)
  const whole = (await acme('GET', '/devices/locations?sub_client_id=south')).body
  assert.equal(whole.total, 6)
  assert.deepEqual(new Set(whole.locations.map(({ device_id }) => device_id)), new Set(ids.slice(0, 6)))
  const first = (await acme('GET', '/devices/locations?sub_client_id=south&limit=4')).body
  const second = (await acme('GET', `/devices/locations?sub_client_id=south&limit=4&after=${first.pagination.endCursor}`)).body
  assert.deepEqual([first.total, first.pagination.hasNextPage, second.total, second.pagination.hasNextPage], [6, true, 6, false])
  assert.deepEqual([...first.locations, ...second.locations], whole.locations)
})

test('another reseller and a pinned key see no location, nor learn that there is one', async () => {
  const imei = newImei()
  const { device_id } = (await acme('POST', '/devices', { imei, sub_client_id: 'north' })).body
  await move(device_id)
  for (const stranger of [fleet.as('rival'), fleet.as('acme', 'south')]) {
    const unknown = await stranger('GET', '/devices/dev-neverwasone/location')
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'device_not_found'])
    for (const reference of [device_id, imei]) assert.deepEqual(await stranger('GET', `/devices/${reference}/location`), unknown)
    assert.equal((await stranger('GET', '/devices/locations?sub_client_id=north')).body.total, 0)
    assert.ok(!(await stranger('GET', '/devices/locations')).body.locations.some((each) => each.device_id === device_id))
  }
})

test('a device that reports for several vehicles is one device, where it was last', async () => {
  await acme('POST', '/sub-clients', { name: 'gateways' })
  const { device_id } = (await acme('POST', '/devices', { imei: newImei(), sub_client_id: 'gateways' })).body
  await fleet.hear('acme', device_id, { position }, ago(90), 'veh-gateway01')
  await fleet.hear('acme', device_id, { position: { latitude: 1, longitude: 2 } }, ago(60), 'veh-gateway02')
  await fleet.hear('acme', device_id, { signals: { batteryVoltageV: 12 } }, ago(301), 'veh-gateway03')
  await fleet.hear('acme', device_id, { recordedAtMs: ago(400).getTime(), position }, ago(30), 'veh-gateway01')
  const { total, locations } = (await acme('GET', '/devices/locations?sub_client_id=gateways')).body
  assert.deepEqual([total, locations.length, locations[0]?.latitude, locations[0]?.timestamp], [1, 1, 1, ago(60).toISOString()])
  const listed = (await acme('GET', '/devices?sub_client_id=gateways')).body
  assert.deepEqual([listed.total, listed.devices.length, listed.devices[0]?.last_seen_at], [1, 1, ago(30).toISOString()])
})

test('the positions of the fleet are those of all pages of the list, a line for each', async () => {
  const { locations, pagination } = (await acme('GET', '/devices/locations?limit=500')).body
  assert.ok(locations.length > 5 && !pagination.hasNextPage)
  const shortOf = (each: (typeof locations)[number]) => [each.device_id, each.latitude, each.longitude, each.timestamp, each.online]
  const linesOf = async (query: string, call = acme) => {
    const { lines } = (await call('GET', `/fleet/positions${query}`)).body
    return lines.map((line) => [line.deviceId, line.latitude, line.longitude, line.timestamp, line.online])
  }
  // From the sixth time on, PostgreSQL may use a plan of a statement that is not made for its values.
  for (let nth = 1; nth <= 8; nth++) assert.deepEqual(await linesOf(''), locations.map(shortOf))
  const south = (await acme('GET', '/devices/locations?sub_client_id=south')).body.locations.map(shortOf)
  for (let nth = 1; nth <= 8; nth++) assert.deepEqual(await linesOf('?subClientId=south'), south)
  assert.deepEqual(await linesOf('', fleet.as('acme', 'south')), south)
  assert.deepEqual(await linesOf('?subClientId=north', fleet.as('acme', 'south')), [])
  assert.deepEqual(await linesOf('', fleet.as('rival')), [])
  for (const other of ['nowhere', 'No Slug']) assert.deepEqual(await linesOf(`?subClientId=${encodeURIComponent(other)}`), [])
})

test('positions since an instant are those that came in since, whenever the device was there by its clock', async () => {
  const { device_id } = (await acme('POST', '/devices', { imei: newImei() })).body
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 3_600_000)
  const since = encodeURIComponent(ago(10).toISOString())
  assert.deepEqual((await acme('GET', `/fleet/positions?receivedSince=${since}`)).body.lines, [])
  await fleet.hear('acme', device_id, { recordedAtMs: ago(7_200).getTime(), position }, ago(10))
  const { lines } = (await acme('GET', `/fleet/positions?receivedSince=${since}`)).body
  assert.deepEqual(
    lines.map((line) => line.deviceId),
    [device_id],
  )
  for (const query of ['receivedSince=yesterday', 'subClientId='])
    assert.equal((await acme('GET', `/fleet/positions?${query}`)).status, 400)
})

test('who follows the positions gets those that came in while an answer was read, and those that were stored late', async () => {
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 3_600_000)
  const ids: string[] = []
  for (let i = 0; i < 2; i++) ids.push((await acme('POST', '/devices', { imei: newImei() })).body.device_id)
  const [first = '', last = ''] = ids
  const since = async (instant: Date) => {
    const { lines } = (await acme('GET', `/fleet/positions?receivedSince=${encodeURIComponent(instant.toISOString())}`)).body
    return lines.map(({ deviceId, receivedAt }) => [deviceId, receivedAt])
  }
  // Received after the answer began, as where it is read in many parts.
  const begunAt = fleet.clock.now
  await fleet.hear('acme', last, { position }, ago(-20))
  assert.deepEqual(await since(ago(60)), [[last, begunAt.toISOString()]])
  // Received before that one, and stored after the answer was read.
  await fleet.hear('acme', first, { position }, ago(-19))
  fleet.clock.now = ago(-60)
  assert.deepEqual((await since(begunAt)).map(([deviceId]) => deviceId).toSorted(), ids.toSorted())
  const third = (await acme('POST', '/devices', { imei: newImei() })).body.device_id
  await fleet.hear('acme', third, { position }, ago(5))
  assert.deepEqual(await since(ago(0)), [[third, ago(5).toISOString()]])
})
