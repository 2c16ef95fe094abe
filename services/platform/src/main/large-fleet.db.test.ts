// Reads of one thing, or of a page, must not grow with the fleet. What grows is measured by the pages of tables and indexes that PostgreSQL
// touches, which no other work on the machine changes. The readings of devices have no statistics here, as when a fleet speaks for the first time.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import type { Db, NamedStatement } from '@roadworthy/service-kit/postgres/db'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import pg from 'pg'
import { selectDevice, selectDevices } from '../devices/devices.read.sql.ts'
import { selectLocation, selectLocations } from '../devices/locations.read.sql.ts'
import { positionPlatformRoutes } from '../devices/position.routes.platform-v1.ts'
import { selectVehicles } from '../fleet/vehicles.read.sql.ts'
import { selectOldestChosen } from '../predictions/fleet/vehicle-choice.read.sql.ts'
import { selectJudgedVehicles } from '../predictions/health.read.sql.ts'
import { createReading, type Reading } from '../readings/reading.ts'
import { countVehicleReadings, selectReadingBuckets, selectVehicleReadings } from '../readings/readings.read.sql.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, onOnePostgres, openTestDatabase, storeReadings } from '../test-support.ts'

const VEHICLES = 5_000
const PAGE = 50
/** A row of a list: its own, its neighbours in other tables, each through an index of two or three levels. */
const PAGES_PER_ROW = 20
const PAGES_PER_STATEMENT = 30

const now = new Date('2026-03-04T12:00:00.000Z')
const { database, ownerUrl } = await openTestDatabase({ after }, now)
const viewer = { resellerId: 'acme', subClientPin: undefined }

before(async () => {
  await insertReseller(database, 'acme')
  const many = `generate_series(1, ${VEHICLES}) n`
  await database.system(async (db) => {
    await db.query(`insert into vehicles (reseller_id, vehicle_id) select 'acme', 'veh-' || lpad(n::text, 20, '0') from ${many}`)
    await db.query(
      `insert into devices (reseller_id, device_id, device_type, connection_method, status, vehicle_id)
       select 'acme', 'dev-' || lpad(n::text, 20, '0'), 'obd_dongle', 'mqtt', 'active', 'veh-' || lpad(n::text, 20, '0') from ${many}`,
    )
    await db.query(`insert into connection_leases (reseller_id, holder_id, lease_until) values ('acme', 'hld-1', $1)`, [now])
    await db.query(
      `insert into device_connections (reseller_id, device_id, connection_id, holder_id, connected_at)
       select reseller_id, device_id, 'con-1', 'hld-1', $1 from devices`,
      [now],
    )
  })
  await storeReadings(
    database,
    Array.from({ length: VEHICLES }, (_, nth) => readingOf(nth + 1)),
  )
  // The fleet itself has them: without any, PostgreSQL takes every reseller for a tiny one and goes through all of it.
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('analyze vehicles, devices, vehicle_sources')
  await owner.end()
})

const idOf = (kind: 'dev' | 'veh', nth: number) => `${kind}-${String(nth).padStart(20, '0')}`

function readingOf(nth: number): Reading {
  const at = now.getTime()
  const position = { latitude: 12, longitude: 77 }
  const deviceId = idOf('dev', nth)
  const of = { resellerId: 'acme', sourceId: deviceId, deviceId, vehicleId: idOf('veh', nth), subClientId: undefined }
  return createReading(
    { recordedAtMs: at, position, signals: { coolantTempC: 90 }, attributes: {}, implausible: [] },
    { kind: 'telemetry', ...of, receivedAtMs: at },
  )
}

/** Of one PostgreSQL, where the plan has them. */
const pagesAreKnown = onOnePostgres('the pages that nodes touch are not in the plan')

/** How many pages the statements of `read` touch. They run under row-level security. */
async function pagesTouched(read: (db: Db) => Promise<unknown>): Promise<number> {
  let pages = 0
  const query = async (statement: string | NamedStatement, values: readonly unknown[] = []) => {
    const tenant = database.tenantPool('acme')
    const explained = `explain (analyze, buffers, format json) ${typeof statement === 'string' ? statement : statement.text}`
    const { rows } = await tenant.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(explained, values)
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    return await tenant.query(statement, values)
  }
  await read({ query } as Db)
  return pages
}

const page = pageRequest('devices', { limit: PAGE })
const anyDevice = { subClientId: undefined, status: undefined, search: undefined, presence: undefined }
const anyVehicle = { subClientId: undefined, vin: undefined, licensePlate: undefined, status: 'active' } as const
const idsOfPage = Array.from({ length: PAGE }, (_, nth) => idOf('veh', nth + 1))
const lists: Record<string, (db: Db) => Promise<unknown>> = {
  locations: (db) => selectLocations(db, viewer, {}, page),
  devices: (db) => selectDevices(db, viewer, anyDevice, page),
  vehicles: (db) => selectVehicles(db, viewer, anyVehicle, page),
  'vehicles with their health': (db) => selectJudgedVehicles(db, 'acme', idsOfPage),
}
for (const [name, read] of Object.entries(lists)) {
  test(`a page of ${name} touches what it shows, not what there is`, pagesAreKnown, async () => {
    const pages = await pagesTouched(read)
    assert.ok(pages > PAGE && pages < PAGE * PAGES_PER_ROW, `${pages} pages for ${PAGE} rows`)
  })
}

test('a fleet that takes several statements to export is exported whole, each device once', async () => {
  const app = createHttpApp({ logger: false })
  speakSurface(app, platformSurface)
  app.addHook('onRequest', async (request) => {
    request.caller = { ...viewer, keyId: 'key-test', scopes: new Set(['*']), subClientPin: undefined }
  })
  await app.register(positionPlatformRoutes({ database, now: () => now, offlineAfterMs: 300_000, devicesPerPart: 900 }))
  const { body } = await app.inject({ method: 'GET', url: '/fleet/positions' })
  await app.close()
  const lines = body.trimEnd().split('\n')
  assert.equal(lines.length, VEHICLES)
  assert.equal(new Set(lines.map((line) => (JSON.parse(line) as { deviceId: string }).deviceId)).size, VEHICLES)
})

test('which vehicles a page shows is found without looking at the others', pagesAreKnown, async () => {
  const anyOf = {
    ids: undefined,
    groupId: undefined,
    subClientId: undefined,
    healthStatus: undefined,
    status: 'active',
    words: [],
    presence: undefined,
  } as const
  const pages = await pagesTouched((db) => selectOldestChosen(db, { viewer, ...anyOf, heardSince: now, box: undefined }, page))
  assert.ok(pages > 0 && pages < PAGE, `${pages} pages`)
})

const range = { from: new Date(now.getTime() - 3_600_000), to: new Date(now.getTime() + 1) }
const ofOne = { vehicleId: idOf('veh', 7), subClientPin: undefined, range, signals: undefined }
const single: Record<string, (db: Db) => Promise<unknown>> = {
  'a device': (db) => selectDevice(db, viewer, idOf('dev', 7)),
  'the location of a device': (db) => selectLocation(db, viewer, idOf('dev', 7)),
  'the readings of a vehicle': (db) => selectVehicleReadings(db, 'acme', ofOne, { limit: PAGE, after: undefined }),
  'the count of a vehicle’s readings': (db) => countVehicleReadings(db, 'acme', ofOne),
  'the buckets of a vehicle': (db) => selectReadingBuckets(db, 'acme', ofOne, 60),
}
for (const [name, read] of Object.entries(single)) {
  test(`${name} is found by key, however large the fleet`, pagesAreKnown, async () => {
    const pages = await pagesTouched(read)
    assert.ok(pages > 0 && pages < PAGES_PER_STATEMENT, `${pages} pages`)
  })
}
