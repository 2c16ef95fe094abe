import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { type Certificates, hasOpenssl, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'
import { readInvocation } from '../settings.ts'
import type { InputPlan } from './input-settings.ts'

const secureOptions = { skip: hasOpenssl ? false : 'openssl is not installed' }
const folder = mkdtempSync(join(tmpdir(), 'roadworthy-input-settings-'))
after(() => rmSync(folder, { recursive: true }))
let made: Certificates | undefined
const certificates = () => {
  made ??= makeCertificates(folder)
  return made
}
type Identity = Certificates['client']
const inKafka = ({ certFile, keyFile }: Identity) => ({ ENGINE_KAFKA_TLS_CERT_FILE: certFile, ENGINE_KAFKA_TLS_KEY_FILE: keyFile })
const inMqtt = ({ certFile, keyFile }: Identity) => ({ ENGINE_MQTT_TLS_CERT_FILE: certFile, ENGINE_MQTT_TLS_KEY_FILE: keyFile })

const plan = (env: Record<string, string>) => {
  const outcome = readInvocation([], env, 'host-1')
  assert.ok(outcome.kind === 'run', outcome.kind === 'print' ? outcome.text : '')
  return outcome.input
}
const problems = (env: Record<string, string>) => {
  const outcome = readInvocation([], env, 'host-1')
  assert.ok(outcome.kind === 'print' && outcome.exitCode === 2)
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

test('TLS and a sign-in reach the client, and nothing shows a password or a private key', secureOptions, () => {
  const { client } = certificates()
  for (const [env, secretsOf] of [
    [
      { ...stream, ENGINE_KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512', ENGINE_KAFKA_SASL_USERNAME: 'engine', ...inKafka(client) },
      (made: InputPlan) => made.kind === 'stream' && [made.connection.sasl?.password, made.connection.tls?.key],
    ],
    [
      { ...mqtt, ENGINE_MQTT_URL: 'mqtts://broker', ENGINE_MQTT_USERNAME: 'engine', ...inMqtt(client) },
      (made: InputPlan) => made.kind === 'mqtt' && [made.password, made.tls.key],
    ],
  ] as const) {
    const full = { ...env, ENGINE_KAFKA_SASL_PASSWORD: 'hush-hush', ENGINE_MQTT_PASSWORD: 'hush-hush' }
    const made = plan(full)
    const key = readFileSync(client.keyFile, 'utf8')
    assert.deepEqual(secretsOf(made), ['hush-hush', key])
    for (const shown of [JSON.stringify(made), inspect(made, { depth: 9 })]) assert.doesNotMatch(shown, /hush|PRIVATE KEY/)
    const printed = readInvocation(['--check-config'], full, 'host-1')
    assert.ok(printed.kind === 'print' && !printed.text.includes('hush-hush'))
  }
})

test('a file that does not fit its setting is reported before anything starts', secureOptions, () => {
  const { authority, client } = certificates()
  const other = import.meta.filename
  for (const [given, problem] of [
    [{ ENGINE_KAFKA_TLS_CA_FILE: '/nowhere.pem' }, /^ENGINE_KAFKA_TLS_CA_FILE.*ENOENT/],
    [{ ENGINE_KAFKA_TLS_CA_FILE: other }, /^ENGINE_KAFKA_TLS_CA_FILE.*no certificate/],
    [{ ENGINE_KAFKA_TLS_CERT_FILE: client.certFile }, /^ENGINE_KAFKA_TLS_KEY_FILE: .*go together/],
    [{ ENGINE_KAFKA_TLS_KEY_FILE: client.keyFile }, /^ENGINE_KAFKA_TLS_CERT_FILE: .*go together/],
    [{ ...inKafka(client), ENGINE_KAFKA_TLS_CERT_FILE: other }, /^ENGINE_KAFKA_TLS_CERT_FILE.*no certificate/],
    [{ ...inKafka(client), ENGINE_KAFKA_TLS_KEY_FILE: other }, /^ENGINE_KAFKA_TLS_KEY_FILE.*no private key/],
    [{ ...inKafka(client), ENGINE_KAFKA_TLS_KEY_FILE: authority.keyFile }, /^ENGINE_KAFKA_TLS_KEY_FILE.*not the private key of/],
  ] as const) {
    assert.match(problems({ ...stream, ...given }), problem)
  }
  assert.match(problems({ ...mqtt, ENGINE_MQTT_TLS_CA_FILE: authority.certFile }), /^ENGINE_MQTT_TLS_CA_FILE.*mqtts:/)
})

test('what is missing or would not work is reported by its name before anything starts', () => {
  for (const [given, problem] of [
    [{ ENGINE_INPUT: 'stream' }, /^ENGINE_KAFKA_BROKERS/],
    [{ ...stream, ENGINE_KAFKA_BROKERS: 'kafka' }, /^ENGINE_KAFKA_BROKERS.*"kafka" is not of that form/],
    [{ ...stream, ENGINE_KAFKA_BROKERS: 'kafka:65536' }, /^ENGINE_KAFKA_BROKERS.*"kafka:65536" is not of that form/],
    [{ ...stream, ENGINE_KAFKA_TOPIC: 'tele/metry' }, /^ENGINE_KAFKA_TOPIC/],
    [{ ...stream, ENGINE_KAFKA_OUTPUT_TOPIC: 'telemetry' }, /^ENGINE_KAFKA_OUTPUT_TOPIC/],
    [{ ...stream, ENGINE_KAFKA_DEAD_LETTER_TOPIC: 'telemetry' }, /^ENGINE_KAFKA_DEAD_LETTER_TOPIC/],
    [{ ...stream, ENGINE_KAFKA_SASL_USERNAME: 'u' }, /^ENGINE_KAFKA_SASL_MECHANISM/],
    [{ ...stream, ENGINE_KAFKA_SASL_MECHANISM: 'PLAIN' }, /ENGINE_KAFKA_SASL_USERNAME[\s\S]*ENGINE_KAFKA_SASL_PASSWORD/],
    [{ ENGINE_INPUT: 'mqtt' }, /^ENGINE_MQTT_URL/],
    [{ ...mqtt, ENGINE_MQTT_URL: 'mqtt://broker:65536' }, /^ENGINE_MQTT_URL/],
    [{ ...mqtt, ENGINE_MQTT_PASSWORD: 'hush-hush' }, /^ENGINE_MQTT_USERNAME/],
    [{ ...mqtt, ENGINE_MQTT_OUTPUT_PREFIX: 'a/+' }, /^ENGINE_MQTT_OUTPUT_PREFIX/],
    ...['a/#/b', 'a+/b', '#a', '$share/engines', '$share/+/a', '$share/engines/'].map(
      (filter) => [{ ...mqtt, ENGINE_MQTT_TOPIC: filter }, /^ENGINE_MQTT_TOPIC/] as const,
    ),
  ] as const) {
    assert.match(problems(given), problem)
  }
  const url = problems({ ...mqtt, ENGINE_MQTT_URL: 'mqtt://engine:hush-hush@broker:1883' })
  assert.match(url, /^ENGINE_MQTT_URL: .*ENGINE_MQTT_USERNAME/)
  assert.doesNotMatch(url, /hush/)
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
