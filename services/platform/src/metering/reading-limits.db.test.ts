// Goal: a sub-client stores exactly as many readings a month as it is limited to. Method: the real pipeline with the real limits, and a
// directory that is a map.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { applyEffects } from '../ingest/apply-effects.ts'
import type { Outcome } from '../ingest/inbound.ts'
import { openTestPipeline } from '../ingest/test-pipeline.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { ReadingLimits } from './reading-limits.ts'

let now = new Date('2026-11-30T23:00:00.000Z')
const { database } = await openTestDatabase({ after }, now)
await insertReseller(database, 'acme')

function openProcess() {
  const limits = new ReadingLimits(database, () => now)
  const { ingest } = openTestPipeline(database, () => now, {
    directory: {
      findDevice: (_resellerId, deviceId) => {
        return { deviceId, imei: undefined, status: 'active', subClientId: deviceId.split('-')[1], vehicleId: undefined }
      },
      findTimeZone: () => 'UTC',
    },
    quota: limits,
  })
  const send = async (subClientId: string, from: number, count: number) => {
    const outcomes = await ingest(
      Array.from({ length: count }, (_, i) => ({
        resellerId: 'acme',
        kind: 'telemetry',
        record: { device_id: `dev-${subClientId}-1`, timestamp: new Date(now.getTime() - (from + i) * 1_000).toISOString(), speed: 1 },
      })),
    )
    // On a cluster a worker counts what was stored.
    await applyEffects(database)
    return summary(outcomes)
  }
  return { limits, send }
}

/** `5 stored 2 quota_exceeded` */
function summary(outcomes: readonly Outcome[]): string {
  const words = outcomes.map((outcome) => (outcome.status === 'refused' ? outcome.problem.code : outcome.status))
  const counts = Map.groupBy(words, (word) => word)
  return [...counts].map(([word, all]) => `${all.length} ${word}`).join(' ')
}

async function limit(subClientId: string, readings: number | null): Promise<void> {
  await database.tenant('acme', (db) =>
    db.query(
      `insert into sub_clients (reseller_id, sub_client_id, name, max_readings_per_month) values ('acme', $1, $1, $2)
       on conflict (reseller_id, sub_client_id) do update set max_readings_per_month = excluded.max_readings_per_month`,
      [subClientId, readings],
    ),
  )
}

test('the last reading of the limit is stored, the next is refused by its index, others go on', async () => {
  await limit('small', 10)
  const { limits, send } = openProcess()
  await limits.refresh()
  assert.equal(await send('small', 0, 7), '7 stored')
  assert.equal(await send('small', 7, 5), '3 stored 2 quota_exceeded')
  assert.equal(await send('small', 10, 1), '1 quota_exceeded')
  await limits.refresh()
  assert.equal(await send('small', 10, 1), '1 quota_exceeded')
  assert.equal(await send('free', 0, 20), '20 stored')
  await limit('small', 11)
  await limits.refresh()
  assert.equal(await send('small', 10, 2), '1 stored 1 quota_exceeded')
  await limit('small', null)
  await limits.refresh()
  assert.equal(await send('small', 11, 5), '5 stored')
})

test('a reading that is known already takes nothing', async () => {
  await limit('twice', 10)
  const { limits, send } = openProcess()
  await limits.refresh()
  assert.equal(await send('twice', 0, 6), '6 stored')
  for (let i = 0; i < 5; i++) assert.equal(await send('twice', 0, 4), '4 duplicate')
  assert.equal(await send('twice', 6, 5), '4 stored 1 quota_exceeded')
})

test('readings that come at once do not go beyond the limit together', async () => {
  await limit('crowd', 50)
  const { limits, send } = openProcess()
  await limits.refresh()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => send('crowd', i * 10, 10)))
  assert.equal(answers.filter((answer) => answer === '10 stored').length, 5)
})

test('what another process stored is known after a refresh, and a new month begins anew', async () => {
  await limit('shared', 10)
  const [one, other] = [openProcess(), openProcess()]
  for (const { limits } of [one, other]) await limits.refresh()
  assert.equal(await one.send('shared', 0, 8), '8 stored')
  await other.limits.refresh()
  assert.equal(await other.send('shared', 8, 4), '2 stored 2 quota_exceeded')
  now = new Date('2026-12-01T00:00:00.000Z')
  assert.equal(await one.send('shared', 0, 1), '1 stored')
  await other.limits.refresh()
  assert.equal(await other.send('shared', 1, 12), '9 stored 3 quota_exceeded')
})

test('active devices count once a day and once a month, for each sub-client they were in', async () => {
  const { rows } = await database.systemPool.query<{ line: string }>(
    `select concat_ws(' ', meter, bucket, sum(count)) as line from (
       select meter, to_char(bucket at time zone 'UTC', 'MM-DD') as bucket, count from usage_entries
        where sub_client_id = 'shared' and meter like 'active%') e
      group by meter, bucket order by 1`,
  )
  assert.deepEqual(
    rows.map(({ line }) => line),
    ['active_device_days 11-30 1', 'active_device_days 12-01 1', 'active_devices 11-30 1', 'active_devices 12-01 1'],
  )
})
