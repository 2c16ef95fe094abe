import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFleet } from './fleet/fleet.ts'
import { registerFleet } from './register.ts'
import { ApiFailure, createApi } from './senders/api.ts'
import { startTestPlatform } from './senders/test-platform.ts'
import { createTestRegistry } from './senders/test-registry.ts'

const profiles = createFleet({ seed: 7, vehicleCount: 8, startAtMs: Date.parse('2026-05-01T00:00:00Z') }).vehicles.map(
  ({ profile }) => profile,
)
const viaMqtt = ({ index }: { index: number }) => index % 2 === 0

test('every vehicle is registered with its device, inline vehicle and sub-client, and half of them get MQTT credentials', async (t) => {
  const registry = createTestRegistry()
  const platform = await startTestPlatform(t, registry.reply)
  const registrations = await registerFleet(createApi({ baseUrl: platform.baseUrl, apiKey: 'k' }), profiles, { viaMqtt })
  assert.deepEqual(registry.subClients.sort(), ['costa-logistica', 'nordfrakt', 'rhein-kurier'])
  assert.deepEqual(registry.devices.map(({ imei }) => imei).sort(), profiles.map(({ imei }) => imei).sort())
  assert.deepEqual(
    registrations.map(({ profile }) => profile),
    profiles,
  )
  assert.equal(registrations.filter(({ mqtt }) => mqtt).length, 4)
  const body = platform.asked.find(({ path, method }) => path.endsWith('/devices') && method === 'POST')?.body
  assert.deepEqual(body?.['vehicle'], {
    mode: 'create',
    make: 'Ford',
    model: 'Transit',
    year: profiles[0]?.modelYear,
    license_plate: profiles[0]?.licensePlate,
    vin: profiles[0]?.vin,
    vehicle_class: 'van',
    fuel_type: 'diesel',
    battery_nominal_v: 12,
  })
})

test('registering again finds the same devices and gives the MQTT ones new passwords', async (t) => {
  const registry = createTestRegistry()
  const platform = await startTestPlatform(t, registry.reply)
  const api = createApi({ baseUrl: platform.baseUrl, apiKey: 'k' })
  const first = await registerFleet(api, profiles, { viaMqtt })
  const second = await registerFleet(api, profiles, { viaMqtt })
  assert.deepEqual(
    second.map(({ deviceId }) => deviceId),
    first.map(({ deviceId }) => deviceId),
  )
  assert.equal(registry.devices.length, 8)
  const [, overHttp, overMqtt] = first.map(({ deviceId }) => deviceId)
  assert.deepEqual(second[2]?.mqtt, {
    deviceId: overMqtt,
    username: `acme/${overMqtt}`,
    password: `second-${overMqtt}`,
    topic: `fleet/acme/devices/${overMqtt}/telemetry`,
  })
  assert.ok(!platform.asked.some(({ path }) => path.includes(`${overHttp}/credentials`)))
})

test('the refusal of a key by the platform is reported', async (t) => {
  const platform = await startTestPlatform(t, () => ({
    status: 403,
    body: { error: { code: 'missing_scope', message: 'needs sub_clients:manage' } },
  }))
  const registering = registerFleet(createApi({ baseUrl: platform.baseUrl, apiKey: 'k' }), profiles, { viaMqtt })
  await assert.rejects(registering, (error: unknown) => error instanceof ApiFailure && /missing_scope/.test(error.message))
})
