// Goal: the client does against the running service what it says. Method: its sources, at the whole service as a process with its engine and its
// broker, a real MQTT client, and a receiver of webhooks.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { connectAsync } from 'mqtt'
import * as client from '../../packages/client/src/roadworthy-client.ts'
import { openService } from '../support/service.ts'

const service = await openService({ after }, { flags: ['--scoring-interval-s', '1', '--webhook-allow-cidrs', '127.0.0.0/8'] })
const WAIT_MS = 120_000

async function newClient(options: Partial<client.ClientOptions> = {}) {
  const tenant = await service.newTenant()
  const roadworthy = new client.Roadworthy({
    ...{ baseUrl: service.baseUrl, apiKey: tenant.key, engineUrl: service.platform.credentials.engine_url },
    ...options,
  })
  return { tenant, roadworthy }
}

const hot = (minute: number) => ({
  coolant_temp: 121,
  rpm: 1900,
  speed: 64,
  timestamp: new Date(Date.now() - (20 - minute) * 60_000).toISOString(),
})

test('a fleet is made, sends and is read back', async () => {
  const { roadworthy } = await newClient()
  const { external, platform } = roadworthy
  assert.equal((await external.health.get()).status, 'healthy')
  const { sub_client: subClient } = await external.subClients.create({ name: 'Acme Logistics' })
  const { device_id: id } = await external.devices.register({
    name: 'Truck 17',
    imei: '356938035643809',
    sub_client_id: subClient.sub_client_id,
    vehicle: { mode: 'create', make: 'Toyota', model: 'Etios', license_plate: 'KA-01' },
  })
  const sent = await external.telemetry.send({ device_id: id, lat: 12.97, lon: 77.59, speed: 61 })
  assert.equal((await external.telemetry.get(sent.telemetry_id)).device_id, id)
  const { location } = await external.devices.getLocation(id)
  assert.deepEqual([location.latitude, location.speed], [12.97, 61])
  const positions = await Array.fromAsync(platform.fleet.positions())
  assert.deepEqual(
    positions.map(({ deviceId, longitude }) => [deviceId, longitude]),
    [[id, 77.59]],
  )
  const { vehicles } = await platform.vehicles.list({ subClientId: subClient.sub_client_id })
  assert.equal(vehicles[0]?.make, 'Toyota')
  assert.match(await external.usage.get({ format: 'csv' }), /^period,sub_client_id,meter,count\r\n/)
  assert.deepEqual((await roadworthy.simBilling.sims.list()).sims, [])
})

test('lists are read to their end over several pages', async () => {
  const { roadworthy } = await newClient()
  const names = Array.from({ length: 7 }, (_, i) => `Client ${i}`)
  for (const name of names) await roadworthy.external.subClients.create({ name })
  const found = await Array.fromAsync(roadworthy.external.subClients.iterate({ limit: 3 }))
  assert.deepEqual(
    found.map(({ name }) => name),
    names,
  )
  const platformFound = await Array.fromAsync(roadworthy.platform.subClients.iterate({ limit: 2 }))
  assert.equal(platformFound.length, 7)
})

test('a batch of 250 is stored by its parts, with each record that is not good by its place in the whole', async () => {
  const { roadworthy } = await newClient()
  const records: client.External.TelemetryRecord[] = Array.from({ length: 250 }, (_, i) => ({ vehicle_id: `truck-${i}`, speed: 50 }))
  records[120] = { vehicle_id: 'truck-120', timestamp: '1999-01-01T00:00:00.000Z' }
  const answer = await roadworthy.external.telemetry.sendBatch(records)
  assert.deepEqual([answer.records_processed, answer.records_rejected, answer.results.length], [249, 1, 250])
  assert.deepEqual([answer.results[120]?.index, answer.results[120]?.error?.code], [120, 'invalid_request'])
  assert.equal((await roadworthy.external.vehicles.list()).total, 249)
  // All refused is an error, with a reason for each.
  await assert.rejects(roadworthy.external.telemetry.sendBatch(Array(101).fill(records[120])), (error) => {
    assert.ok(error instanceof client.ValidationError)
    return Array.isArray(error.details?.['results']) && error.details['results'].length === 101
  })
})

test('a write whose answer is lost is carried out once', async () => {
  let losses = 0
  // The service has done it; the answer is lost on its way.
  const loseFirst: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (init?.method !== 'POST' || losses > 0) return response
    losses += 1
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
  const { roadworthy } = await newClient({ fetch: loseFirst, retryDelayMs: 10 })
  const { sub_client: made } = await roadworthy.external.subClients.create({ name: 'Once' })
  const { sub_clients: all } = await roadworthy.external.subClients.list()
  assert.deepEqual([losses, all.map(({ sub_client_id: id }) => id)], [1, [made.sub_client_id]])
  const again = { idempotencyKey: 'order-1' }
  await roadworthy.external.subClients.create({ name: 'Twice' }, again)
  await roadworthy.external.subClients.create({ name: 'Twice' }, again)
  assert.equal((await roadworthy.external.subClients.list()).total, 2)
  await assert.rejects(
    roadworthy.external.subClients.create({ name: 'Other' }, again),
    (error) => error instanceof client.ConflictError && error.code === 'idempotency_conflict',
  )
})

test('refusals of the service are the classes that they should be', async () => {
  const { tenant, roadworthy } = await newClient()
  const as = (apiKey: string) => new client.Roadworthy({ baseUrl: service.baseUrl, apiKey, maxRetries: 0 })
  await assert.rejects(as('rw_live_wrong').external.devices.list(), client.AuthenticationError)
  await assert.rejects(roadworthy.external.devices.get('dev-unknown'), (error) => {
    assert.ok(error instanceof client.NotFoundError)
    assert.equal(error.code, 'device_not_found')
    return /^[0-9a-f-]{36}$/.test(error.requestId ?? '')
  })
  await assert.rejects(roadworthy.external.subClients.create({ name: '' }), (error) => {
    return error instanceof client.ValidationError && error.details?.['field'] === 'name'
  })
  const { secret } = await tenant.makeKey({ scopes: ['devices:read'] })
  await assert.rejects(as(secret).external.vehicles.list(), (error) => {
    return error instanceof client.PermissionError && error.details?.['required_scope'] === 'vehicles:read'
  })
  const { secret: limited } = await tenant.makeKey({ scopes: ['*'], perMinute: 1 })
  await as(limited).external.devices.list()
  await assert.rejects(as(limited).external.devices.list(), (error) => {
    return error instanceof client.RateLimitError && Number(error.retryAfterS) >= 1 && Number(error.retryAfterS) <= 60
  })
  const unpaid = await service.newTenant({ subscription: 'past_due' })
  await assert.rejects(as(unpaid.key).external.devices.list(), (error) => {
    return error instanceof client.SubscriptionError && error.actionRequired === 'subscribe'
  })
})

test('the engine predicts, alone and for many, without a key', async () => {
  const { roadworthy } = await newClient()
  const { predictions } = await roadworthy.engine.predict({ vehicleId: 'TRUCK-1', coolant: 92, battery_voltage: 13.9 })
  assert.ok(predictions.healthScore > 0)
  const { count, predictions: many } = await roadworthy.engine.predictBatch(
    Array.from({ length: 1001 }, (_, i) => ({ vehicleId: `T-${i}` })),
  )
  assert.deepEqual([count, many.length, many[1000]?.vehicleId], [1001, 1001, 'T-1000'])
  assert.equal((await roadworthy.engine.inference.live()).live, true)
  await assert.rejects(roadworthy.engine.inference.model('none'), (error) => {
    return error instanceof client.NotFoundError && error.code === 'not_found'
  })
})

test('a device publishes over MQTT, and reads what was not taken', async () => {
  const { roadworthy } = await newClient()
  const registered = await roadworthy.external.devices.register({ name: 'Van 3', imei: '356938035643817' })
  const { url, options } = client.mqtt.connection(registered)
  const connection = await connectAsync(url, { ...options, reconnectPeriod: 0 }, false)
  const device = client.mqtt.device(registered, connection)
  const reported = new Promise<client.MqttErrorReport | undefined>((resolve) => {
    connection.on('message', (topic, payload) => resolve(device.parseErrors(topic, payload)))
  })
  await connection.subscribeAsync(device.errorsTopic)
  const records: client.MqttRecord[] = Array.from({ length: 101 }, (_, i) => ({
    speed: i,
    timestamp: new Date(Date.now() - (200 - i) * 1000).toISOString(),
  }))
  await device.send([...records, { speed: 1, timestamp: '1999-01-01T00:00:00.000Z' }])
  const report = await reported
  assert.deepEqual([report?.records_rejected, report?.errors[0]?.code], [1, 'invalid_request'])
  await device.send({ lat: 12.97, lon: 77.59, speed: 12 })
  assert.equal((await roadworthy.external.devices.getLocation(registered.device_id)).location.speed, 12)
  await connection.endAsync()
  const { totals } = await roadworthy.external.usage.get()
  assert.equal(totals.points_ingested, 102)
})

test('webhooks of the service are verified, with either secret while one is replaced, and what happens is followed', async (t) => {
  const { roadworthy } = await newClient()
  const hooks = await startReceiver(t)
  const { webhook, secret } = await roadworthy.platform.webhooks.create({ url: hooks.url, eventTypes: ['alert.created'] })
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const follow = roadworthy.platform.stream.follow({}, { signal: leaving.signal })
  const first = await follow.next()
  assert.ok(first.value !== undefined && first.value.type === 'ready')

  await roadworthy.platform.webhooks.test(webhook.id, { eventType: 'alert.created' })
  const sample = await hooks.next()
  const event = await client.webhooks.verify({ ...sample, secret })
  assert.ok(event.event === 'alert.created' && event.test === true && event.data.message !== '')
  await assert.rejects(client.webhooks.verify({ ...sample, payload: Buffer.concat([sample.payload, Buffer.from(' ')]), secret }))

  const { secret: next } = await roadworthy.platform.webhooks.rotateSecret(webhook.id)
  await roadworthy.external.telemetry.sendBatch(Array.from({ length: 20 }, (_, minute) => ({ vehicle_id: 'truck-1', ...hot(minute) })))
  const real = await hooks.next()
  for (const one of [secret, next, [next, secret]]) {
    assert.equal((await client.webhooks.verify({ ...real, secret: one })).event, 'alert.created')
  }
  for await (const message of follow) if (message.type === 'event' && message.data.event === 'alert.created') break
})

type Received = { readonly payload: Buffer; readonly headers: IncomingMessage['headers'] }

async function startReceiver(t: { after(cleanUp: () => void): void }) {
  const received: Received[] = []
  let wake: (() => void) | undefined
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ payload: Buffer.concat(chunks), headers: request.headers })
      wake?.()
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    next: async (): Promise<Received> => {
      const signal = AbortSignal.timeout(WAIT_MS)
      while (received.length === 0) {
        await new Promise<void>((resolve, reject) => {
          wake = resolve
          signal.addEventListener('abort', () => reject(new Error('no webhook came')), { once: true })
        })
      }
      return received.shift() as Received
    },
  }
}
