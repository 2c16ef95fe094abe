// Goal: a lock that somebody holds refuses what needs it, and nothing else. Method: the real pipeline, beside a transaction that holds one.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { stateKeyText } from '../readings/locked-states.sql.ts'
import { createReading } from '../readings/reading.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { onOnePostgres, openTestDatabase } from '../test-support.ts'
import { HeldStates } from './held-states.ts'
import { telemetryExternalRoutes } from './receivers/rest/rest-receiver.ts'
import { isLockTimeout } from './split-blocked.ts'
import { openTestPipeline } from './test-pipeline.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp, NOW)
const { apiKey } = await insertResellerWithKey(database, 'acme')

/** Statements that waited for a lock in vain, and all. */
const counted = { lockTimeouts: 0, statements: 0 }
const counting = <T>(statement: Promise<T>) => {
  counted.statements++
  return statement.catch((error: unknown) => {
    if (isLockTimeout(error)) counted.lockTimeouts++
    throw error
  })
}
const countingDatabase: Database = {
  ...database,
  tenantPool: (resellerIds) => ({ query: (...statement) => counting(database.tenantPool(resellerIds).query(...statement)) }),
}

/** One commit at a time, of so many readings. What was found held is asked about each time. */
function pipeline(maxReadingsPerCommit: number, { believedHeldMs = 0 } = {}) {
  const { ingest, queuedCount } = openTestPipeline(countingDatabase, () => NOW, {
    directory: { findVehicle: (_resellerId, vehicleId) => ({ vehicleId, subClientId: undefined }) },
    limits: { concurrentCommits: 1, maxReadingsPerCommit, believedHeldMs },
  })
  const send = (deviceId: string, rpm: number, vehicleId?: string) => {
    const named = vehicleId === undefined ? {} : { vehicle_id: vehicleId }
    return ingest([{ resellerId: 'acme', kind: 'telemetry', record: { device_id: deviceId, ...named, rpm } }])
  }
  const sendByIndex = async (deviceIds: readonly string[], rpm: number) => {
    const batch = deviceIds.map((deviceId) => ({ resellerId: 'acme', kind: 'telemetry', record: { device_id: deviceId, rpm } }) as const)
    const outcomes = await ingest(batch, undefined, { byIndex: true })
    return outcomes.map((outcome) => (outcome.status === 'refused' ? outcome.problem.code : outcome.status))
  }
  return { ingest, send, sendByIndex, queuedCount }
}

const holding = (deviceId: string, run: () => Promise<void>) =>
  database.system(async (db) => {
    await db.query('select from latest_states where source_id = $1 for update', [deviceId])
    await run()
  })

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

test('the reading of a gateway of one vehicle is refused while that is held, readings of any while the gateway itself is', async () => {
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

test(
  'while a table is held everything that waits is refused at once',
  onOnePostgres('ingest writes no table of the coordinator'),
  async () => {
    const { send, queuedCount } = pipeline(1)
    await database.system(async (db) => {
      await db.query('lock table usage_entries in share row exclusive mode')
      for (const each of await Promise.allSettled([1, 2, 3].map((rpm) => send('dev-table0001', rpm)))) assert.equal(each.status, 'rejected')
      assert.equal(queuedCount(), 0)
    })
  },
)

test(
  'a source that is held costs one group the wait for its lock; those after it wait for nothing, until it is free again',
  onOnePostgres('each shard has its own groups, and the statements are not counted here'),
  async () => {
    const [held, free] = ['dev-held00002', 'dev-free00004']
    const { send, queuedCount } = pipeline(10)
    await send(held, 1)
    await send(free, 1)
    const before = counted.lockTimeouts
    await holding(held, async () => {
      for (let rpm = 2; rpm < 6; rpm++) {
        const [ofHeld, ofFree] = await Promise.allSettled([send(held, rpm), send(free, rpm)])
        assert.ok(ofHeld.status === 'rejected' && isLockTimeout(ofHeld.reason))
        assert.ok(ofFree.status === 'fulfilled' && ofFree.value[0]?.status === 'stored')
      }
    })
    assert.deepEqual([counted.lockTimeouts - before, queuedCount()], [1, 0])
    assert.equal((await send(held, 2))[0]?.status, 'stored')
  },
)

test('a source that was found held is not asked about at once again', async () => {
  const { send } = pipeline(10, { believedHeldMs: 1e9 })
  await send('dev-held00003', 1)
  await holding('dev-held00003', () => assert.rejects(send('dev-held00003', 2), isLockTimeout))
  const before = counted.statements
  await assert.rejects(send('dev-held00003', 2), isLockTimeout)
  assert.equal(counted.statements, before)
})

test('of a batch that is answered by index the record of a held source is refused, and the others are stored', async () => {
  const devices = ['dev-free00005', 'dev-held00004', 'dev-free00006']
  const { sendByIndex, queuedCount } = pipeline(10)
  await sendByIndex(devices, 1)
  await holding('dev-held00004', async () => {
    for (const rpm of [2, 3]) assert.deepEqual(await sendByIndex(devices, rpm), ['stored', 'unavailable', 'stored'])
    await assert.rejects(sendByIndex(['dev-held00004'], 4), isLockTimeout)
  })
  assert.deepEqual(await sendByIndex(devices, 3), ['duplicate', 'stored', 'duplicate'])
  assert.equal(queuedCount(), 0)
})

test('a batch over REST reports by index which record to send again, and is 503 when nothing of it could be stored', async (t) => {
  const { ingest, send } = pipeline(10)
  const { app } = await openTestApi(t, database, { external: [telemetryExternalRoutes({ ingest, database, now: () => NOW })] })
  const post = (records: readonly object[]) =>
    app.inject({ method: 'POST', url: '/api/external/telemetry/batch', headers: { 'x-api-key': apiKey }, payload: { records } })
  const [held, free] = [{ device_id: 'dev-held00005' }, { device_id: 'dev-free00007' }]
  for (const { device_id } of [held, free]) await send(device_id, 1)
  await holding(held.device_id, async () => {
    const answer = (
      await post([
        { ...held, rpm: 2 },
        { ...free, rpm: 2 },
      ])
    ).json()
    assert.deepEqual(
      answer.results.map(({ status, error }: { status: string; error?: { code: string } }) => [status, error?.code]),
      [
        ['rejected', 'unavailable'],
        ['stored', undefined],
      ],
    )
    const { statusCode, headers } = await post([{ ...held, rpm: 2 }, { rpm: 2 }])
    assert.deepEqual([statusCode, headers['retry-after']], [503, '1'])
    const mixed = await post([{ ...held, rpm: 3 }, { ...held, rpm: 4 }, { device_id: 7 }])
    assert.equal(mixed.statusCode, 503)
  })
})

test('what is remembered of held sources is bounded', async () => {
  const asked: number[] = []
  const states = new HeldStates({
    believedMs: 0,
    select: async (_resellerIds, keys) => {
      asked.push(keys.length)
      return new Set(keys.map(stateKeyText))
    },
  })
  const sourceIds = Array.from({ length: 5_000 }, (_, nth) => `dev-${nth}`)
  states.note(sourceIds.map((sourceId) => stateKeyText({ sourceId, vehicleId: undefined })))
  const readings = sourceIds.map((deviceId) => {
    const about = {
      kind: 'telemetry',
      resellerId: 'acme',
      sourceId: deviceId,
      deviceId,
      vehicleId: undefined,
      subClientId: undefined,
    } as const
    const content = { recordedAtMs: 0, position: undefined, signals: {}, attributes: {}, implausible: [] }
    return createReading(content, { ...about, receivedAtMs: 0 })
  })
  const isHeld = await states.find(readings)
  assert.deepEqual([asked, isHeld.filter((each) => each).length, isHeld.at(-1)], [[1_000], 1_000, true])
})
