// Goal: how far a stream is read is stored with its readings or not at all, and never goes back. Method: the real pipeline on a real PostgreSQL.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type StreamProgress, selectOffsets, upsertOffsets } from '../streams/offsets.sql.ts'
import { insertReseller, onOnePostgres, openTestDatabase } from '../test-support.ts'
import type { Inbound } from './inbound.ts'
import { openTestPipeline } from './test-pipeline.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const { database } = await openTestDatabase({ after }, NOW)
await insertReseller(database, 'acme')
await insertReseller(database, 'rival')

const placeOf = (topicId: string, resellerId = 'acme') => ({ resellerId, groupId: 'roadworthy', topicId })
const progress = (topicId: string, nextOffset: number, resellerId = 'acme'): StreamProgress[] => [
  { ...placeOf(topicId, resellerId), partition: 0, nextOffset: BigInt(nextOffset) },
]
const offsetOf = async (topicId: string) => (await selectOffsets(database.tenantPool('acme'), placeOf(topicId))).get(0)
const reading = (vehicle: string, nth: number, more: object = {}): Inbound => ({
  resellerId: 'acme',
  kind: 'telemetry',
  record: { vehicle_id: vehicle, timestamp: new Date(NOW.getTime() - nth * 1000).toISOString(), odometer: nth, ...more },
})
const storedCount = async (vehicle: string) => {
  const { rows } = await database.systemPool.query<{ count: number }>('select count(*)::int as count from readings where vehicle_id = $1', [
    `veh-${vehicle}`,
  ])
  return rows[0]?.count
}

function openPipeline(db: Database = database) {
  return openTestPipeline(db, () => NOW, {
    directory: {
      findDevice: () => undefined,
      findVehicle: (_resellerId, reference) => ({ vehicleId: `veh-${reference}`, subClientId: undefined }),
    },
    onUnstorable: () => undefined,
  })
}

test('progress is stored with the readings, and with those that are all known already', async () => {
  const { ingest } = openPipeline()
  await ingest([reading('aa', 1), reading('aa', 2)], progress('with', 2))
  assert.equal(await offsetOf('with'), 2n)
  const again = await ingest([reading('aa', 1), reading('aa', 2)], progress('with', 4))
  assert.deepEqual(
    again.map(({ status }) => status),
    ['duplicate', 'duplicate'],
  )
  assert.equal(await offsetOf('with'), 4n)
})

test(
  'a commit that fails stores neither',
  onOnePostgres('offsets follow after the readings, which are known when they come again'),
  async () => {
    const { ingest } = openPipeline()
    // Row-level security refuses an offset of another reseller, in the transaction that has stored the readings.
    await assert.rejects(ingest([reading('ab', 1)], [...progress('neither', 1), ...progress('neither', 1, 'rival')]), { code: '42501' })
    assert.equal(await storedCount('ab'), 0)
    assert.equal(await offsetOf('neither'), undefined)
    await ingest([reading('ab', 1)], progress('neither', 1))
    assert.deepEqual([await storedCount('ab'), await offsetOf('neither')], [1, 1n])
  },
)

test('progress never goes back, whoever writes it, but where it is set to what the log still has', async () => {
  const db = database.tenantPool('acme')
  await upsertOffsets(db, [...progress('back', 10), ...progress('back', 12), ...progress('back', 11)])
  await upsertOffsets(db, progress('back', 5))
  assert.equal(await offsetOf('back'), 12n)
})

test('a refusal leaves the progress to the caller, and what was good is stored', async () => {
  const { ingest } = openPipeline()
  const outcomes = await ingest([reading('ac', 1), reading('ac', 2, { speed: 'fast' })], progress('refused', 2))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['stored', 'refused'],
  )
  assert.deepEqual([await storedCount('ac'), await offsetOf('refused')], [1, undefined])
})

test('where the store refuses a reading for its content, only the batch that it is of has no progress', async () => {
  const { ingest } = openPipeline()
  // In one turn, so that they share a transaction. Only direct callers of ingest can hand over a NUL: every receiver refuses it before.
  const [good, bad, other] = await Promise.all([
    ingest([reading('ad', 1), reading('ad', 2)], progress('good', 2)),
    ingest([reading('ad', 3), reading('ad', 4, { note: 'a\u0000b' })], progress('bad', 2)),
    ingest([reading('ad', 5)]),
  ])
  assert.deepEqual(
    [good, bad, other].map((outcomes) => outcomes.map(({ status }) => status)),
    [['stored', 'stored'], ['stored', 'refused'], ['stored']],
  )
  assert.deepEqual([await offsetOf('good'), await offsetOf('bad'), await storedCount('ad')], [2n, undefined, 4])
})

test('of two batches in a group of which one must wait for a row that is held, the other is stored with its progress', async () => {
  const { ingest } = openPipeline()
  await ingest([reading('held', 1), reading('free', 1)])
  const [held, free] = await database.system(async (db) => {
    await db.query(`select from latest_states where source_id = 'veh-held' for update`)
    return await Promise.allSettled([
      ingest([reading('held', 2)], progress('of-held', 2)),
      ingest([reading('free', 2), reading('free', 3)], progress('of-free', 3)),
    ])
  })
  assert.deepEqual([held?.status, free?.status], ['rejected', 'fulfilled'])
  assert.deepEqual([await offsetOf('of-held'), await offsetOf('of-free'), await storedCount('free')], [undefined, 3n, 3])
})

test('without progress a group is one statement, as it was', onOnePostgres('readings go to their nodes'), async () => {
  const asked: string[] = []
  const watched: Database = {
    ...database,
    tenant: (resellerIds, run) => {
      asked.push('transaction')
      return database.tenant(resellerIds, run)
    },
    tenantPool: (resellerIds) => {
      asked.push('statement')
      return database.tenantPool(resellerIds)
    },
  }
  const { ingest } = openPipeline(watched)
  await ingest([reading('ae', 1)])
  assert.deepEqual(asked, ['statement'])
  await ingest([reading('ae', 2)], progress('watched', 1))
  assert.deepEqual(asked, ['statement', 'transaction'])
})
