// Goal: readings that are copied in are stored, metered and shown as those that are inserted, whatever is refused on the way. Method: the real pipeline, on which
// groups of 25 and more are copied; what it copied is counted at the database.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Database, TenantDatabase } from '@roadworthy/service-kit/postgres/db'
import pg from 'pg'
import { CopyPartitions } from '../readings/copy-partitions.ts'
import { createReading } from '../readings/reading.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import { createReadingWriter, WHOLE_TABLES } from '../readings/readings.sql.ts'
import { type StreamProgress, upsertOffsets } from '../streams/offsets.sql.ts'
import { insertReseller, onOnePostgres, openTestDatabase } from '../test-support.ts'
import { applyEffects } from './apply-effects.ts'
import type { Inbound } from './inbound.ts'
import { openTestPipeline } from './test-pipeline.ts'

const NOW = new Date('2026-11-20T12:20:00.000Z')
const { database, ownerUrl } = await openTestDatabase({ after }, NOW)
await insertReseller(database, 'acme')
await insertReseller(database, 'rival')

type Copied = { into: string; ended: 'stored' | string }
const copied: Copied[] = []
const watched = <T extends TenantDatabase>(target: T): T => ({
  ...target,
  copyIn: async (resellerIds: string | readonly string[], parts: Parameters<TenantDatabase['copyIn']>[1]) => {
    const into = parts
      .flatMap(({ copies }) => copies)
      .map(({ text }) => /^copy (readings_\d{8})/.exec(text)?.[1])
      .join()
    try {
      await target.copyIn(resellerIds, parts)
      copied.push({ into, ended: 'stored' })
    } catch (error) {
      copied.push({ into, ended: String((error as { code?: unknown }).code) })
      throw error
    }
  },
})
const watchedDatabase: Database = { ...watched(database), onNode: (...asked) => watched(database.onNode(...asked)) }
const takeCopied = (): Copied[] => copied.splice(0)

/** Each test has one of its own: after readings that are known, groups are inserted for a while. */
function open() {
  const unstorable: string[] = []
  const ingest = openTestPipeline(watchedDatabase, () => NOW, { onUnstorable: (error) => unstorable.push(String(error)) }).ingest
  const send = async (records: readonly object[], progress?: readonly StreamProgress[]) => {
    const sent = records.map((record): Inbound => ({ resellerId: 'acme', kind: 'telemetry', record, receivedAt: NOW }))
    return (await ingest(sent, progress)).map(({ status }) => status)
  }
  /** The first reading of a day makes a device active, for which a group is inserted. */
  const activate = (deviceId: string) => send([{ device_id: deviceId, rpm: 1, timestamp: '2026-11-19T00:00:00Z' }])
  return { send, activate, unstorable }
}

const recordOf = (deviceId: string, nth: number) => ({
  ...{ device_id: deviceId, timestamp: new Date(NOW.getTime() - 7_200_000 + nth * 1_000).toISOString() },
  ...(nth % 3 === 0 ? {} : { lat: 48.1 + nth / 1_000, lon: 11.5 }),
  ...(nth % 4 === 0 ? {} : { rpm: 800 + nth, ignition: nth % 2 === 0 }),
  ...(nth % 5 === 0 ? { note: `späte Größe 🚚 ${nth}`, dtc_codes: ['P0301'] } : {}),
})
const recordsOf = (deviceId: string, count: number) => Array.from({ length: count }, (_, nth) => recordOf(deviceId, nth))
const all = (count: number, status: string) => Array.from({ length: count }, () => status)

/** What is stored, but for whose it is. */
const storedOf = async (deviceId: string) => {
  const { rows } = await database.systemPool.query(
    `select recorded_at, reseller_id, sub_client_id, vehicle_id, kind, received_at, latitude, longitude, signals, attributes
       from readings where source_id = $1 and device_id = $1 order by recorded_at`,
    [deviceId],
  )
  return rows
}
const stateOf = async (deviceId: string) => {
  const { rows } = await database.systemPool.query(
    'select recorded_at, signals, states, fix_recorded_at, latitude, longitude, fix, due from latest_states where source_id = $1',
    [deviceId],
  )
  return rows
}
const meteredCount = async () => {
  await applyEffects(database)
  const { rows } = await database.systemPool.query<{ count: number }>(
    `select coalesce(sum(count), 0)::int as count from usage_entries where meter = 'points_ingested'`,
  )
  return rows[0]?.count ?? 0
}

test('readings that are copied are stored as those that are inserted, to the last value, and metered', async () => {
  const { send, activate } = open()
  const [one, other] = ['dev-copied0001', 'dev-inserted01']
  await activate(one)
  await activate(other)
  const before = await meteredCount()
  assert.deepEqual(await send(recordsOf(one, 60)), all(60, 'stored'))
  assert.deepEqual(takeCopied(), [{ into: 'readings_20261116', ended: 'stored' }])
  for (let from = 0; from < 60; from += 20) assert.deepEqual(await send(recordsOf(other, 60).slice(from, from + 20)), all(20, 'stored'))
  assert.deepEqual(takeCopied(), [])
  const rows = await storedOf(one)
  assert.equal(rows.length, 61)
  assert.deepEqual(rows, await storedOf(other))
  assert.deepEqual(await stateOf(one), await stateOf(other))
  assert.equal((await meteredCount()) - before, 120)
})

test('they are written in the order of the primary key, in whatever order they come', async () => {
  const { send, activate } = open()
  const [one, other] = ['dev-ordered001', 'dev-ordered002']
  await activate(one)
  await activate(other)
  const mixed = Array.from({ length: 60 }, (_, nth) => recordOf(nth % 2 === 0 ? other : one, 59 - nth))
  // At one instant the digest decides.
  const atOnce = [7, 8, 9].map((rpm) => ({ ...recordOf(one, 30), rpm }))
  assert.deepEqual(await send([...mixed, ...atOnce]), all(63, 'stored'))
  assert.ok(takeCopied().every(({ ended }) => ended === 'stored'))
  for (const deviceId of [one, other]) {
    const { rows } = await database.systemPool.query<{ key: string }>(
      `select recorded_at::text || encode(digest, 'hex') as key from readings where source_id = $1 and recorded_at > '2026-11-20' order by ctid`,
      [deviceId],
    )
    assert.ok(rows.length >= 30)
    assert.deepEqual(
      rows,
      rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    )
  }
})

test('where some are known none is copied, each is answered, and nothing is metered twice', async () => {
  const { send, activate } = open()
  const deviceId = 'dev-known00001'
  await activate(deviceId)
  await send(recordsOf(deviceId, 60))
  const before = await meteredCount()
  takeCopied()
  const twice = recordOf(deviceId, 70)
  const answers = await send([...recordsOf(deviceId, 62), twice, twice])
  assert.deepEqual(answers, [...all(60, 'duplicate'), 'stored', 'stored', 'stored', 'duplicate'])
  assert.deepEqual(takeCopied(), [{ into: 'readings_20261116', ended: '23505' }])
  assert.equal((await storedOf(deviceId)).length, 1 + 63)
  assert.equal((await meteredCount()) - before, 3)
})

test('of readings that the store cannot take only those are refused', async () => {
  const { send, activate, unstorable } = open()
  const deviceId = 'dev-refused001'
  await activate(deviceId)
  // Only direct callers of ingest can hand this over: every receiver refuses NUL before.
  const records = recordsOf(deviceId, 120).map((record, nth) => (nth === 17 ? { ...record, note: 'a\u0000b' } : record))
  assert.deepEqual(await send(records), [...all(17, 'stored'), 'refused', ...all(102, 'stored')])
  assert.equal(unstorable.length, 1)
  const ends = takeCopied().map(({ ended }) => ended)
  // The whole, its half and its quarter that have it; the other half and quarter are copied.
  assert.deepEqual(ends.toSorted(), ['22P05', '22P05', '22P05', 'stored', 'stored'])
  assert.equal((await storedOf(deviceId)).length, 120)
})

test('readings of several weeks in one group are copied, each into its own', async () => {
  const { send, activate } = open()
  const deviceId = 'dev-weeks00001'
  await activate(deviceId)
  // The last of one week, the first of the next, and none of the week between the others.
  const times = [
    ...Array.from({ length: 100 }, (_, nth) => Date.UTC(2026, 10, 1, 12, nth)),
    Date.UTC(2026, 10, 9) - 1,
    Date.UTC(2026, 10, 9),
    Date.UTC(2026, 10, 20),
  ]
  const shuffled = times.toSorted((a, b) => (a % 7) - (b % 7))
  const records = (more: object) =>
    shuffled.map((ms) => ({ device_id: deviceId, timestamp: new Date(ms).toISOString(), rpm: 900, ...more }))
  assert.deepEqual(await send(records({})), all(103, 'stored'))
  assert.deepEqual(takeCopied(), [{ into: 'readings_20261026,readings_20261102,readings_20261109,readings_20261116', ended: 'stored' }])
  const stored = (await storedOf(deviceId)).map((row) => (row as { recorded_at: Date }).recorded_at.getTime())
  assert.deepEqual(
    stored.filter((ms) => ms !== Date.UTC(2026, 10, 19)),
    times,
  )
  // Without the newest, no week is left out of which there is none: the one between has none now.
  const twoApart = records({ rpm: 901 }).filter(
    ({ timestamp }) => !timestamp.startsWith('2026-11-08') && !timestamp.startsWith('2026-11-09'),
  )
  assert.deepEqual(await send(twoApart), all(101, 'stored'))
  assert.deepEqual(takeCopied(), [{ into: 'readings_20261026,readings_20261116', ended: 'stored' }])
  // Few for each week.
  assert.deepEqual(await send(records({ rpm: 902 }).slice(-99)), all(99, 'stored'))
  assert.deepEqual(takeCopied(), [])
})

test(
  'a week whose partition is gone gets one, into one that a version before made is inserted, and nothing is lost',
  onOnePostgres('a node logs what is gone'),
  async () => {
    const { send, activate } = open()
    const deviceId = 'dev-partition1'
    await activate(deviceId)
    const inWeek = (fromMs: number) =>
      recordsOf(deviceId, 60).map((record, nth) => ({ ...record, timestamp: new Date(fromMs + nth * 1_000).toISOString() }))
    const week = Date.UTC(2026, 10, 10, 8)
    await send(inWeek(week))
    assert.deepEqual(
      takeCopied().map(({ ended }) => ended),
      ['stored'],
    )
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    try {
      await owner.query('drop table readings_20261109')
      assert.deepEqual(await send(inWeek(week + 3_600_000)), all(60, 'stored'))
      assert.deepEqual(takeCopied(), [{ into: 'readings_20261109', ended: '42P01' }])
      // A version before made it: it has policies, and nobody may add to it by its own name.
      await owner.query(`alter table readings_20261109 enable row level security; revoke insert on readings_20261109 from roadworthy_app`)
      const { send: sendElsewhere } = open()
      assert.deepEqual(await sendElsewhere(inWeek(week + 7_200_000)), all(60, 'stored'))
      assert.deepEqual(takeCopied(), [])
      assert.equal((await storedOf(deviceId)).length, 1 + 60 + 60)
    } finally {
      await owner.end()
    }
  },
)

test(
  'a reading of a reseller that the transaction does not name is refused by what is metered of it, and none of its group is stored',
  onOnePostgres('each shard has tables of its own'),
  async () => {
    const rows = new ReadingRows(2)
    for (const [resellerId, nth] of [
      ['acme', 1],
      ['rival', 2],
    ] as const) {
      const content = { recordedAtMs: NOW.getTime() - nth, position: undefined, signals: {}, attributes: {}, implausible: [] }
      const about = {
        resellerId,
        sourceId: 'dev-foreign001',
        deviceId: 'dev-foreign001',
        vehicleId: undefined,
        subClientId: undefined,
      } as const
      rows.add(createReading(content, { ...about, kind: 'telemetry', receivedAtMs: NOW.getTime() }))
    }
    const into = await new CopyPartitions('readings').find(database.tenantPool('acme'), rows.recordedMs)
    const { partOfNew } = createReadingWriter(WHOLE_TABLES)
    const copyFor = (...resellerIds: string[]) => database.copyIn(resellerIds, [partOfNew(rows, { states: [], calls: [] }, into)])
    await assert.rejects(copyFor('acme'), { code: '42501', message: /usage_entries/ })
    assert.deepEqual(await storedOf('dev-foreign001'), [])
    await copyFor('acme', 'rival')
    assert.equal((await storedOf('dev-foreign001')).length, 2)
  },
)

test('how far a stream is read is stored with the readings that are copied, and with those that are known', async () => {
  const { send, activate } = open()
  const deviceId = 'dev-stream0001'
  await activate(deviceId)
  const place = { resellerId: 'acme', groupId: 'group', topicId: 'copied' }
  const offset = async () =>
    (
      await database.systemPool.query<{ next: string }>(`select next_offset::text as next from stream_offsets where topic_id = 'copied'`)
    ).rows.map(({ next }) => next)
  await database.tenant('acme', (db) => upsertOffsets(db, [{ ...place, partition: 0, nextOffset: 1n }]))
  await send(recordsOf(deviceId, 60), [{ ...place, partition: 0, nextOffset: 61n }])
  assert.deepEqual(await offset(), ['61'])
  assert.ok(takeCopied().some(({ ended }) => ended === 'stored'))
  await send(recordsOf(deviceId, 65), [{ ...place, partition: 0, nextOffset: 9_007_199_254_740_993n }])
  assert.deepEqual(await offset(), ['9007199254740993'])
  assert.equal((await storedOf(deviceId)).length, 66)
})
