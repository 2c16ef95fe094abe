// Goal: the MQTT input answers every message, acknowledges none before its answer is out, and comes back by itself. Method: Mosquitto on
// loopback, engines as processes, publishers and readers of our own.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { hasOpenssl } from '@roadworthy/service-kit/network/test-certificates'
import {
  dynamicSecurityIn,
  hasDynamicSecurity,
  hasMosquitto,
  MQTT_USER,
  type SecureBroker,
  startMosquitto,
  startMosquittoWith,
  startSecureMosquitto,
} from '@roadworthy/service-kit/network/test-mosquitto'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { Registry } from 'prom-client'
import type { Decoded } from '../schema/decode-input.ts'
import { score } from '../score.ts'
import { readInvocation } from '../settings.ts'
import { startMqttInput } from './mqtt-input.ts'
import { fleetReadings, predictOverRest, withoutDuration } from './testing-answers.ts'
import { metric, readiness, startEngineProcess, until } from './testing-process.ts'

const options = { skip: hasMosquitto ? false : 'Mosquitto is not installed', timeout: 600_000 }
const secureOptions = { ...options, skip: options.skip || (hasOpenssl ? false : 'openssl is not installed') }
const dynamicOptions = { ...options, skip: hasDynamicSecurity ? false : 'the dynamic-security plugin of Mosquitto is not installed' }
const VEHICLES = 10

async function openClient(t: TestContext, url: string, own: IClientOptions = {}): Promise<MqttClient> {
  const client = await connectAsync(url, { reconnectPeriod: 200, ...own })
  client.on('error', () => undefined)
  t.after(() => client.endAsync(true))
  return client
}

async function collect(t: TestContext, url: string, filter: string, own: IClientOptions = {}): Promise<{ topic: string; text: string }[]> {
  const received: { topic: string; text: string }[] = []
  const client = await openClient(t, url, { clean: false, clientId: `reader-${process.hrtime.bigint()}`, ...own })
  client.on('message', (topic, payload) => received.push({ topic, text: payload.toString() }))
  await client.subscribeAsync(filter, { qos: 1 })
  return received
}

const identityOf = ({ text }: { text: string }) => {
  const { vehicleId, timestamp } = JSON.parse(text) as { vehicleId: string; timestamp: string }
  return `${vehicleId} ${timestamp}`
}
const publishAll = async (client: MqttClient, readings: readonly { vehicleId: string }[]) => {
  for (const reading of readings) await client.publishAsync(`telemetry/${reading.vehicleId}`, JSON.stringify(reading), { qos: 1 })
}
const isReady = async (url: string) => (await readiness(url)).status === 200
const mqttEnv = (url: string) => ({ ENGINE_INPUT: 'mqtt', ENGINE_MQTT_URL: url, ENGINE_MQTT_CLIENT_ID: 'engine-1' })

test('readings become predictions on the topic of their vehicle, each with its window; poison is set aside', options, async (t) => {
  const broker = await startMosquitto(t)
  const answers = await collect(t, broker.url, 'predictions/#')
  const dead = await collect(t, broker.url, 'dead-letters/#')
  const { url, child, exited } = await startEngineProcess(t, mqttEnv(broker.url))
  await until('ready', () => isReady(url))
  const publisher = await openClient(t, broker.url)
  const readings = fleetReadings(VEHICLES, 20)
  await publishAll(publisher, readings)
  await publisher.publishAsync('telemetry/x', '{"vehicleId":', { qos: 1 })
  await publisher.publishAsync('telemetry/x', '{"vehicleId":"A/B+1","coolant":85}', { qos: 1 })
  await until('all answers', () => answers.length === readings.length + 1 && dead.length === 1)

  const expected = await predictOverRest(url, readings)
  for (const answer of answers.slice(0, readings.length)) {
    const body = withoutDuration(answer.text)
    assert.equal(answer.topic, `predictions/${body.vehicleId}`)
    assert.deepEqual(body, expected.get(identityOf(answer)))
  }
  assert.equal(answers.at(-1)?.topic, 'predictions/A%2FB%2B1')
  const letter = JSON.parse(dead[0]?.text ?? '') as Record<string, string>
  assert.equal(letter['topic'], 'telemetry/x')
  assert.equal(letter['code'], 'invalid_json')
  assert.equal(Buffer.from(letter['payload_base64'] ?? '', 'base64').toString(), '{"vehicleId":')
  // Counted when the broker has acknowledged the answer, which its readers may have before that.
  const answered = 'engine_input_messages_total{input="mqtt",outcome="answered"}'
  await until('all are counted', async () => (await metric(url, answered)) >= readings.length + 1)
  assert.equal(await metric(url, answered), readings.length + 1)

  await publishAll(publisher, readings.slice(-5))
  await until('duplicates', async () => (await metric(url, 'engine_input_messages_total{input="mqtt",outcome="duplicate"}')) === 5)
  assert.equal(answers.length, readings.length + 1)
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
})

test('an engine killed half-way finds what it had not acknowledged when it comes back', options, async (t) => {
  const broker = await startMosquitto(t)
  const answers = await collect(t, broker.url, 'predictions/#')
  const first = await startEngineProcess(t, mqttEnv(broker.url))
  await until('ready', () => isReady(first.url))
  const publisher = await openClient(t, broker.url)
  const readings = fleetReadings(VEHICLES, 80)
  const published = publishAll(publisher, readings)
  await until('some answers', () => answers.length > 20)
  first.child.kill('SIGKILL')
  await Promise.all([first.exited, published])
  assert.ok(answers.length < readings.length, 'it was killed before it was through')
  await startEngineProcess(t, mqttEnv(broker.url))
  await until('an answer to every message', () => new Set(answers.map(identityOf)).size === readings.length)
})

test('a broker that is absent or restarted is reported by /readyz and waited for', options, async (t) => {
  const broker = await startMosquitto(t)
  const { url } = await startEngineProcess(t, mqttEnv(broker.url))
  await until('ready', () => isReady(url))
  await broker.kill()
  await until('not ready', async () => (await readiness(url)).text.includes('ENGINE_MQTT_URL'))
  assert.equal((await fetch(`${url}/livez`)).status, 200)
  await broker.start()
  await until('ready again', () => isReady(url))
  const answers = await collect(t, broker.url, 'predictions/#')
  await publishAll(await openClient(t, broker.url), [{ vehicleId: 'V-AFTER' }])
  await until('the answer', () => answers.length === 1)
})

test(
  'while no prediction is taken on, for longer than a keepalive, the connection is held and the message is read once',
  options,
  async (t) => {
    const broker = await startMosquitto(t)
    const answers = await collect(t, broker.url, 'predictions/#')
    const registry = new Registry()
    let refusal: Problem | undefined = new Problem('models_not_loaded', 'No model is loaded yet.')
    const deps = {
      predict: (decoded: Decoded) => score(decoded, performance.now(), () => performance.now()),
      refusalNow: () => refusal,
      log: createLogger('silent'),
      nowMs: Date.now,
      registry,
    }
    const invocation = readInvocation([], mqttEnv(broker.url), 'host-1')
    assert.ok(invocation.kind === 'run' && invocation.input.kind === 'mqtt')
    const input = startMqttInput(invocation.input, deps, { keepaliveS: 3 })
    t.after(() => input.stop())
    await until('connected', () => input.trouble() === undefined)
    await publishAll(await openClient(t, broker.url), [{ vehicleId: 'V-1' }])
    // What a client takes a connection for lost after, twice over: one and a half times its keepalive.
    await sleep(9_000)
    assert.equal(input.trouble(), undefined)
    refusal = undefined
    await until('the answer', () => answers.length === 1)
    const counted = async () => {
      const metrics = (await registry.getMetricsAsJSON()).filter(({ name }) => /messages_total|reconnects/.test(name))
      return metrics.flatMap(({ values }) => values.map(({ labels, value }) => [labels['outcome'], value]))
    }
    // Counted when the broker has acknowledged the answer, which its readers may have before that.
    await until('it is counted', async () => (await counted()).length > 0)
    assert.deepEqual(await counted(), [['answered', 1]])
  },
)

test('a subscription that the broker refuses is reported, and made as soon as it is allowed', dynamicOptions, async (t) => {
  const broker = await startMosquittoWith(t, dynamicSecurityIn)
  const operator = await openClient(t, broker.url, MQTT_USER)
  const order = (command: object) =>
    operator.publishAsync('$CONTROL/dynamic-security/v1', JSON.stringify({ commands: [command] }), { qos: 1 })
  await order({ command: 'createClient', username: 'guest', password: 'guest' })
  const { url } = await startEngineProcess(t, { ...mqttEnv(broker.url), ENGINE_MQTT_USERNAME: 'guest', ENGINE_MQTT_PASSWORD: 'guest' })
  await until('the refusal is reported', async () =>
    /cannot subscribe to ENGINE_MQTT_TOPIC \\"telemetry\/#\\": the broker does not allow it\./.test((await readiness(url)).text),
  )
  const acls = ['publishClientSend', 'publishClientReceive', 'subscribe'].map((acltype) => ({ acltype, allow: true }))
  await order({ command: 'setDefaultACLAccess', acls })
  await until('ready', () => isReady(url))
  const answers = await collect(t, broker.url, 'predictions/#', MQTT_USER)
  await publishAll(operator, [{ vehicleId: 'V-1' }])
  await until('the answer', () => answers.length === 1)
  assert.equal(await metric(url, 'engine_input_reconnects_total{input="mqtt"}'), Number.NaN, 'it was the same connection')
})

test('engines with a shared subscription divide the messages, none answered twice', options, async (t) => {
  const broker = await startMosquitto(t)
  const answers = await collect(t, broker.url, 'predictions/#')
  const shared = { ...mqttEnv(broker.url), ENGINE_MQTT_TOPIC: '$share/engines/telemetry/#' }
  const one = await startEngineProcess(t, { ...shared, ENGINE_MQTT_CLIENT_ID: 'engine-1' })
  const two = await startEngineProcess(t, { ...shared, ENGINE_MQTT_CLIENT_ID: 'engine-2' })
  await until('both ready', async () => (await isReady(one.url)) && (await isReady(two.url)))
  const readings = fleetReadings(VEHICLES, 10)
  await publishAll(await openClient(t, broker.url), readings)
  await until('all answers', () => answers.length >= readings.length)
  assert.equal(new Set(answers.map(identityOf)).size, answers.length)
  const answered = 'engine_input_messages_total{input="mqtt",outcome="answered"}'
  assert.ok((await metric(one.url, answered)) > 0 && (await metric(two.url, answered)) > 0)
})

/** What the test's own clients need to get in; the engine gets the same by its settings. */
function signedIn({ certificates: { authority, client } }: SecureBroker): IClientOptions {
  const files = { ca: readFileSync(authority.certFile), cert: readFileSync(client.certFile), key: readFileSync(client.keyFile) }
  return { ...MQTT_USER, ...files }
}
const secureEnv = ({ url, certificates }: SecureBroker) => ({
  ...mqttEnv(url),
  ENGINE_MQTT_TLS_CA_FILE: certificates.authority.certFile,
  ENGINE_MQTT_USERNAME: MQTT_USER.username,
  ENGINE_MQTT_PASSWORD: MQTT_USER.password,
})
const certificateEnv = ({ certificates: { client } }: SecureBroker) => ({
  ENGINE_MQTT_TLS_CERT_FILE: client.certFile,
  ENGINE_MQTT_TLS_KEY_FILE: client.keyFile,
})

test('TLS, a sign-in and a certificate of its own are spoken on both connections', secureOptions, async (t) => {
  for (const asksForCertificate of [false, true]) {
    const broker = await startSecureMosquitto(t, { asksForCertificate })
    const answers = await collect(t, broker.url, 'predictions/#', signedIn(broker))
    const env = { ...secureEnv(broker), ...(asksForCertificate ? certificateEnv(broker) : {}) }
    const { url, child, exited } = await startEngineProcess(t, env)
    await until('ready', () => isReady(url))
    await publishAll(await openClient(t, broker.url, signedIn(broker)), fleetReadings(2, 2))
    await until('all answers', () => answers.length === 4)
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
  }
})

test('a sign-in or a certificate that is refused is reported by its setting, and the password by nobody', secureOptions, async (t) => {
  const broker = await startSecureMosquitto(t, { asksForCertificate: true })
  const { stranger } = broker.certificates
  const good = { ...secureEnv(broker), ...certificateEnv(broker) }
  for (const [wrong, problem] of [
    [{ ENGINE_MQTT_PASSWORD: 'wrong-and-secret' }, /ENGINE_MQTT_USERNAME and ENGINE_MQTT_PASSWORD/],
    [{ ENGINE_MQTT_TLS_CA_FILE: stranger.certFile }, /ENGINE_MQTT_TLS_CA_FILE/],
    [{ ENGINE_MQTT_TLS_CERT_FILE: '', ENGINE_MQTT_TLS_KEY_FILE: '' }, /ENGINE_MQTT_TLS_CERT_FILE/],
    [{ ENGINE_MQTT_TLS_CERT_FILE: stranger.certFile, ENGINE_MQTT_TLS_KEY_FILE: stranger.keyFile }, /ENGINE_MQTT_TLS_CERT_FILE/],
  ] as const) {
    const { url, child, exited, log } = await startEngineProcess(t, { ...good, ...wrong })
    await until(`it reports ${problem}`, async () => problem.test((await readiness(url)).text))
    assert.equal((await fetch(`${url}/livez`)).status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    assert.doesNotMatch(log.join('\n'), /secret|hush/)
  }
})
