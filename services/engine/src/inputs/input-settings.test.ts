import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInvocation } from '../settings.ts'

const plan = (env: Record<string, string>) => {
  const outcome = readInvocation([], env, 'host-1')
  assert.ok(outcome.kind === 'run', outcome.kind === 'print' ? outcome.text : '')
  return outcome.input
}
const problems = (env: Record<string, string>) => {
  const outcome = readInvocation([], env, 'host-1')
  assert.ok(outcome.kind === 'print' && outcome.exitCode === 1)
  return outcome.text
}
const stream = { ENGINE_INPUT: 'stream', ENGINE_KAFKA_BROKERS: 'a:9092, b:9093' }
const mqtt = { ENGINE_INPUT: 'mqtt', ENGINE_MQTT_URL: 'mqtt://broker:1883' }

test('a stream needs its brokers and nothing else', () => {
  assert.deepEqual(plan(stream), {
    kind: 'stream',
    maxVehicles: 5000,
    topics: { input: 'telemetry', output: 'predictions', deadLetter: 'telemetry.dlq', groupId: 'roadworthy-engine', startAt: 'earliest' },
    connection: { clientId: 'roadworthy-engine-host-1', bootstrapBrokers: ['a:9092', 'b:9093'] },
  })
})

test('TLS and a sign-in reach the client, and the password is never printed', () => {
  const env = {
    ...stream,
    ENGINE_KAFKA_TLS: 'on',
    ENGINE_KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    ENGINE_KAFKA_SASL_USERNAME: 'engine',
    ENGINE_KAFKA_SASL_PASSWORD: 'hush-hush',
  }
  const made = plan(env)
  assert.ok(made.kind === 'stream')
  assert.deepEqual(made.connection.tls, {})
  assert.deepEqual(made.connection.sasl, { mechanism: 'SCRAM-SHA-512', username: 'engine', password: 'hush-hush' })
  const printed = readInvocation(['--check-config'], env, 'host-1')
  assert.ok(printed.kind === 'print' && !printed.text.includes('hush-hush'))
})

test('what is missing or would not work is told by its name before anything starts', () => {
  assert.match(problems({ ENGINE_INPUT: 'stream' }), /^ENGINE_KAFKA_BROKERS/)
  assert.match(problems({ ...stream, ENGINE_KAFKA_BROKERS: 'kafka' }), /^ENGINE_KAFKA_BROKERS.*"kafka" is not of that form/)
  assert.match(problems({ ...stream, ENGINE_KAFKA_OUTPUT_TOPIC: 'telemetry' }), /^ENGINE_KAFKA_OUTPUT_TOPIC/)
  assert.match(problems({ ...stream, ENGINE_KAFKA_DEAD_LETTER_TOPIC: 'telemetry' }), /^ENGINE_KAFKA_DEAD_LETTER_TOPIC/)
  assert.match(problems({ ...stream, ENGINE_KAFKA_SASL_USERNAME: 'u' }), /^ENGINE_KAFKA_SASL_MECHANISM/)
  assert.match(problems({ ...stream, ENGINE_KAFKA_SASL_MECHANISM: 'PLAIN' }), /ENGINE_KAFKA_SASL_USERNAME[\s\S]*ENGINE_KAFKA_SASL_PASSWORD/)
  assert.match(problems({ ...stream, ENGINE_KAFKA_TLS_CA_FILE: '/nowhere.pem' }), /^ENGINE_KAFKA_TLS_CA_FILE.*ENOENT/)
  assert.match(problems({ ...stream, ENGINE_KAFKA_TLS_CERT_FILE: import.meta.filename }), /^ENGINE_KAFKA_TLS_KEY_FILE/)
  assert.match(problems({ ENGINE_INPUT: 'mqtt' }), /^ENGINE_MQTT_URL/)
  assert.match(problems({ ...mqtt, ENGINE_MQTT_OUTPUT_PREFIX: 'a/+' }), /^ENGINE_MQTT_OUTPUT_PREFIX/)
})

test('what would answer its own answers is refused', () => {
  for (const [filter, prefix] of [
    ['telemetry/#', 'telemetry/predictions'],
    ['#', 'predictions'],
    ['$share/engines/+/+', 'predictions'],
    ['predictions/vehicle', 'predictions'],
  ] as const) {
    assert.match(problems({ ...mqtt, ENGINE_MQTT_TOPIC: filter, ENGINE_MQTT_OUTPUT_PREFIX: prefix }), /would come back/, filter)
  }
  const fine = plan({
    ...mqtt,
    ENGINE_MQTT_TOPIC: '$share/engines/fleet/+/devices/+/telemetry',
    ENGINE_MQTT_OUTPUT_PREFIX: 'fleet/predictions/',
  })
  assert.ok(fine.kind === 'mqtt' && fine.outputPrefix === 'fleet/predictions')
})
