// Goal: readings past the time that a reseller sets go from a fleet of any size, and what was looked through is not looked through again, unless there may be something in it. Method: a small fleet
// on a real PostgreSQL; the statements are counted, or end as they do where there is too much to look through.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { insertPastReadings } from '../readings/past.sql.ts'
import type { Reading } from '../readings/reading.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { type Clearing, clearReadingsAcrossResellers } from './clear-readings.ts'
import { beginClearingAcrossResellers, forgetCleared } from './cleared.sql.ts'
import { replaceRetention, selectShorterAcrossResellers } from './retention.sql.ts'
import { DAY_MS, reading, store, WEEK_MS } from './test-history.ts'

const HOUR_MS = 3_600_000
const [NORTH, SOUTH] = ['veh-nnnnnnnnnn', 'veh-ssssssssss']
const of = (vehicleId: string, atMs: number) =>
  reading({ resellerId: 'acme', vehicleId, subClientId: vehicleId === NORTH ? 'north' : 'south' }, atMs)
/** Of each vehicle, one a day for two weeks. */
const daily = [NORTH, SOUTH].flatMap((vehicleId) => Array.from({ length: 14 }, (_, day) => of(vehicleId, WEEK_MS + day * DAY_MS)))

async function start(t: Parameters<typeof openTestDatabase>[0]) {
  const { database } = await openTestDatabase(t, new Date(WEEK_MS + 7 * DAY_MS))
  await insertReseller(database, 'acme')
  await store(database, daily)
  const db = database.systemPool
  await replaceRetention(db, 'acme', [{ subClientId: 'north', days: 30 }])
  const clear = async (days: number, more: Partial<Clearing> & { readonly db?: Db } = {}) => {
    const { db: asked = db, ...rest } = more
    const terms = await selectShorterAcrossResellers(db, 400)
    const [at, oldest] = [new Date(WEEK_MS + (30 + days) * DAY_MS), new Date(WEEK_MS - 7 * DAY_MS)]
    await clearReadingsAcrossResellers(asked, { terms, at, oldest, signal: new AbortController().signal, ...rest })
  }
  const left = async () => {
    const { rows } = await db.query<{ north: number; south: number }>(
      `select count(*) filter (where sub_client_id = 'north')::int as north, count(*) filter (where sub_client_id = 'south')::int as south from readings`,
    )
    return rows[0]
  }
  return { db, clear, left }
}

/** As a backfill does it, but for what it does afterwards. */
async function addPast(
  db: Db,
  { recordedAtMs, receivedAtMs, sourceId, digestHex, kind, vehicleId, subClientId, ...rest }: Reading,
): Promise<void> {
  const us = { recordedAtUs: BigInt(recordedAtMs) * 1_000n, receivedAtUs: BigInt(receivedAtMs) * 1_000n }
  const { signals, attributes } = rest
  const nowhere = { latitude: null, longitude: null }
  await insertPastReadings(db, 'acme', [
    {
      ...us,
      ...nowhere,
      sourceId,
      digestHex,
      kind,
      deviceId: null,
      vehicleId: vehicleId ?? null,
      subClientId: subClientId ?? null,
      signals,
      attributes,
    },
  ])
}

/** The spans of time that were looked through, in hours. */
function watched(db: Db, fail: (hours: number) => Error | undefined = () => undefined): { readonly db: Db; readonly hours: number[] } {
  const hours: number[] = []
  const query: Db['query'] = async (statement, values) => {
    if (String(statement).includes('select source_id, recorded_at')) {
      const [, , , from, before] = (values ?? []) as Date[]
      const span = ((before?.getTime() ?? Number.NaN) - (from?.getTime() ?? Number.NaN)) / HOUR_MS
      hours.push(span)
      const failure = fail(span)
      if (failure !== undefined) throw failure
    }
    return await db.query(statement, values)
  }
  return { db: { query }, hours }
}

test('readings of a sub-client go when they are past its time, to the millisecond, and those of others stay', async (t) => {
  const { clear, left } = await start(t)
  await clear(0)
  assert.deepEqual(await left(), { north: 14, south: 14 })
  await clear(3, { at: new Date(WEEK_MS + 33 * DAY_MS + 1) })
  assert.deepEqual(await left(), { north: 10, south: 14 })
  await clear(60)
  assert.deepEqual(await left(), { north: 0, south: 14 })
})

test('what was looked through is looked through again only where readings of before were added or another time is set', async (t) => {
  const { db, clear, left } = await start(t)
  await clear(10)
  assert.equal((await left())?.north, 4)
  await addPast(db, of(NORTH, WEEK_MS + 2 * DAY_MS + 1))
  const again = watched(db)
  await clear(10, again)
  assert.deepEqual(again.hours, [1], 'the last hour, of which something may have been stored late')
  assert.equal((await left())?.north, 5)
  await forgetCleared(db, 'acme')
  await clear(10)
  assert.equal((await left())?.north, 4)
  await addPast(db, of(NORTH, WEEK_MS + 2 * DAY_MS + 1))
  await replaceRetention(db, 'acme', [{ subClientId: 'north', days: 31 }])
  await clear(11)
  assert.equal((await left())?.north, 4)
})

test('a span that takes the database too long is looked through in shorter ones', async (t) => {
  const { db, clear, left } = await start(t)
  const slow = watched(db, (hours) =>
    hours > 12 ? Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }) : undefined,
  )
  await clear(60, slow)
  assert.deepEqual(await left(), { north: 0, south: 14 })
  assert.ok(slow.hours.some((hours) => hours > 12))
  const none = watched(db, () => Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }))
  await forgetCleared(db, 'acme')
  await assert.rejects(clear(60, none), /cannot be looked through in time/)
  assert.ok(Math.min(...none.hours) < 0.02)
})

test('a round that has no time left goes on in the next, and one that is begun anew meanwhile passes over nothing', async (t) => {
  const { db, clear, left } = await start(t)
  let rounds = 0
  while ((await left())?.north !== 0) {
    assert.ok(++rounds < 1_000)
    await clear(60, { roundMs: 5 })
  }
  await forgetCleared(db, 'acme')
  let advanceCount = 0
  const meanwhile: Db = {
    query: async (statement, values) => {
      if (String(statement).startsWith('update readings_cleared') && ++advanceCount === 2) {
        // Where the round has been already.
        await addPast(db, of(NORTH, WEEK_MS - 6 * DAY_MS))
        await forgetCleared(db, 'acme')
        // Another process, to which the claim of this one had run out.
        await beginClearingAcrossResellers(db, { resellerId: 'acme', subClientId: 'north' })
      }
      return await db.query(statement, values)
    },
  }
  await clear(60, { db: meanwhile })
  assert.equal((await left())?.north, 1)
  await clear(60)
  assert.equal((await left())?.north, 0)
})

test('another one begins each time, so that one whose readings take long keeps nobody waiting for good', async (t) => {
  const { db } = await start(t)
  const begun: unknown[] = []
  const noting: Db = {
    query: async (statement, values) => {
      if (String(statement).includes('insert into readings_cleared')) begun.push(values?.[1])
      return await db.query(statement, values)
    },
  }
  const terms = ['east', 'north', 'south'].map((id) => ({ resellerId: 'acme', subClientIds: [id], isAllBut: false, days: 30 }))
  const [at, oldest] = [new Date(WEEK_MS + 60 * DAY_MS), new Date(WEEK_MS)]
  const { signal } = new AbortController()
  for (const drawn of [0, 0.5, 0.99]) await clearReadingsAcrossResellers(noting, { terms, at, oldest, signal, random: () => drawn })
  assert.deepEqual(begun.join(), 'east,north,south,north,south,east,south,east,north')
})
