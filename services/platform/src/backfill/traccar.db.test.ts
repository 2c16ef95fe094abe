// Goal: what a Traccar server has stored arrives as what it forwards would have, from its PostgreSQL and from files. Method: a real database with Traccar's tables, and the
// receiver of forwarded positions beside it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTrackerReceiver, PREFIX } from '../ingest/receivers/http-trackers/test-tracker-receiver.ts'
import { DEVICE, effectsOf, IMEI, openFleet, RECENT_MS, readingsOf, timeAt, VEHICLE } from './test-backfill.ts'
import { openTraccar } from './test-traccar.ts'
import { TimesOfZone } from './times-of-zone.ts'
import { openTraccarDatabase } from './traccar-database.sql.ts'
import { openTraccarFiles } from './traccar-files.ts'

const NEW_IMEI = '356938035643111'
const ATTRIBUTES = {
  ...{ ignition: true, power: 13.8, battery: 4.1, batteryLevel: 90, odometer: 123_456_789, totalDistance: 5_000, rpm: 1_800, sat: 11 },
  ...{ fuelLevel: 55, coolantTemp: 88, motion: true, alarm: 'hardBraking', adc1: 7 },
}
/** As the JVM writes it. */
const local = (nth: number, zoneHours = 0) =>
  timeAt(nth, RECENT_MS + zoneHours * 3_600_000)
    .replace('T', ' ')
    .replace('Z', '')

test('positions become readings in our units, of devices by uniqueid; missing ones are listed, or created with their names', async (t) => {
  const { database, run } = await openFleet(t)
  const traccar = await openTraccar(t)
  const [known, missing, phone] = [
    await traccar.addDevice(IMEI),
    await traccar.addDevice(NEW_IMEI, 'Truck 12'),
    await traccar.addDevice('123456'),
  ]
  const attributes = JSON.stringify(ATTRIBUTES)
  await traccar.addPosition({ deviceId: known, fixTime: local(0), attributes })
  await traccar.addPosition({ deviceId: missing, fixTime: local(0) })
  await traccar.addPosition({ deviceId: phone, fixTime: local(0) })
  const importIt = async (changes = {}) => {
    const source = await openTraccarDatabase(traccar.url, 'UTC')
    return await run(source, changes).finally(() => source.close())
  }
  const refused = await importIt()
  assert.equal(refused.stored, undefined)
  assert.deepEqual(
    refused.found.reasons.map(({ text, places }) => `${places.join()}: ${text}`),
    [`position 2: the device "${NEW_IMEI}" is not known`, 'position 3: the device "123456" is not known'],
  )
  const options = { createsMissing: true, aliases: new Map([['123456', 'dev-southsouth']]) }
  assert.deepEqual((await importIt(options)).stored, { newCount: 3, knownCount: 0 })
  assert.deepEqual((await importIt(options)).stored, { newCount: 0, knownCount: 3 })
  const [first, , ofNew] = (await readingsOf(database)).sort((a, b) =>
    a.source === DEVICE ? -1 : b.source === DEVICE ? 1 : a.device === 'dev-southsouth' ? -1 : 1,
  )
  assert.deepEqual([first?.source, first?.vehicle, first?.at, first?.latitude], [DEVICE, VEHICLE, new Date(RECENT_MS), 52.5])
  const signals = {
    vehicleSpeedKmh: 18.52,
    batteryVoltageV: 13.8,
    odometerKm: 123_456.789,
    engineSpeedRpm: 1_800,
    fuelLevelPct: 55,
    coolantTempC: 88,
  }
  assert.deepEqual(first?.signals, signals)
  assert.deepEqual(first?.attributes, {
    ...{
      ignition: true,
      event: 'harsh_braking',
      headingDeg: 180,
      altitudeM: 34.5,
      satellites: 11,
      deviceBatteryV: 4.1,
      deviceBatteryPct: 90,
    },
    extra: { protocol: 'teltonika', motion: true, totalDistance: 5_000, adc1: 7 },
  })
  const { rows } = await database.systemPool.query(
    `select device_id, name, status, connection_method as method, sim_number, vehicle_id from devices where imei = $1`,
    [NEW_IMEI],
  )
  const [created] = rows
  assert.deepEqual([created?.name, created?.status, created?.method, created?.sim_number], ['Truck 12', 'pending', 'traccar', null])
  assert.deepEqual([ofNew?.device, ofNew?.vehicle], [created?.device_id, created?.vehicle_id])
  assert.notEqual(created?.vehicle_id, null)
  assert.deepEqual(await effectsOf(database), { metered: 0, active: 0, due: 0, alarms: 0, events: 0 })
})

test('a position that was forwarded when it came is known when it is imported', async (t) => {
  const fleet = await openFleet(t)
  const traccar = await openTraccar(t)
  const { app, apiKey, database, register } = await openTrackerReceiver(t)
  await register({ imei: IMEI })
  const id = await traccar.addDevice(IMEI)
  await traccar.addPosition({ deviceId: id, fixTime: local(0), attributes: JSON.stringify(ATTRIBUTES) })
  const position = {
    ...{
      id: 1,
      deviceId: id,
      protocol: 'teltonika',
      serverTime: timeAt(1),
      deviceTime: timeAt(0),
      fixTime: timeAt(0),
      outdated: false,
      valid: true,
    },
    ...{
      latitude: 52.5,
      longitude: 13.4,
      altitude: 34.5,
      speed: 10,
      course: 180,
      address: null,
      accuracy: 0,
      network: null,
      geofenceIds: null,
      attributes: ATTRIBUTES,
    },
  }
  const forwarded = await app.inject({
    method: 'POST',
    url: `${PREFIX}/traccar`,
    headers: { 'x-api-key': apiKey },
    payload: { position, device: { id, uniqueId: IMEI } },
  })
  assert.equal(forwarded.statusCode, 200, forwarded.body)
  const source = await openTraccarDatabase(traccar.url, 'UTC')
  const { stored } = await fleet.run(source, { database }).finally(() => source.close())
  assert.deepEqual(stored, { newCount: 0, knownCount: 1 })
})

test('local times are read by the zone of the server; rows that cannot be, are refused one by one; what comes meanwhile waits', async (t) => {
  const { database, run } = await openFleet(t)
  const traccar = await openTraccar(t)
  const id = await traccar.addDevice(IMEI)
  await traccar.addPosition({ deviceId: id, fixTime: local(0, 8) })
  await traccar.addPosition({ deviceId: id, fixTime: '1970-01-01 00:00:00' })
  await traccar.addPosition({ deviceId: id, fixTime: local(1, 8), attributes: '{"broken' })
  await traccar.addPosition({ deviceId: id, fixTime: local(2, 8), latitude: 452 })
  await traccar.addPosition({ deviceId: 99, fixTime: local(3, 8) })
  await traccar.addPosition({ deviceId: id, fixTime: local(4, 8), valid: false, attributes: '{"__proto__": 1, "power": "NaN"}' })
  const source = await openTraccarDatabase(traccar.url, 'Asia/Singapore')
  t.after(() => source.close())
  await traccar.addPosition({ deviceId: id, fixTime: local(5, 8) })
  const { found, stored } = await run(source, { skipsInvalid: true })
  assert.deepEqual(
    found.reasons.map(({ text, places }) => `${places.join()}: ${text}`.replace(/ \(.*\)$/, '')),
    [
      'position 2: "timestamp" is more than 400 days ago; older readings are not taken.',
      'position 3: its attributes are no JSON',
      'position 4: "latitude" must be between -90 and 90 degrees.',
      'position 5: its device 99 is not in tc_devices',
    ],
  )
  assert.deepEqual(stored, { newCount: 2, knownCount: 0 })
  const stamps = (await readingsOf(database)).map(({ at, latitude }) => [at.toISOString(), latitude])
  assert.deepEqual(stamps, [
    [timeAt(0), 52.5],
    [timeAt(4), null],
  ])
})

test('files of the two tables give the same as the database, with the forms of PostgreSQL, MySQL and H2', async (t) => {
  const { database, run, write, folder } = await openFleet(t)
  const traccar = await openTraccar(t)
  const id = await traccar.addDevice(IMEI, 'Truck; "7", old')
  await traccar.addPosition({ deviceId: id, fixTime: local(0), attributes: JSON.stringify(ATTRIBUTES) })
  await traccar.addPosition({ deviceId: id, fixTime: local(1), valid: false })
  const fromDatabase = await openTraccarDatabase(traccar.url, 'UTC')
  assert.deepEqual((await run(fromDatabase).finally(() => fromDatabase.close())).stored, { newCount: 2, knownCount: 0 })
  const csv = (rows: Record<string, unknown>[], form: (value: unknown) => string, title = (name: string) => name) => {
    const cell = (value: unknown) => `"${form(value).replaceAll('"', '""')}"`
    return [Object.keys(rows[0] ?? {}).map(title), ...rows.map((row) => Object.values(row).map(cell))]
      .map((line) => line.join(','))
      .join('\r\n')
  }
  const devices = await traccar.query('select * from tc_devices')
  const positions = await traccar.query('select p.*, devicetime::text as devicetime, fixtime::text as fixtime from tc_positions p')
  const forms: ((value: unknown) => string)[] = [
    (value) => (value === null ? '' : value === true ? 't' : value === false ? 'f' : String(value)),
    (value) => (value === null ? 'NULL' : value === true ? '1' : value === false ? '0' : String(value)),
    (value) => (value === null ? '' : String(value).replace(/^(true|false)$/, (word) => word.toUpperCase())),
  ]
  for (const [nth, form] of forms.entries()) {
    const title = (name: string) => (nth === 2 ? name.toUpperCase() : name)
    write(csv(devices, form, title), 'tc_devices.csv')
    write(csv(positions, form, title), 'tc_positions.csv')
    assert.deepEqual((await run(await openTraccarFiles(folder, 'UTC'))).stored, { newCount: 0, knownCount: 2 }, `form ${nth}`)
  }
  assert.equal((await readingsOf(database)).length, 2)
  write('id,name\n1,x\n', 'tc_devices.csv')
  await assert.rejects(openTraccarFiles(folder, 'UTC'), {
    name: 'BackfillProblem',
    message: /tc_devices\.csv: its first line .*; uniqueid is missing/,
  })
})

test('local times around every change of clocks are the same instants from files as from the database', async (t) => {
  const { query } = await openTraccar(t)
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'Europe/Dublin', 'Asia/Kathmandu']) {
    const rows = (await query(
      `select to_char(at, 'YYYY-MM-DD HH24:MI:SS') as local, to_char(at at time zone $1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as utc
         from generate_series(timestamp '2026-01-01 00:15', '2026-12-31', '30 minutes') at`,
      [zone],
    )) as { local: string; utc: string }[]
    const times = new TimesOfZone(zone)
    assert.deepEqual(
      rows.filter(({ local: text, utc }) => times.toUtc(text) !== utc),
      [],
      zone,
    )
  }
})

test('a database that is not one of Traccar, a wrong password and a wrong zone are refused in words', async (t) => {
  const { urls } = await openFleet(t)
  const traccar = await openTraccar(t)
  await assert.rejects(openTraccarDatabase(urls.direct.system, 'UTC'), { name: 'BackfillProblem', message: /no table tc_positions/ })
  await assert.rejects(openTraccarDatabase(traccar.url, "UTC'; drop table tc_devices; --"), {
    name: 'BackfillProblem',
    message: /is no time zone/,
  })
  const nobody = new URL(traccar.url)
  nobody.username = 'nobody'
  await assert.rejects(openTraccarDatabase(String(nobody), 'UTC'), {
    name: 'BackfillProblem',
    message: /Traccar's database cannot be read/,
  })
  const closed = new URL(traccar.url)
  closed.port = '1'
  await assert.rejects(openTraccarDatabase(String(closed), 'UTC'), /ECONNREFUSED/)
})
