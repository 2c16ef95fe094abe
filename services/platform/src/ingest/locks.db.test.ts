// Goal: a lock that somebody holds refuses what needs it, and nothing else. Method: the real pipeline, beside a transaction that holds one.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { defaultGroupCommitLimits } from './group-commit.ts'
import { createIngestPipeline } from './pipeline.ts'
import { unlimited } from './reading-quota.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const { database } = await openTestDatabase({ after }, NOW)
await insertReseller(database, 'acme')

/** One commit at a time, of so many readings. */
function pipeline(maxReadingsPerCommit: number) {
  const { ingest, queuedCount } = createIngestPipeline({
    database,
    directory: {
      findDevice: (_resellerId, deviceId) => {
        return { deviceId, imei: undefined, status: 'active', subClientId: undefined, vehicleId: undefined }
      },
      findVehicle: (_resellerId, vehicleId) => ({ vehicleId, subClientId: undefined }),
      createNamedVehicle: () => assert.fail(),
      findSubClientStatus: () => assert.fail(),
      findTimeZone: () => 'Asia/Kolkata',
      activateDevices: () => assert.fail(),
    },
    now: () => NOW,
    window: { maxAgeMs: 1e9, maxAheadMs: 1 },
    quota: unlimited,
    limits: { ...defaultGroupCommitLimits, lanes: 1, maxReadingsPerCommit },
    onUnstorable: assert.fail,
  })
  const send = (deviceId: string, rpm: number, vehicleId?: string) => {
    const named = vehicleId === undefined ? {} : { vehicle_id: vehicleId }
    return ingest([{ resellerId: 'acme', kind: 'telemetry', record: { device_id: deviceId, ...named, rpm } }])
  }
  return { send, queuedCount }
}

test('while one device’s row is held by another transaction only its caller is refused; its group and those behind it are stored', async () => {
  const devices = ['dev-held00001', 'dev-free00001', 'dev-free00002', 'dev-free00003']
  const { send } = pipeline(2)
  for (const deviceId of devices) await send(deviceId, 1)
  await database.system(async (db) => {
    await db.query(`select from latest_states where source_id = 'dev-held00001' for update`)
    // Two groups: the first holds the device whose row is held, the second waits behind it.
    const results = await Promise.allSettled(devices.map((deviceId) => send(deviceId, 2)))
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value[0]?.status : (result.reason as { code?: string }).code)),
      ['55P03', 'stored', 'stored', 'stored'],
    )
  })
  assert.equal((await send('dev-held00001', 2))[0]?.status, 'stored')
})

test('what a gateway says of one vehicle is refused while that is held, what it says of any while the gateway itself is', async () => {
  const { send } = pipeline(10)
  const vehicles = ['veh-carried01', 'veh-carried02', undefined]
  const sendAll = async (rpm: number) => {
    const results = await Promise.allSettled([
      ...vehicles.map((vehicleId) => send('dev-gateway01', rpm, vehicleId)),
      send('dev-beside0001', rpm),
    ])
    return results.map((result) => (result.status === 'fulfilled' ? result.value[0]?.status : (result.reason as { code?: string }).code))
  }
  assert.deepEqual(await sendAll(1), ['stored', 'stored', 'stored', 'stored'])
  for (const [nth, [sourceId, answers]] of [
    ['dev-gateway01.veh-carried01', ['55P03', 'stored', 'stored', 'stored']] as const,
    ['dev-gateway01', ['55P03', '55P03', '55P03', 'stored']] as const,
  ].entries()) {
    await database.system(async (db) => {
      await db.query('select from latest_states where source_id = $1 for update', [sourceId])
      assert.deepEqual(await sendAll(2 + nth), answers)
    })
  }
})

test('while a table is held everything that waits is refused at once', async () => {
  const { send, queuedCount } = pipeline(1)
  await database.system(async (db) => {
    await db.query('lock table usage_entries in share row exclusive mode')
    for (const each of await Promise.allSettled([1, 2, 3].map((rpm) => send('dev-table0001', rpm)))) assert.equal(each.status, 'rejected')
    assert.equal(queuedCount(), 0)
  })
})
