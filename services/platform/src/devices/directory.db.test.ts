import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { openNotifications } from '@roadworthy/service-kit/postgres/notifications'
import { newId } from '@roadworthy/service-kit/text/ids'
import { insertNamedVehicles } from '../fleet/vehicles.sql.ts'
import type { FleetDirectory } from '../ingest/resolve.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { updateDevice } from './devices.sql.ts'
import { createDirectory, type Directory } from './directory.ts'
import { NamedVehicles } from './named-vehicles.ts'

const { database, ownerUrl } = await openTestDatabase({ after })
for (const resellerId of ['acme', 'rival']) await insertReseller(database, resellerId)
let notify: (resellerId?: string) => void = () => {}

function openDirectory(): Directory {
  const directory = createDirectory({
    database,
    now: () => new Date('2026-03-01T00:00:00Z'),
    onFleetChanged: (listener) => {
      notify = listener
    },
  })
  // The shape ingest asks for.
  return directory satisfies FleetDirectory
}

const run = (sql: string, ...values: unknown[]) => database.systemPool.query(sql, values)
await run(`insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North')`)
await run(`insert into vehicles (reseller_id, vehicle_id, external_ref, sub_client_id) values ('acme', 'veh-1', 'truck 1', 'north')`)
await run(
  `insert into devices (reseller_id, device_id, imei, device_type, connection_method, status, sub_client_id, vehicle_id) values
     ('acme', 'dev-aaaaaaaa', '350000000000001', 'other', 'mqtt', 'active', 'north', 'veh-1'),
     ('acme', 'dev-bbbbbbbb', '350000000000002', 'other', 'mqtt', 'decommissioned', null, null),
     ('acme', 'dev-cccccccc', '350000000000002', 'other', 'mqtt', 'pending', null, null),
     ('rival', 'dev-gggggggg', null, 'other', 'mqtt', 'pending', null, null),
     ('rival', 'dev-dddddddd', '350000000000001', 'other', 'mqtt', 'active', null, null)`,
)

test('a device is found by id and by IMEI, at once from the second time', async () => {
  const directory = openDirectory()
  const device = {
    deviceId: 'dev-aaaaaaaa',
    imei: '350000000000001',
    status: 'active',
    subClientId: 'north',
    vehicleId: 'veh-1',
    vehicleSubClientId: 'north',
  }
  assert.deepEqual(await directory.findDevice('acme', 'dev-aaaaaaaa'), device)
  assert.deepEqual(await directory.findDevice('acme', '350000000000001'), device)
  assert.deepEqual(directory.findDevice('acme', 'dev-aaaaaaaa'), device)
})

test('a decommissioned device is not found, and its IMEI finds the device that took it over', async () => {
  const directory = openDirectory()
  assert.equal(await directory.findDevice('acme', 'dev-bbbbbbbb'), undefined)
  const found = await directory.findDevice('acme', '350000000000002')
  assert.equal(found?.deviceId, 'dev-cccccccc')
})

test('one reseller never gets the device, vehicle or sub-client of another, though asked in the same moment', async () => {
  const directory = openDirectory()
  const [ours, theirs, byId, vehicle, status] = await Promise.all([
    directory.findDevice('acme', '350000000000001'),
    directory.findDevice('rival', '350000000000001'),
    directory.findDevice('rival', 'dev-aaaaaaaa'),
    directory.findVehicle('rival', 'veh-1'),
    directory.findSubClientStatus('rival', 'north'),
  ])
  assert.equal(ours?.deviceId, 'dev-aaaaaaaa')
  assert.equal(theirs?.deviceId, 'dev-dddddddd')
  assert.deepEqual([byId, vehicle, status], [undefined, undefined, undefined])
})

test('a device that has been in another vehicle has a time since which it is in its own; one in its first vehicle has none', async () => {
  await run(
    `insert into devices (reseller_id, device_id, device_type, connection_method, status)
     values ('acme', 'dev-eeeeeeee', 'other', 'mqtt', 'active')`,
  )
  await run(`insert into vehicles (reseller_id, vehicle_id) values ('acme', 'veh-first'), ('acme', 'veh-second')`)
  const linkedAt = async (day: number, vehicleId: string | undefined) => {
    const at = new Date(Date.UTC(2026, 2, day))
    await database.tenant('acme', (db) => updateDevice(db, 'acme', 'dev-eeeeeeee', { vehicleId }, at))
    const sinceMs = (await openDirectory().findDevice('acme', 'dev-eeeeeeee'))?.vehicleSinceMs
    return sinceMs === undefined ? undefined : new Date(sinceMs).getUTCDate()
  }
  assert.equal(await linkedAt(1, 'veh-first'), undefined)
  assert.equal(await linkedAt(2, 'veh-first'), undefined)
  assert.equal(await linkedAt(3, 'veh-second'), 3)
  assert.equal(await linkedAt(4, 'veh-second'), 3)
  await linkedAt(5, undefined)
  assert.equal(await linkedAt(6, 'veh-first'), 6)
})

test('junk in place of an id is nobody, without asking the store', () => {
  const directory = openDirectory()
  for (const junk of ['', '0', "'; drop table devices", '\u0000', 'dev-\ud800', 'x'.repeat(10_000)]) {
    assert.equal(directory.findDevice('acme', junk), undefined)
    assert.equal(directory.findSubClientStatus('acme', `${junk} `), undefined)
  }
  assert.equal(directory.findVehicle('acme', 'x\u0000'), undefined)
})

test('twenty readings that name the same new vehicle at once make one', async () => {
  const directory = openDirectory()
  const made = await Promise.all(
    Array.from({ length: 20 }, () => directory.createNamedVehicle('acme', { reference: 'van 9', subClientId: 'north', by: 'reseller' })),
  )
  assert.equal(new Set(made.map((vehicle) => vehicle?.vehicleId)).size, 1)
  assert.deepEqual(await directory.findVehicle('acme', 'van 9'), made[0])
  const { rows } = await run(`select registered, sub_client_id from vehicles where external_ref = 'van 9'`)
  assert.deepEqual(rows, [{ registered: false, sub_client_id: 'north' }])
})

test('the same reference is another vehicle for another reseller', async () => {
  const directory = openDirectory()
  const ours = await directory.createNamedVehicle('acme', { reference: 'bus 1', subClientId: undefined, by: 'reseller' })
  const theirs = await directory.createNamedVehicle('rival', { reference: 'bus 1', subClientId: undefined, by: 'reseller' })
  assert.ok(ours && theirs && ours.vehicleId !== theirs.vehicleId)
})

test('one reseller whose vehicles cannot be created, or not yet, holds up no other, and is tried again', async () => {
  const released = Promise.withResolvers<void>()
  const failures = [new Error('away')]
  const tenant: typeof database.tenant = async (resellerIds, run) => {
    if (String(resellerIds) !== 'acme') return await database.tenant(resellerIds, run)
    await released.promise
    const failure = failures.pop()
    if (failure !== undefined) throw failure
    return await database.tenant(resellerIds, run)
  }
  const vehicles = new NamedVehicles({ ...database, tenant }, () => new Date('2026-03-01T00:00:00Z'))
  const wanted = { reference: 'tram 1', subClientId: undefined, by: 'reseller' } as const
  const held = vehicles.create('acme', wanted, 0)
  const ofOther = await vehicles.create('rival', wanted, 0)
  assert.ok(ofOther)
  const behind = vehicles.create('acme', { ...wanted, reference: 'tram 2' }, 0)
  // Until it was its turn, and was not, because of the one that is held.
  await new Promise(setImmediate)
  released.resolve()
  await assert.rejects(held ?? Promise.resolve(), { message: 'away' })
  assert.ok(await behind)
  assert.ok(await vehicles.create('acme', wanted, 0))
})

test('room that is made while a vehicle is being refused is there for the next one', async () => {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tenant: typeof database.tenant = async (resellerIds, run) => {
    const done = await database.tenant(resellerIds, run)
    held.resolve()
    await released.promise
    return done
  }
  const vehicles = new NamedVehicles({ ...database, tenant }, () => new Date('2026-03-01T00:00:00Z'))
  const wanted = { reference: 'sled 1', subClientId: undefined, by: 'device' } as const
  await insertReseller(database, 'small')
  const [first] = await database.tenant('small', (db) =>
    insertNamedVehicles(db, 'small', [{ ...wanted, vehicleId: newId('veh') }], { ofReseller: 1_000, ofDevices: 1 }, new Date()),
  )
  assert.ok(first)
  const refused = vehicles.create('small', { ...wanted, reference: 'sled 2' }, 1)
  await held.promise
  vehicles.forget('small')
  released.resolve()
  assert.equal(await refused, undefined)
  assert.ok(await vehicles.create('small', { ...wanted, reference: 'sled 2' }, 2))
})

test('what two processes create is counted one after the other, or together they would go beyond the limit', async () => {
  const create = (db: Db, reference: string) =>
    insertNamedVehicles(
      db,
      'acme',
      [{ vehicleId: newId('veh'), reference, subClientId: undefined, by: 'device' }],
      { ofReseller: 1_000, ofDevices: 1 },
      new Date('2026-03-01T00:00:00Z'),
    )
  await database.tenant('acme', async (db) => {
    assert.ok((await create(db, 'cart 1'))[0])
    const other = database.tenant('acme', async (otherDb) => {
      await otherDb.query(`set local lock_timeout = '20ms'`)
      return await create(otherDb, 'cart 2')
    })
    await assert.rejects(other, { code: '55P03' })
  })
  assert.deepEqual(await database.tenant('acme', (db) => create(db, 'cart 2')), [undefined])
})

test('pending devices that send are active at once, and a suspended one is left as it is', async () => {
  const directory = openDirectory()
  const pending = [
    { resellerId: 'acme', deviceId: 'dev-cccccccc', imei: '350000000000002' },
    { resellerId: 'rival', deviceId: 'dev-gggggggg', imei: undefined },
  ]
  const statuses = async () => [
    (await directory.findDevice('acme', 'dev-cccccccc'))?.status,
    (await directory.findDevice('acme', '350000000000002'))?.status,
    (await directory.findDevice('rival', 'dev-gggggggg'))?.status,
  ]
  assert.deepEqual(await statuses(), ['pending', 'pending', 'pending'])
  await Promise.all([directory.activateDevices(pending), directory.activateDevices(pending.toReversed())])
  assert.deepEqual(await statuses(), ['active', 'active', 'active'])
  await run(`update devices set status = 'suspended' where device_id = 'dev-cccccccc'`)
  await directory.activateDevices(pending)
  assert.deepEqual(await statuses(), ['suspended', 'suspended', 'active'])
})

test('a device that becomes active leaves the rest of its fleet in memory, here and in other processes', async (t) => {
  const heard: string[] = []
  const notifications = openNotifications({ connectionString: ownerUrl, onError: (error) => console.error(error.message) })
  t.after(() => notifications.close())
  notifications.on(
    'fleet_changed',
    (resellerId) => void heard.push(resellerId),
    () => {},
  )
  await notifications.whenListening()
  await run(`insert into devices (reseller_id, device_id, device_type, connection_method, status)
             values ('acme', 'dev-ffffffff', 'other', 'mqtt', 'pending')`)
  const directory = openDirectory()
  await directory.findDevice('acme', 'dev-aaaaaaaa')
  await directory.findDevice('acme', 'dev-ffffffff')
  await directory.activateDevices([{ resellerId: 'acme', deviceId: 'dev-ffffffff', imei: undefined }])
  assert.ok(!(directory.findDevice('acme', 'dev-aaaaaaaa') instanceof Promise))
  await run(`update devices set name = 'Renamed' where reseller_id = 'rival'`)
  for (const end = Date.now() + 120_000; !heard.includes('rival') && Date.now() < end; ) await new Promise((r) => setTimeout(r, 5))
  assert.ok(heard.includes('rival') && !heard.includes('acme'))
})

test('a change in another process is seen when its notification arrives', async () => {
  const directory = openDirectory()
  assert.equal(await directory.findSubClientStatus('acme', 'north'), 'active')
  await run(`update sub_clients set status = 'suspended' where sub_client_id = 'north'`)
  assert.equal(directory.findSubClientStatus('acme', 'north'), 'active')
  notify('acme')
  assert.equal(await directory.findSubClientStatus('acme', 'north'), 'suspended')
  await run(`update sub_clients set status = 'active' where sub_client_id = 'north'`)
  notify()
  assert.equal(await directory.findSubClientStatus('acme', 'north'), 'active')
})
