import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError, ConnectionError, ValidationError } from './errors.ts'
import { type MqttPublisher, mqtt } from './mqtt-device.ts'

const topic = 'fleet/north-fleet/devices/dev-1/telemetry'

function publisher(refusal?: Error) {
  const published: { topic: string; payload: unknown; options: unknown }[] = []
  const client: MqttPublisher = {
    publish: (to, payload, options, callback) => {
      published.push({ topic: to, payload: JSON.parse(payload), options })
      queueMicrotask(() => callback(refusal))
    },
  }
  return { client, published }
}

test('records go to the topic of the device with QoS 1, not retained, 100 in a message', async () => {
  const { client, published } = publisher()
  const device = mqtt.device({ mqtt_topic: topic }, client)
  await device.send({ speed: 61 })
  assert.deepEqual(published, [{ topic, payload: { speed: 61 }, options: { qos: 1, retain: false } }])
  published.length = 0
  await device.send(Array.from({ length: 201 }, (_, speed) => ({ speed })))
  assert.deepEqual(
    published.map(({ payload }) => (Array.isArray(payload) ? payload.length : payload)),
    [100, 100, { speed: 200 }],
  )
  await device.send([])
  assert.equal(published.length, 3)
})

test('messages have at most 64 KiB; a record that is longer is refused before anything is sent', async () => {
  const { client, published } = publisher()
  const device = mqtt.device({ topic }, client)
  const long = { extra: { note: 'ü'.repeat(15_000) } }
  await device.send([long, long, long])
  assert.deepEqual(
    published.map(({ payload }) => (Array.isArray(payload) ? payload.length : 1)),
    [2, 1],
  )
  published.length = 0
  await assert.rejects(
    device.send([{ speed: 1 }, { extra: { note: 'a'.repeat(65_536) } }]),
    (error) => error instanceof ValidationError && error.code === 'payload_too_large' && error.details?.['index'] === 1,
  )
  assert.deepEqual(published, [])
})

test('what the broker does not take is an error, and nothing follows it', async () => {
  const { client, published } = publisher(new Error('client disconnecting'))
  const device = mqtt.device({ mqttTopic: topic }, client)
  const records = Array.from({ length: 101 }, () => ({ speed: 1 }))
  await assert.rejects(device.send(records), (error) => error instanceof ConnectionError && /client disconnecting/.test(error.message))
  assert.equal(published.length, 1)
})

test('the other topics follow from that of the device, and reports are read', () => {
  const device = mqtt.device({ topic }, publisher().client)
  assert.equal(device.errorsTopic, 'fleet/north-fleet/devices/dev-1/errors')
  assert.equal(device.commandsTopic, 'fleet/north-fleet/devices/dev-1/commands')
  const report = { records_stored: 0, records_rejected: 1, errors: [{ index: 0, code: 'invalid_request', message: 'x' }] }
  assert.deepEqual(device.parseErrors(device.errorsTopic, new TextEncoder().encode(JSON.stringify(report))), report)
  assert.equal(device.parseErrors(device.commandsTopic, 'anything'), undefined)
  assert.throws(() => device.parseErrors(device.errorsTopic, '{'), /no JSON/)
})

test('a topic that is no device’s is refused', () => {
  const { client } = publisher()
  for (const wrong of [
    '',
    'fleet/+/devices/dev-1/telemetry',
    'fleet/#',
    'fleet/north-fleet/devices/dev-1/errors',
    '/telemetry',
    undefined,
  ]) {
    assert.throws(() => mqtt.device({ topic: wrong as string }, client), ConfigurationError, String(wrong))
  }
  assert.throws(() => mqtt.device({ topic }, {} as MqttPublisher), /a method publish/)
})

test('a registration of either API is what a device connects with', () => {
  const expected = {
    url: 'mqtt://mqtt.example.com:1883',
    options: { clientId: 'dev-1', username: 'north-fleet/dev-1', password: 'secret', protocolVersion: 4, clean: true },
  }
  const external = { device_id: 'dev-1', mqtt_broker: 'mqtt.example.com:1883', mqtt_username: 'north-fleet/dev-1', mqtt_password: 'secret' }
  const platform = { id: 'dev-1', mqttBroker: 'mqtt.example.com:1883', mqttUsername: 'north-fleet/dev-1', mqttPassword: 'secret' }
  assert.deepEqual([mqtt.connection(external), mqtt.connection(platform)], [expected, expected])
  assert.equal(mqtt.connection(external, { isTls: true }).url, 'mqtts://mqtt.example.com:1883')
})
