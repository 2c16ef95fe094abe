// Goal: what is metered is what is stored. The service counts where all readings of a group are new, PostgreSQL where some are known or a device becomes
// active. Method: the real pipeline; the ledger is compared with the readings themselves, by sub-client and quarter-hour.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { applyEffects } from './apply-effects.ts'
import type { Inbound } from './inbound.ts'
import { openTestPipeline } from './test-pipeline.ts'

const NOW = new Date('2026-11-20T12:20:00.000Z')
const { database } = await openTestDatabase({ after }, NOW)

/** By the last character of the id. */
const subClientsOf: Readonly<Record<string, string>> = { b: 'fleet-b', c: 'fleet-c' }

const { ingest } = openTestPipeline(database, () => NOW, {
  directory: {
    findDevice: (_resellerId, deviceId) => {
      return { deviceId, imei: undefined, status: 'active', vehicleId: undefined, subClientId: subClientsOf[deviceId.slice(-1)] }
    },
  },
})

type Sent = { readonly deviceId: string; readonly speedKmh: number; readonly receivedAt: string; readonly resellerId?: string }

const send = async (sent: readonly Sent[]) => {
  const outcomes = await ingest(
    sent.map(({ deviceId, speedKmh, receivedAt, resellerId = 'acme' }): Inbound => {
      const record = { device_id: deviceId, timestamp: '2026-11-20T12:00:00Z', vehicleSpeed: speedKmh }
      return { resellerId, kind: 'telemetry', record, receivedAt: new Date(receivedAt) }
    }),
  )
  await applyEffects(database)
  return outcomes.map(({ status }) => status)
}

type Counts = Readonly<Record<string, number>>

/** Of a reseller, by sub-client and quarter-hour. */
const counted = async (resellerId: string): Promise<{ metered: Counts; stored: Counts }> => {
  const { rows: entries } = await database.systemPool.query<{ sub_client_id: string; bucket: Date; count: string }>(
    `select sub_client_id, bucket, count from usage_entries where meter = 'points_ingested' and reseller_id = $1`,
    [resellerId],
  )
  const { rows: readings } = await database.systemPool.query<{ sub_client_id: string | null; received_at: Date }>(
    'select sub_client_id, received_at from readings where reseller_id = $1',
    [resellerId],
  )
  const quarterHourOf = (at: Date) => new Date(at.getTime() - (at.getTime() % QUARTER_HOUR_MS))
  return {
    metered: summed(entries.map(({ sub_client_id, bucket, count }) => [sub_client_id, bucket, Number(count)])),
    stored: summed(readings.map(({ sub_client_id, received_at }) => [sub_client_id ?? '', quarterHourOf(received_at), 1])),
  }
}

const QUARTER_HOUR_MS = 900_000

function summed(counts: readonly (readonly [subClientId: string, bucket: Date, count: number])[]): Counts {
  const sums: Record<string, number> = {}
  for (const [subClientId, bucket, count] of counts) {
    const key = `${subClientId} ${bucket.toISOString()}`
    sums[key] = (sums[key] ?? 0) + count
  }
  return sums
}

const devices = ['dev-00000000a', 'dev-00000000b', 'dev-00000000c']
const times = ['2026-11-20T12:14:59.999Z', '2026-11-20T12:15:00Z', '2026-11-20T12:00:00Z']
/** Next to each other are readings that differ in the quarter-hour alone, and in the sub-client alone. */
const mixed = (speedKmh: number): Sent[] =>
  devices.flatMap((deviceId, d) => times.map((receivedAt, t) => ({ deviceId, receivedAt, speedKmh: speedKmh + t + 10 * d })))

// Before the other one: after readings that are known, PostgreSQL counts for a while.
test('in one group the readings of one reseller are not metered of another', async () => {
  await insertReseller(database, 'one')
  await insertReseller(database, 'two')
  const receivedAt = '2026-11-20T12:14:59.999Z'
  const of = (resellerId: string, speedKmh: number): Sent => ({ resellerId, deviceId: `dev-1111111${resellerId}`, speedKmh, receivedAt })
  await send([of('one', 0), of('two', 0)])
  assert.deepEqual(new Set(await send([of('one', 1), of('two', 1), of('two', 2)])), new Set(['stored']))
  for (const [resellerId, count] of [['one', 2] as const, ['two', 3] as const]) {
    const { metered, stored } = await counted(resellerId)
    assert.deepEqual(metered, stored)
    assert.deepEqual(stored, { ' 2026-11-20T12:00:00.000Z': count })
  }
})

test('readings of several sub-clients and quarter-hours are metered where they belong: first of their day, all new, and some known', async () => {
  await insertReseller(database, 'acme')
  // Devices become active with these, for which PostgreSQL counts.
  assert.deepEqual(new Set(await send(mixed(0))), new Set(['stored']))
  const first = await counted('acme')
  assert.deepEqual(first.metered, first.stored)
  // These are all new; the last ones are of one sub-client and quarter-hour.
  assert.deepEqual(new Set(await send([...mixed(40), ...mixed(70).slice(-1), ...mixed(71).slice(-1)])), new Set(['stored']))
  const second = await counted('acme')
  assert.deepEqual(second.metered, second.stored)
  assert.equal(Object.keys(second.stored).length, 6)
  assert.notDeepEqual(second.stored, first.stored)
  // Half of these are known, and one is there twice.
  const again = await send([...mixed(40), ...mixed(100), ...mixed(100).slice(0, 1)])
  assert.deepEqual(again, [...mixed(40).map(() => 'duplicate'), ...mixed(100).map(() => 'stored'), 'duplicate'])
  const third = await counted('acme')
  assert.deepEqual(third.metered, third.stored)
})
