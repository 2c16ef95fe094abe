// Goal: readings of before arrive once, for the right device and reseller, and nothing follows from them as if they had happened now. Method: CSV files into a real database.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareStored } from '../history/add-to-week.ts'
import { readSealedFile } from '../history/sealed-file.ts'
import { DAY_MS, reading, requireDuckdb } from '../history/test-history.ts'
import { storeReadings } from '../test-support.ts'
import {
  DEVICE,
  effectsOf,
  type Fleet,
  IMEI,
  OTHER_IMEI,
  openFleet,
  RECENT_MS,
  readingsOf,
  sealOldWeeks,
  timeAt,
  VEHICLE,
} from './test-backfill.ts'

const NOTHING = { metered: 0, active: 0, due: 0, alarms: 0, events: 0 }

test('readings arrive once: nothing is metered, scored or published, and the source is where it was last known to be', async (t) => {
  const { database, importCsv } = await openFleet(t)
  const rows = [0, 1, 2].map((nth) => `${IMEI},${timeAt(nth)},52.5,13.${nth},${50 + nth},${nth === 2 ? 'sos' : ''},P0301`)
  const content = `device_id,timestamp,latitude,longitude,speed,event,dtc_codes\n${rows.join('\n')}\n`
  const checked = await importCsv(content, { isCheck: true })
  assert.deepEqual([checked.stored, checked.found.readingCount, checked.found.deviceCount], [undefined, 3, 1])
  assert.deepEqual([checked.found.firstRecordedAt, checked.found.lastRecordedAt], [new Date(RECENT_MS), new Date(timeAt(2))])
  assert.deepEqual(await readingsOf(database), [])
  assert.deepEqual((await importCsv(content)).stored, { newCount: 3, knownCount: 0 })
  assert.deepEqual((await importCsv(`${content}${rows[1]}\n`)).stored, { newCount: 0, knownCount: 4 })
  const stored = await readingsOf(database)
  assert.deepEqual(
    stored.map(({ source, vehicle, at, signals }) => [source, vehicle, at.toISOString(), signals]),
    [0, 1, 2].map((nth) => [DEVICE, VEHICLE, timeAt(nth), { vehicleSpeedKmh: 50 + nth }]),
  )
  assert.deepEqual(await effectsOf(database), NOTHING)
  const { rows: states } = await database.systemPool.query('select recorded_at, received_at, longitude from latest_states')
  assert.deepEqual(states, [{ recorded_at: new Date(timeAt(2)), received_at: new Date(timeAt(2)), longitude: 13.2 }])
  const { rows: sources } = await database.systemPool.query('select source_id from vehicle_sources where vehicle_id = $1', [VEHICLE])
  assert.deepEqual(sources, [{ source_id: DEVICE }])
  const { rows: audit } = await database.systemPool.query(`select action, actor_type from audit_log where reseller_id = 'acme'`)
  assert.deepEqual(audit, [{ action: 'readings.imported', actor_type: 'cli' }])
})

test('what a source has reported here stays its latest state, and what came over the air is known again', async (t) => {
  const { database, importCsv } = await openFleet(t)
  const about = { resellerId: 'acme', vehicleId: VEHICLE, sourceId: DEVICE, subClientId: 'north' }
  await storeReadings(database, [reading(about, RECENT_MS, { signals: { vehicleSpeedKmh: 77 } })])
  const { stored } = await importCsv(
    `device_id,timestamp,speed\n${IMEI},${timeAt(-5)},10\n${DEVICE},${timeAt(0)},77\n${IMEI},${timeAt(5)},12\n`,
  )
  assert.deepEqual(stored, { newCount: 2, knownCount: 1 })
  const { rows } = await database.systemPool.query(
    `select signals -> 'vehicleSpeedKmh' ->> 0 as speed from latest_states where vehicle_id is not null`,
  )
  assert.deepEqual(rows, [{ speed: '77' }])
})

test('of an import that is interrupted the audit log has what it stored, and of the next one the rest', async (t) => {
  const { database, importCsv } = await openFleet(t)
  // Read in parts of 1,000 rows, of which the header is one.
  const lines = Array.from({ length: 1_001 }, (_, nth) => `${IMEI},${timeAt(nth)},50\n`)
  const content = `device_id,timestamp,speed\n${lines.join('')}`
  const stopping = new AbortController()
  const onProgress = (_share: number, text: string) => {
    if (text === 'storing') stopping.abort(new Error('stopped'))
  }
  await assert.rejects(importCsv(content, { signal: stopping.signal, onProgress }), /stopped/)
  assert.deepEqual((await importCsv(content)).stored, { newCount: 2, knownCount: 999 })
  const { rows } = await database.systemPool.query(`select changes -> 'readings' -> 'to' as count from audit_log order by at`)
  assert.deepEqual(rows, [{ count: 999 }, { count: 2 }])
})

test('one refused line refuses the file, by lines and reasons; skipping it imports the rest', async (t) => {
  const { database, importCsv } = await openFleet(t)
  const time = (ms: number) => new Date(ms).toISOString()
  const lines = [
    `${IMEI},${timeAt(0)},50,52`,
    `${IMEI},${time(Date.now() + DAY_MS)},50,52`,
    `${IMEI},${time(Date.now() - 500 * DAY_MS)},50,52`,
    `${IMEI},2026-10-05 08:00,50,52`,
    `${IMEI},1790000000,50,52`,
    `${IMEI},,50,52`,
    `${IMEI},${timeAt(1)},50,95`,
    `${IMEI},${timeAt(2)},999,52`,
    `356938035643777,${timeAt(2)},50,52`,
    `356938035643777,${timeAt(3)},50,52`,
    `"=HYPERLINK(""x"")",${timeAt(3)},50,52`,
    `3.56938E+14,${timeAt(3)},50,52`,
    `dev-rivalrival,${timeAt(3)},50,52`,
    `${OTHER_IMEI},${timeAt(3)},50,52`,
  ]
  const content = `device_id,timestamp,speed,latitude,longitude\n${lines.map((line) => `${line},13`).join('\n')}\n`
  const refused = await importCsv(content)
  assert.equal(refused.stored, undefined)
  assert.deepEqual(await readingsOf(database), [])
  const { reasons, refusedCount, warnings } = refused.found
  assert.equal(refusedCount, 12)
  const shown = reasons.map(({ text, places }) => `${places.join('+')}: ${text}`)
  assert.deepEqual(
    shown.map((each) => each.replace(/ \("20.*Z"\)$/, '')),
    [
      'line 3: "timestamp" is more than 300 s ahead of the server\'s clock.',
      'line 4: "timestamp" is more than 400 days ago; older readings are not taken.',
      'line 5: column "timestamp": "2026-10-05 08:00" has no offset from UTC; name its zone with --time-zone, such as Europe/Berlin',
      'line 6: "timestamp" must be an RFC 3339 date and time with an offset, such as 2026-01-31T08:15:00.000Z, not a number of seconds or milliseconds. ("1790000000")',
      'line 7: it has no timestamp',
      'line 8: "latitude" must be between -90 and 90 degrees. ("95")',
      'line 10+line 11: the device "356938035643777" is not known',
      'line 12: the device "=HYPERLINK("x")" is not known',
      'line 13: the device "3.56938E+14" is not known; a spreadsheet has cut this number, so export the column as text',
      'line 14: the device "dev-rivalrival" is not known',
      `line 15: the device "${OTHER_IMEI}" is not known`,
    ],
  )
  assert.deepEqual(warnings, [{ field: 'speed', kind: 'implausible', count: 1 }])
  assert.deepEqual((await importCsv(content, { skipsInvalid: true })).stored, { newCount: 2, knownCount: 0 })
  assert.deepEqual(await readingsOf(database, 'rival'), [])
})

test('a file of nothing but different mistakes is not read to its end', async (t) => {
  const { importCsv } = await openFleet(t)
  const lines = Array.from({ length: 5_000 }, (_, nth) => `${nth},${timeAt(0)}`)
  const { found } = await importCsv(`device_id,timestamp\n${lines.join('\n')}\n`)
  assert.equal(found.reasons.length, 50)
  assert.ok(found.otherCount > 0 && found.recordCount < 2_000, String(found.recordCount))
})

// Goal: an import takes what is kept, and nothing that would be removed at once. Method: north keeps for ever, the reseller for less than the service does.
test('what may be imported is as old as its reseller and its sub-client keep readings', async (t) => {
  const { database, importCsv } = await openFleet(t)
  const set = (subClientId: string, days: number | null) =>
    database.systemPool.query(`insert into readings_retention (reseller_id, sub_client_id, days) values ('acme', $1, $2)`, [
      subClientId,
      days,
    ])
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const [north, south] = [IMEI, 'dev-southsouth']
  const placesOf = async (...lines: (readonly [device: string, time: string])[]) => {
    const content = `device_id,timestamp,speed\n${lines.map((cells) => `${cells.join(',')},50\n`).join('')}`
    const { found } = await importCsv(content, { isCheck: true })
    return found.reasons.map(({ text, places }) => `${places.join(', ')}: ${text.replace(/ \(.*/, '')}`)
  }
  const asked = [
    [north, daysAgo(900)],
    [north, daysAgo(200)],
    [south, daysAgo(200)],
    [south, daysAgo(50)],
  ] as const
  assert.deepEqual(await placesOf(...asked), ['line 2: "timestamp" is more than 400 days ago; older readings are not taken.'])
  await set('', 100)
  await set('north', null)
  assert.deepEqual(await placesOf(...asked), [
    'line 4: "timestamp" is more than 100 days ago; older readings of the sub-client south are not kept.',
  ])
  assert.match(
    (await placesOf([north, '1999-12-31T23:59:59Z'])).join(),
    /line 2: "timestamp" is more than \d+ days ago; older readings are not taken/,
  )
  await database.systemPool.query(
    `insert into readings_cleared (reseller_id, sub_client_id, cleared_until) values ('acme', 'south', now())`,
  )
  assert.deepEqual((await importCsv(`device_id,timestamp,speed\n${north},2000-01-03T00:00:00Z,50\n`)).stored, {
    newCount: 1,
    knownCount: 0,
  })
  assert.equal((await database.systemPool.query('select from readings_cleared')).rowCount, 0, 'what is past its time is looked for anew')
})

test('only of a sub-client: devices of others do not exist, and new ones become its own', async (t) => {
  const { database, importCsv } = await openFleet(t)
  const south = await importCsv(`device_id,timestamp,speed\n${IMEI},${timeAt(0)},1\n356938035643222,${timeAt(0)},2\n`, {
    subClientId: 'north',
    isCheck: true,
    createsMissing: true,
  })
  assert.deepEqual(
    [south.found.readingCount, south.found.reasons.map(({ text }) => text), south.newDevices],
    [1, ['the device "356938035643222" is not known'], []],
  )
  const created = await importCsv(`device_id,timestamp,speed\n356938035643111,${timeAt(0)},1\n`, {
    subClientId: 'north',
    createsMissing: true,
  })
  assert.deepEqual(created.newDevices, ['356938035643111'])
  const { rows } = await database.systemPool.query(`select sub_client_id, status from devices where imei = '356938035643111'`)
  assert.deepEqual(rows, [{ sub_client_id: 'north', status: 'pending' }])
})

test('devices and vehicles that are missing are created once, and only when asked for; names can be led to ids', async (t) => {
  const { database, importCsv } = await openFleet(t)
  const content = `device_id,timestamp,speed\n356938035643111,${timeAt(0)},1\nTruck 7,${timeAt(0)},2\n356938035643111,${timeAt(1)},3\n`
  const aliases = new Map([['Truck 7', DEVICE]])
  const countOf = async (table: 'devices' | 'vehicles') =>
    (await database.systemPool.query(`select count(*)::int as count from ${table} where reseller_id = 'acme'`)).rows[0]?.count
  const checked = await importCsv(content, { aliases, createsMissing: true, isCheck: true })
  assert.deepEqual([checked.newDevices, checked.found.refusedCount, await countOf('devices')], [['356938035643111'], 0, 2])
  for (const newCount of [3, 0]) {
    const { stored } = await importCsv(content, { aliases, createsMissing: true })
    assert.deepEqual([stored?.newCount, await countOf('devices'), await countOf('vehicles')], [newCount, 3, 2])
  }
  const vehicles = `vehicle_id,timestamp,speed\nMH 12 AB 1234,${timeAt(0)},1\nMH 12 AB 1234,${timeAt(1)},2\n`
  const refused = await importCsv(vehicles)
  assert.deepEqual(
    refused.found.reasons.map(({ text }) => text),
    ['the vehicle "MH 12 AB 1234" is not known'],
  )
  const named = await importCsv(vehicles, { createsMissing: true })
  assert.deepEqual([named.newVehicles, named.stored, await countOf('vehicles')], [['MH 12 AB 1234'], { newCount: 2, knownCount: 0 }, 3])
  // Of a device, a vehicle that is not known is no other reading without it.
  const both = await importCsv(`device_id,vehicle_id,timestamp,speed\n${IMEI},nowhere,${timeAt(9)},1\n`)
  assert.deepEqual(
    both.found.reasons.map(({ text }) => text),
    ['the vehicle "nowhere" is not known'],
  )
})

test('readings of weeks that are sealed go into files, in any order and twice; of weeks in between, into new partitions', async (t) => {
  const fleet = await openFleet(t)
  await sealOldWeeks(t, fleet)
  const { importCsv } = fleet
  const old = (nth: number) => new Date(Date.now() - 200 * DAY_MS - nth * DAY_MS - (nth % 7)).toISOString()
  const nths = Array.from({ length: 15 }, (_, nth) => (nth * 7) % 15)
  const content = `device_id,timestamp,speed\n${nths.map((nth) => `${IMEI},${old(nth)},${nth}`).join('\n')}\n${IMEI},${timeAt(0)},5\n`
  const withoutPlace = importCsv(content, { withSealing: undefined })
  await assert.rejects(withoutPlace, { name: 'BackfillProblem', message: /15 readings are of before .* Set HISTORY_DIR/ })
  const lines = content.split('\n')
  const half = [lines[0], ...lines.slice(1).filter((_, nth) => nth % 2 === 0)].join('\n')
  assert.deepEqual((await importCsv(half)).stored, { newCount: 8, knownCount: 0 })
  assert.deepEqual((await importCsv(content)).stored, { newCount: 8, knownCount: 8 })
  assert.deepEqual((await importCsv(content)).stored, { newCount: 0, knownCount: 16 })
  await assertFilesAreSorted(fleet)
  const { rows } = await fleet.database.systemPool.query(
    `select state, sum(reading_count)::int as count from sealed_readings_files where reseller_id = 'acme' and state = 'live' group by 1`,
  )
  assert.deepEqual(rows, [{ state: 'live', count: 15 }])
  assert.equal((await readingsOf(fleet.database)).length, 1)
  assert.deepEqual(await effectsOf(fleet.database), NOTHING)
  const turnTaken = importCsv(`${content}${IMEI},${timeAt(1)},6\n`, { withSealing: async () => undefined })
  await assert.rejects(turnTaken, /Another import, a sealing of readings into files, or an erasure is under way/)
})

test('an import that was stopped in the middle goes on when it is run again', async (t) => {
  const fleet = await openFleet(t)
  const lines = Array.from({ length: 3_500 }, (_, nth) => `${IMEI},${new Date(RECENT_MS + nth * 1_000).toISOString()},${nth % 90}`)
  const content = `device_id,timestamp,speed\n${lines.join('\n')}\n`
  const stopping = new AbortController()
  const onProgress = (_share: number, text: string) => {
    if (text === 'storing') stopping.abort(new Error('stopped'))
  }
  await assert.rejects(fleet.importCsv(content, { signal: stopping.signal, onProgress }), /stopped/)
  const before = (await readingsOf(fleet.database)).length
  assert.ok(before > 0 && before < lines.length, String(before))
  const { stored } = await fleet.importCsv(content)
  assert.deepEqual(stored, { newCount: lines.length - before, knownCount: before })
})

test('an import that is stopped while it writes a file of the history does not finish the file', async (t) => {
  const fleet = await openFleet(t)
  await sealOldWeeks(t, fleet)
  const content = `device_id,timestamp,speed\n${IMEI},${timeAt(0, Date.now() - 60 * DAY_MS)},50\n`
  const stopping = new AbortController()
  const onProgress = (_share: number, text: string) => {
    if (text.startsWith('files of')) stopping.abort(new Error('stopped'))
  }
  let storedCount: number | undefined
  const onStopped = (count: number) => {
    storedCount = count
  }
  await assert.rejects(fleet.importCsv(content, { signal: stopping.signal, onProgress, onStopped }), /stopped/)
  assert.equal(storedCount, 0)
  assert.deepEqual((await fleet.importCsv(content)).stored, { newCount: 1, knownCount: 0 })
})

test('a key that another reseller has is refused, and stays theirs', async (t) => {
  const { database, importCsv } = await openFleet(t)
  await importCsv(`device_id,timestamp,speed\n${IMEI},${timeAt(0)},1\n`)
  await database.systemPool.query(`update readings set reseller_id = 'rival'`)
  await assert.rejects(importCsv(`device_id,timestamp,speed\n${IMEI},${timeAt(0)},1\n`), /as those of another reseller/)
})

async function assertFilesAreSorted({ database, history }: Fleet): Promise<void> {
  const duckdb = await requireDuckdb()
  const { rows: files } = await database.systemPool.query<{ path: string }>(
    `select path from sealed_readings_files where reseller_id = 'acme' and state = 'live'`,
  )
  for (const { path } of files) {
    const readings = (await Array.fromAsync(readSealedFile(duckdb, history, path))).flat()
    assert.deepEqual(readings, readings.toSorted(compareStored))
  }
}
