// Goal: what is added up by day is the sum of the lines, whatever came late and whichever zone the reseller moved to, and reports contain the same
// before and after. Method: entries put in as ingest puts them in, rounds of the sealer called by hand, days worked out by another formatter.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { defaultPlans } from '../limits/plans.ts'
import { insertUsageAcrossResellers } from '../limits/usage.sql.ts'
import { updateReseller } from '../resellers/resellers.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { usagePlatformRoutes } from './routes.platform-v1.ts'
import { sealUsage } from './seal-usage.ts'
import { createStatementKey } from './statement-key.ts'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
let now = new Date('2026-10-28T06:00:00.000Z')
const { app } = await openTestApi(cleanUp, database, {
  platform: [usagePlatformRoutes({ database, now: () => now, statementKey: createStatementKey(TEST_SECRET_KEY) })],
  now: () => new Date('2025-01-05T00:00:00.000Z'),
})
const seal = () => sealUsage({ database, plans: defaultPlans, now: () => now, onFailure: assert.fail })
const moveTo = (resellerId: string, timeZone: string) => updateReseller(database, resellerId, { timeZone }, systemAuthor(resellerId, now))

const received = (resellerId: string, subClientId: string, bucket: string, count: number) =>
  insertUsageAcrossResellers(database.systemPool, [{ resellerId, subClientId, meter: 'points_ingested', bucket: new Date(bucket), count }])

/** Of the readings alone: asking for a report is a call, and counts. */
async function daysOf(resellerId: string): Promise<string[]> {
  const { rows } = await database.systemPool.query<{ day: string }>(
    `select concat_ws(' ', sub_client_id, to_char(starts_at at time zone 'UTC', 'MM-DD HH24:MI'), count) as day
       from usage_days where reseller_id = $1 and meter = 'points_ingested' order by sub_client_id, starts_at`,
    [resellerId],
  )
  return rows.map(({ day }) => day)
}

async function report(apiKey: string, query: string): Promise<string[]> {
  const answer = await app.inject({ url: `/api/v1/usage?${query}&limit=200`, headers: { authorization: `Bearer ${apiKey}` } })
  assert.equal(answer.statusCode, 200, answer.body)
  const { rows } = answer.json() as { rows: { period: string; subClientId: string | null; count: number }[] }
  return rows.map(({ period, subClientId, count }) => `${period} ${subClientId} ${count}`)
}

test('lines are added up by the day of the zone as they are sealed, the day of 25 hours and late ones included', async () => {
  const { apiKey } = await insertResellerWithKey(database, 'berlin')
  await moveTo('berlin', 'Europe/Berlin')
  await received('berlin', 'a', '2026-10-24T21:45Z', 1)
  await received('berlin', 'a', '2026-10-24T22:00Z', 2)
  await received('berlin', 'a', '2026-10-25T22:45Z', 4)
  await received('berlin', 'a', '2026-10-25T23:00Z', 8)
  await seal()
  assert.deepEqual(await daysOf('berlin'), ['a 10-23 22:00 1', 'a 10-24 22:00 6', 'a 10-25 23:00 8'])
  await received('berlin', 'a', '2026-10-25T12:00Z', 16)
  await received('berlin', 'b', '2026-10-26T12:00Z', 32)
  await seal()
  assert.deepEqual(await daysOf('berlin'), ['a 10-23 22:00 1', 'a 10-24 22:00 22', 'a 10-25 23:00 8', 'b 10-25 23:00 32'])
  const expected = ['2026-10-24 a 1', '2026-10-25 a 22', '2026-10-26 a 8', '2026-10-26 b 32']
  assert.deepEqual(await report(apiKey, 'from=2026-10-24&to=2026-10-27&granularity=day'), expected)
})

test('after a change of the zone reports are right at once, and the days follow', async () => {
  now = new Date('2026-11-10T06:00:00.000Z')
  const { apiKey } = await insertResellerWithKey(database, 'moving')
  await moveTo('moving', 'Asia/Kolkata')
  await received('moving', 'a', '2026-11-05T18:15Z', 1)
  await received('moving', 'a', '2026-11-05T18:30Z', 2)
  await seal()
  assert.deepEqual(await daysOf('moving'), ['a 11-04 18:30 1', 'a 11-05 18:30 2'])
  await moveTo('moving', 'Asia/Kathmandu')
  const expected = ['2026-11-06 a 3']
  assert.deepEqual(await report(apiKey, 'from=2026-11-05&to=2026-11-08&granularity=day'), expected)
  await received('moving', 'a', '2026-11-06T18:15Z', 4)
  await seal()
  assert.deepEqual(await daysOf('moving'), ['a 11-05 18:15 3', 'a 11-06 18:15 4'])
  assert.deepEqual(await report(apiKey, 'from=2026-11-05&to=2026-11-08&granularity=day'), [...expected, '2026-11-07 a 4'])
})

test('by day and by month a report is what its lines add up to', async () => {
  now = new Date('2026-11-25T06:00:00.000Z')
  const { apiKey } = await insertResellerWithKey(database, 'random')
  const timeZone = 'America/St_Johns'
  await moveTo('random', timeZone)
  // The first of the month there, on which clocks go back.
  const startMs = Date.parse('2026-11-01T02:30:00Z')
  const formatter = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const byDay = new Map<string, number>()
  const byMonth = new Map<string, number>()
  for (let nth = 0; nth < 300; nth++) {
    const subClientId = `s${nth % 3}`
    const atMs = startMs + ((nth * 7919) % 1900) * 15 * 60_000
    await received('random', subClientId, new Date(atMs).toISOString(), nth + 1)
    const day = formatter.format(atMs)
    const add = (sums: Map<string, number>, period: string) =>
      sums.set(`${period} ${subClientId}`, (sums.get(`${period} ${subClientId}`) ?? 0) + nth + 1)
    add(byDay, day)
    add(byMonth, day.slice(0, 7))
    if (nth % 100 === 50) await seal()
  }
  await seal()
  const listed = (sums: Map<string, number>) => [...sums].map(([key, sum]) => `${key} ${sum}`).sort()
  assert.deepEqual(await report(apiKey, 'from=2026-11-01&to=2026-12-01&granularity=day'), listed(byDay))
  assert.deepEqual(await report(apiKey, 'from=2026-11&to=2026-12&granularity=month'), listed(byMonth))
})
