// Goal: any number of platforms on one database are one service. Method: two are started at once on an empty database; every device sends
// each message to both at the same time, the messages in no order, while both score the vehicles. What is stored, latest, scored,
// alerted and counted must be what one platform would have made of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { connectAsync, type MqttClient } from 'mqtt'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'

const DEVICES = 8
const MESSAGES_PER_DEVICE = 150
const RECORDS_PER_MESSAGE = 20
const READINGS_PER_DEVICE = MESSAGES_PER_DEVICE * RECORDS_PER_MESSAGE
const PREDICT_CALLS = 10
const SCORING_INTERVAL_S = 1
/** Both look for due vehicles twice a second. */
const SCORED_WITHIN_MS = 300_000

type Device = { id: string; vehicleId: string; messages: Row[][]; newest: Row; connections: readonly MqttClient[]; topic: string }

/** Of a hot engine, one record a second, in messages shuffled by a fixed rule. */
function makeMessages(baseMs: number): { messages: Row[][]; newest: Row } {
  const records = Array.from({ length: READINGS_PER_DEVICE }, (_, n) => ({
    timestamp: new Date(baseMs + n * 1_000).toISOString(),
    lat: 12 + n / 10_000,
    lon: 77,
    speed: n % 100,
    coolant_temp: 121,
    rpm: 2_000 + (n % 500),
  }))
  const stride = 37
  const messages = Array.from({ length: MESSAGES_PER_DEVICE }, (_, at) => {
    const from = ((at * stride) % MESSAGES_PER_DEVICE) * RECORDS_PER_MESSAGE
    return records.slice(from, from + RECORDS_PER_MESSAGE)
  })
  return { messages, newest: records.at(-1) ?? {} }
}

test('two platforms on one database store once, know the latest, score and alert once, and count every call once', async (t) => {
  const { url } = await createTestDatabase(t)
  const options = { env: { DATABASE_URL: url }, flags: ['--scoring-interval-s', String(SCORING_INTERVAL_S)] }
  const platforms = await Promise.all([startPlatform(t, options), startPlatform(t, options)])
  const keys = platforms.map(({ credentials }) => credentials.api_key as string | null).filter((key) => key !== null)
  assert.equal(keys.length, 1, 'the one that came first made the first key')
  const [key = ''] = keys
  const urls = { owner: url, app: url, system: url }
  const database = openDatabasePatiently(urls, { appConnections: 1, systemConnections: 1, onError: (error) => console.error(error) })
  try {
    await proveOne(platforms, key, database.systemPool)
  } finally {
    await database.close()
  }
})

async function proveOne(platforms: readonly [RunningPlatform, RunningPlatform], key: string, reader: Db): Promise<void> {
  let externalCalls = 0
  const external = async (platform: RunningPlatform, method: string, path: string, body?: unknown): Promise<Row> => {
    externalCalls++
    return ok<Row>(await call(platform.credentials.base_url, method, `/api/external${path}`, { key, body }))
  }
  const [one, other] = platforms
  const devices: Device[] = []
  for (let i = 0; i < DEVICES; i++) {
    // Registered here, spoken for at once there.
    const device = await external(one, 'POST', '/devices', { name: `d${i}`, vehicle: { mode: 'create', make: 'A' } })
    const id = String(device['device_id'])
    const [username, password] = [String(device['mqtt_username']), String(device['mqtt_password'])]
    const connect = ({ credentials }: RunningPlatform) =>
      connectAsync(credentials.mqtt_url, { clientId: id, username, password, reconnectPeriod: 0 }, false)
    const connections = i % 2 === 0 ? [] : await Promise.all(platforms.map(connect))
    const { messages, newest } = makeMessages(Date.now() - READINGS_PER_DEVICE * 1_000)
    devices.push({ id, vehicleId: String(device['vehicle_id']), messages, newest, connections, topic: String(device['mqtt_topic']) })
  }

  const sendBoth = async ({ id, connections, topic }: Device, records: Row[]): Promise<void> => {
    if (connections.length > 0) {
      await Promise.all(connections.map((connection) => connection.publishAsync(topic, JSON.stringify(records), { qos: 1 })))
      return
    }
    const body = { records: records.map((record) => ({ device_id: id, ...record })) }
    const answers = await Promise.all(platforms.map((platform) => external(platform, 'POST', '/telemetry/batch', body)))
    const duplicates = answers.map((answer) => Number(answer['duplicates']))
    assert.equal(duplicates[0] ?? 0, RECORDS_PER_MESSAGE - (duplicates[1] ?? 0), 'each record is new to one of the two')
  }
  await Promise.all(
    devices.map(async (device) => {
      for (const records of device.messages) await sendBoth(device, records)
      for (const connection of device.connections) await connection.endAsync()
    }),
  )
  for (let n = 0; n < PREDICT_CALLS; n++) {
    for (const platform of platforms)
      await external(platform, 'POST', '/predict', { vehicle_id: devices[0]?.vehicleId, sensor_data: { coolant_temp: 95 } })
  }

  for (const platform of platforms) await proveReadings(platform, key, devices)
  await untilScored(reader)
  await proveScoredOnce(reader, devices)
  const listed = await external(other, 'GET', '/predictions?limit=500')
  assert.deepEqual(await external(one, 'GET', '/predictions?limit=500'), listed)

  // What was counted is written before the end.
  for (const platform of platforms) assert.equal(await platform.stop(), 0)
  assert.equal(await countOf(reader, 'api_calls_external'), externalCalls)
  assert.equal(await countOf(reader, 'predictions'), 2 * PREDICT_CALLS)
}

async function proveReadings({ credentials }: RunningPlatform, key: string, devices: readonly Device[]): Promise<void> {
  const get = async (path: string) => ok<Row>(await call(credentials.base_url, 'GET', path, { key }))
  for (const { vehicleId, newest } of devices) {
    assert.equal((await get(`/api/v1/vehicles/${vehicleId}/readings?limit=1`))['total'], READINGS_PER_DEVICE)
    const { location } = (await get(`/api/v1/vehicles/${vehicleId}`)) as { location: Row }
    const { timestamp, lat: latitude, lon: longitude, speed } = newest
    assert.deepEqual(location, { timestamp, latitude, longitude, speed, heading: null, ignition: null, batteryVoltage: null })
  }
}

async function untilScored(reader: Db): Promise<void> {
  const endMs = performance.now() + SCORED_WITHIN_MS
  for (;;) {
    const { rows } = await reader.query('select 1 from latest_states where due limit 1')
    if (rows.length === 0) return
    assert.ok(performance.now() < endMs, 'vehicles are still due')
    await sleep(100)
  }
}

type StandingAlert = { type: string; component: string; code: string | null; scores: number; span_ms: number }

/** A vehicle is scored at most once in the interval, whoever does it, so an alert can have been reported only so often since it was opened. */
async function proveScoredOnce(reader: Db, devices: readonly Device[]): Promise<void> {
  for (const { vehicleId } of devices) {
    const { rows: alerts } = await reader.query<StandingAlert>(
      `select type, component, code, occurrences as scores, (extract(epoch from last_seen_at - opened_at) * 1000)::float8 as span_ms
         from alerts
        where vehicle_id = $1`,
      [vehicleId],
    )
    assert.ok(alerts.length > 0, 'the hot engine is reported')
    assert.equal(alerts.length, new Set(alerts.map(({ type, component, code }) => `${type} ${component} ${code}`)).size)
    for (const { scores, span_ms: spanMs } of alerts)
      assert.ok((scores - 1) * SCORING_INTERVAL_S * 1000 <= spanMs, `${scores} in ${spanMs} ms`)
    const { rows: predictions } = await reader.query<{ component: string }>('select component from predictions where vehicle_id = $1', [
      vehicleId,
    ])
    assert.equal(predictions.length, new Set(predictions.map(({ component }) => component)).size)
  }
}

async function countOf(reader: Db, meter: string): Promise<number> {
  const { rows } = await reader.query<{ count: number }>(
    `select coalesce(sum(count), 0)::float8 as count
       from (select meter, count from usage_entries union all select meter, count from usage_lines) u
      where meter = $1`,
    [meter],
  )
  return rows[0]?.count ?? 0
}
