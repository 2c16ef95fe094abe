// Goal: a device that connects to the broker, sends and leaves is reported in the log and to webhooks. Method: the real receiver, pipeline, rounds,
// relay and dispatcher on a real PostgreSQL, with the MQTT client that devices use, and a clock that only the rounds go by.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event } from '@roadworthy/contracts/webhooks/events'
import { connectAsync } from 'mqtt'
import { authenticateDevice } from '../devices/authenticate-device.ts'
import { sha256 } from '../devices/credentials.ts'
import { DeviceLogins } from '../devices/device-logins.ts'
import { createDirectory } from '../devices/directory.ts'
import { eventPlatformRoutes } from '../events/routes.platform-v1.ts'
import { defaultGroupCommitLimits } from '../ingest/group-commit.ts'
import { createIngestPipeline } from '../ingest/pipeline.ts'
import { unlimited } from '../ingest/reading-quota.ts'
import { DEVICE, PASSWORD, RESELLER, startReceiver, topicOf, until } from '../ingest/receivers/mqtt-embedded/test-mqtt-receiver.ts'
import { startTestSurface } from '../predictions/test-surface.ts'
import { LiveConnections } from '../presence/live-connections.ts'
import { createConnectionRound, createPresenceRounds } from '../presence/presence-rounds.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller } from '../test-support.ts'
import { openBench } from '../webhooks/test-bench.ts'

const bench = await openBench({ after })
const { database } = bench
await insertReseller(database, RESELLER)
await database.systemPool.query(
  `insert into devices (reseller_id, device_id, imei, device_type, connection_method, status, mqtt_secret_sha256)
   values ($1, $2, '356938035643809', 'other', 'mqtt', 'active', $3)`,
  [RESELLER, DEVICE, sha256(PASSWORD)],
)
const startedMs = Date.now()
let passedMs = 0
/** It stands still while the test works, however long that takes: half a minute decides whether a device is back in time. */
const now = () => new Date(startedMs + passedMs)
const pipeline = createIngestPipeline({
  database,
  directory: createDirectory({ database, now, onFleetChanged: () => undefined }),
  now,
  window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
  quota: unlimited,
  limits: defaultGroupCommitLimits,
  onUnstorable: (error) => console.error('unstorable', error),
})
const connections = new LiveConnections(() => now().getTime())
const limits = { offlineAfterMs: 300_000, reconnectWithinMs: 30_000 }
const write = createConnectionRound({ database, connections, now: async () => now() })
const { publish } = createPresenceRounds({ database, limits, now: async () => now() })

/** Time passes for the service, which works all the while. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    passedMs += 5_000
    while ((await write()) === 0 || (await publish()) === 0);
  }
  await bench.relay()
}

test('a device connects, sends and leaves: online and offline are in the log and go to who asked for them', async (t) => {
  const surface = await startTestSurface(t, platformSurface, [eventPlatformRoutes({ database })])
  const { receiver, port } = await startReceiver(t, {
    ingest: pipeline.ingest,
    authenticateDevice: (attempt) => authenticateDevice(new DeviceLogins(database), attempt, now()),
    onConnected: (device) => connections.open(device),
    now,
  })
  const caller = { resellerId: RESELLER }
  const types = ['device.online', 'device.offline']
  const { webhook } = await bench.create(caller, 'http://127.0.0.1:9999/', { eventTypes: types })
  const { webhook: other } = await bench.create(caller, 'http://127.0.0.1:9999/', { eventTypes: ['alert.created'] })
  const log = async () => (await surface.as(caller).get<{ events: Event[] }>('/events?type=device.online,device.offline')).body.events
  await pass(300)

  const device = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    ...{ clientId: DEVICE, username: `${RESELLER}/${DEVICE}`, password: PASSWORD, reconnectPeriod: 0 },
  })
  await until(() => receiver.connectedCount === 1, 'the receiver counts the device')
  await pass(5)
  assert.deepEqual(
    (await log()).map(({ event, data, sub_client_id }) => [event, data['deviceId'], data['reason'], data['lastSeenAt'], sub_client_id]),
    [['device.online', DEVICE, 'connected', null, null]],
  )

  await device.publishAsync(topicOf(DEVICE), JSON.stringify({ lat: 12.97, lon: 77.59 }), { qos: 1 })
  await pass(3_600)
  assert.equal((await log()).length, 1)
  await device.endAsync()
  await until(() => receiver.connectedCount === 0, 'the receiver has closed the connection')
  await pass(25)
  assert.equal((await log()).length, 1)
  await pass(10)
  const [, offline, ...more] = await log()
  assert.deepEqual([offline?.event, offline?.data['reason'], more], ['device.offline', 'disconnected', []])
  assert.ok(String(offline?.data['lastSeenAt']) < String(offline?.data['disconnectedAt']))

  const sent = await bench.deliveries(caller, webhook.id)
  assert.deepEqual(sent.map(({ eventType }) => eventType).sort(), ['device.offline', 'device.online'])
  assert.deepEqual(await bench.deliveries(caller, other.id), [])
})
