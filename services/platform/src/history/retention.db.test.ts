// Goal: readings are kept for as long as their reseller or sub-client sets, in PostgreSQL and in files, and only who may sets it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReadingsRetention } from '@roadworthy/contracts/platform-v1/settings'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { keepHouse } from '../main/database/housekeeping.ts'
import { errorOf, startTestSurface } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { expireFiles } from './expire-files.ts'
import { createFolderStore } from './file-store.ts'
import { hasWorkAcrossResellers } from './retention.sql.ts'
import { readingsRetentionPlatformRoutes } from './routes.platform-v1.ts'
import { sealWeeks } from './seal-weeks.ts'
import { readSealedFile } from './sealed-file.ts'
import { selectLiveFiles } from './sealed-files.sql.ts'
import { DAY_MS, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'

const PATH = '/settings/readings-retention'

async function start(t: Parameters<typeof temporaryFolder>[0], nowMs = WEEK_MS + 20 * DAY_MS) {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(WEEK_MS + 10 * DAY_MS))
  for (const resellerId of ['acme', 'rival']) await insertReseller(database, resellerId)
  for (const id of ['north', 'south']) {
    await database.systemPool.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', $1, $1)`, [id])
  }
  const now = () => new Date(nowMs)
  const routes = readingsRetentionPlatformRoutes({ database, readingsRetention: { presetDays: 400, minDays: 10 }, now })
  const surface = await startTestSurface(t, platformSurface, [routes])
  const put = async (body: object, resellerId = 'acme') => await surface.as({ resellerId }).put<ReadingsRetention>(PATH, body)
  return { database, ownerUrl, surface, put, now }
}

/** One of each sub-client, of none and of another reseller, at the beginning of the week. */
const oneOfEach = [
  reading({ resellerId: 'acme', vehicleId: 'veh-aaaaaaaaaa', subClientId: 'north' }, WEEK_MS),
  reading({ resellerId: 'acme', vehicleId: 'veh-bbbbbbbbbb', subClientId: 'south' }, WEEK_MS),
  reading({ resellerId: 'acme', vehicleId: 'veh-cccccccccc' }, WEEK_MS),
  reading({ resellerId: 'rival', vehicleId: 'veh-dddddddddd' }, WEEK_MS),
]

test('what is set takes the place of what was; left out, the service decides; it is in the audit log', async (t) => {
  const { database, surface, put } = await start(t)
  const api = surface.as({ resellerId: 'acme' })
  const preset = { days: 400, isPreset: true, presetDays: 400, minDays: 10, subClients: [] }
  assert.deepEqual((await api.get(PATH)).body, preset)
  const set = await put({ days: null, subClients: [{ subClientId: 'north', days: 30 }] })
  assert.deepEqual(set.body, { ...preset, days: null, isPreset: false, subClients: [{ subClientId: 'north', days: 30 }] })
  assert.deepEqual((await api.get(PATH)).body, set.body)
  assert.deepEqual((await surface.as({ resellerId: 'rival' }).get(PATH)).body, preset, 'nobody else’s')
  assert.deepEqual((await put({})).body, preset)
  const { rows } = await database.systemPool.query(
    `select action, changes from audit_log where action = 'readings_retention.updated' order by at`,
  )
  assert.equal(rows.length, 2)
})

test('what cannot be is refused by its field, and a key of a sub-client altogether', async (t) => {
  const { surface, put } = await start(t)
  const refusal = async (body: object) => {
    const answer = await put(body)
    return [answer.status, (errorOf(answer as never)['details'] as { field?: string })?.field]
  }
  assert.deepEqual(await refusal({ days: 9 }), [400, 'days'])
  assert.deepEqual(await refusal({ subClients: [{ subClientId: 'north', days: 9 }] }), [400, 'subClients'])
  assert.deepEqual(await refusal({ subClients: [{ subClientId: 'west', days: 90 }] }), [400, 'subClients'])
  const twice = { subClientId: 'north', days: 90 }
  assert.deepEqual(await refusal({ subClients: [twice, twice] }), [400, 'subClients'])
  assert.equal((await put({ days: 0 })).status, 400)
  assert.equal((await put({ subClients: [{ subClientId: 'north', days: 30 }] }, 'rival')).status, 400, 'a sub-client of another reseller')
  const pinned = surface.as({ resellerId: 'acme', subClientPin: 'north' })
  assert.equal((await pinned.get(PATH)).status, 403)
  assert.equal((await pinned.put(PATH, {})).status, 403)
})

test('in PostgreSQL, readings past their own time go, and partitions stay for who keeps for longer', async (t) => {
  const { database, ownerUrl, put, now } = await start(t)
  await store(database, oneOfEach)
  const kept = async (readingsRetentionDays: number) => {
    const deps = { database, ownerUrl, now, readingsMaxAgeDays: 1, readingsRetentionDays, eventsRetentionDays: 30, auditRetentionDays: 400 }
    assert.deepEqual(await keepHouse(deps, (name) => name.includes('readings')), [])
    const { rows } = await database.systemPool.query<{ vehicle_id: string }>('select vehicle_id from readings order by 1')
    return rows.map(({ vehicle_id: id }) => id.slice(4, 5)).join('')
  }
  assert.equal(await kept(400), 'abcd')
  await put({ days: null, subClients: [{ subClientId: 'north', days: 15 }] })
  assert.equal(await kept(400), 'bcd')
  await put({ days: 15, subClients: [{ subClientId: 'south', days: null }] })
  assert.equal(await kept(400), 'bd')
  // The week is past what the service keeps: the one who keeps for ever still has it, the other reseller has not.
  assert.equal(await kept(12), 'b')
  await put({})
  assert.equal(await kept(12), '')
})

// Method: one point of each vehicle in the partition of before, which is past what the service keeps, and one of twenty days ago. Null: of before a point kept its sub-client.
test('points of the health history have the terms of the sub-client of their time, and partitions stay for who keeps them for longer', async (t) => {
  const years = 1_200 * DAY_MS
  const { database, ownerUrl, put, now } = await start(t, WEEK_MS + years)
  const belongTo = { a: 'north', b: 'south', c: '', d: '', e: null, f: null }
  for (const [name, subClientId] of Object.entries(belongTo)) {
    // They have moved since: the one of before is in north now, all others are in south.
    const values = [name === 'd' ? 'rival' : 'acme', `veh-${name}`, subClientId]
    await database.systemPool.query(
      `insert into vehicles (reseller_id, vehicle_id, sub_client_id, created_at) values ($1, $2, case when $1 = 'acme' then $3 end, now())`,
      [values[0], values[1], name === 'e' ? 'north' : name === 'f' ? null : 'south'],
    )
    for (const scoredAtMs of [WEEK_MS, WEEK_MS + years - 20 * DAY_MS]) {
      await database.systemPool.query(
        `insert into health_history (reseller_id, vehicle_id, sub_client_id, scored_at, health_score, health_status) values ($1, $2, $3, $4, 90, 'healthy')`,
        [...values, new Date(scoredAtMs)],
      )
    }
  }
  const kept = async () => {
    const deps = {
      database,
      ownerUrl,
      now,
      ...{ readingsMaxAgeDays: 1, readingsRetentionDays: 400, eventsRetentionDays: 30, auditRetentionDays: 400 },
    }
    assert.deepEqual(await keepHouse(deps, (name) => name.includes('health')), [])
    const { rows } = await database.systemPool.query<{ old: string | null; recent: string | null }>(
      `select string_agg(substr(vehicle_id, 5), '' order by vehicle_id) filter (where scored_at = $1) as old,
              string_agg(substr(vehicle_id, 5), '' order by vehicle_id) filter (where scored_at > $1) as recent from health_history`,
      [new Date(WEEK_MS)],
    )
    return [rows[0]?.old ?? '', rows[0]?.recent ?? '']
  }
  await put({ days: null, subClients: [{ subClientId: 'south', days: 30 }] })
  assert.deepEqual(await kept(), ['acef', 'abcdef'])
  await put({
    days: 15,
    subClients: [
      { subClientId: 'north', days: null },
      { subClientId: 'south', days: 30 },
    ],
  })
  assert.deepEqual(await kept(), ['ae', 'abde'])
  await put({})
  assert.deepEqual(await kept(), ['', 'abde'])
})

test('in files, a sub-client’s readings go when all of a file are past its time, and the file with the last', async (t) => {
  const { database, ownerUrl, put } = await start(t)
  await store(database, oneOfEach)
  const fileStore = createFolderStore(await temporaryFolder(t))
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, fileStore)
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  const keptAfter = async (days: number) => {
    const at = new Date(WEEK_MS + days * DAY_MS + 1)
    const isDue = await hasWorkAcrossResellers(database.systemPool, at, 400)
    await expireFiles(deps, at, 400)
    const held: string[] = []
    for (const resellerId of ['acme', 'rival']) {
      for (const { path } of await selectLiveFiles(database.systemPool, resellerId)) {
        for await (const part of readSealedFile(deps.duckdb, fileStore, path))
          held.push(...part.map(({ vehicleId }) => vehicleId?.slice(4, 5) ?? ''))
      }
    }
    return [isDue, held.sort().join('')]
  }
  await put({
    days: 600,
    subClients: [
      { subClientId: 'north', days: 100 },
      { subClientId: 'south', days: null },
    ],
  })
  assert.deepEqual(await keptAfter(99), [false, 'abcd'])
  assert.deepEqual(await keptAfter(100), [true, 'bcd'])
  assert.deepEqual(await keptAfter(400), [true, 'bc'])
  assert.deepEqual(await keptAfter(600), [true, 'b'])
  assert.deepEqual((await keptAfter(30_000))[1], 'b')
  await put({})
  assert.deepEqual(await keptAfter(400), [true, ''])
})

test('a file that is lost keeps the files of others from nothing', async (t) => {
  const { database, ownerUrl, put } = await start(t)
  await store(database, oneOfEach)
  const fileStore = createFolderStore(await temporaryFolder(t))
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, fileStore)
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  await put({ days: null, subClients: [{ subClientId: 'north', days: 100 }] })
  const [lost] = await selectLiveFiles(database.systemPool, 'acme')
  await fileStore.remove(lost?.path ?? '')
  await assert.rejects(expireFiles(deps, new Date(WEEK_MS + 400 * DAY_MS + 1), 400), /acme.* of the history is gone/)
  assert.equal((await selectLiveFiles(database.systemPool, 'acme')).length, 1)
  assert.equal((await selectLiveFiles(database.systemPool, 'rival')).length, 0)
})
