// Goal: the stream input keeps its promises on a real Kafka, whoever dies. Method: engines as processes, one broker, topics of its own for
// each test; `npm run test:kafka` fetches Kafka and runs this.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKafkaBroker, type KafkaBroker, SASL_USER } from '@roadworthy/kafka/testing-kafka'
import { collectTopic, type Received } from '@roadworthy/kafka/testing-topic'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { Registry } from 'prom-client'
import { score } from '../score.ts'
import { readInvocation } from '../settings.ts'
import { startInput } from './start-input.ts'
import { FIRST_READING_MS, fleetReadings, predictOverRest, withoutDuration } from './testing-answers.ts'
import { metric, readiness, startEngineProcess, until } from './testing-process.ts'
import { createTopics } from './testing-stream.ts'

const classPath = process.env['KAFKA_CLASS_PATH']
const skip = classPath === undefined ? 'no Kafka: run `npm run test:kafka`, which fetches one' : false
/** Of a whole test. What it waits for has a bound of its own. */
const TIMEOUT_MS = 900_000
const VEHICLES = 50
const READINGS_EACH = 20
const REFUSED_FOR_MS = 5000

let broker: KafkaBroker
before(async () => {
  if (classPath === undefined) return
  broker = await createKafkaBroker(classPath)
  await broker.start()
})
after(() => broker?.remove())

const options = { skip, timeout: TIMEOUT_MS }
const identityOf = ({ value }: Received) => {
  const { vehicleId, timestamp } = JSON.parse(value) as { vehicleId: string; timestamp: string }
  return `${vehicleId} ${timestamp}`
}
const identities = (received: readonly Received[]) => new Set(received.map(identityOf))
/** Parsed only when there can be enough: this is asked again and again in the process that answers. */
const hasAll = (received: readonly Received[], count: number) => received.length >= count && identities(received).size === count
const total = VEHICLES * READINGS_EACH

/** What is sent is counted when the broker has acknowledged it, which is after others can read it. */
async function untilCounted(url: string, name: string, count: number): Promise<void> {
  await until(`${name} is ${count}`, async () => (await metric(url, name)) >= count)
  assert.equal(await metric(url, name), count)
}

test('1,000 messages of 50 vehicles become 1,000 predictions, each with the window of its vehicle', options, async (t) => {
  const { topics, env, sendReadings } = await createTopics(t, broker.address)
  const answers = await collectTopic(t, broker.address, topics.output)
  const readings = fleetReadings(VEHICLES, READINGS_EACH)
  const { url, child, exited } = await startEngineProcess(t, env)
  await sendReadings(readings)
  await until('1,000 answers', () => answers.length >= total)

  assert.equal(answers.length, total)
  const expected = await predictOverRest(url, readings)
  for (const answer of answers) {
    assert.equal(answer.key, (JSON.parse(answer.value) as { vehicleId: string }).vehicleId)
    assert.deepEqual(withoutDuration(answer.value), expected.get(identityOf(answer)))
  }
  const alerts = answers.filter(({ value }) => (JSON.parse(value) as { alerts: unknown[] }).alerts.length > 0)
  assert.deepEqual([...new Set(alerts.map(({ key }) => key))], ['V-7'], 'only the vehicle that overheats is reported')
  await untilCounted(url, 'engine_input_messages_total{input="stream",outcome="answered"}', total)
  assert.equal(await metric(url, 'engine_input_window_vehicles'), VEHICLES)
  await until('no lag', async () => (await metric(url, 'engine_input_lag_messages{input="stream"}')) === 0)
  assert.equal((await readiness(url)).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])

  // What was committed at the stop is not read again by the next.
  const next = await startEngineProcess(t, env)
  await until('the next engine is connected', async () => (await readiness(next.url)).status === 200)
  await sendReadings([{ vehicleId: 'V-LAST' }])
  await until('the answer to one more', () => answers.some(({ key }) => key === 'V-LAST'))
  assert.equal(answers.length, total + 1)
})

test('an engine killed half-way leaves no message unanswered', options, async (t) => {
  const { topics, env, sendReadings } = await createTopics(t, broker.address)
  const answers = await collectTopic(t, broker.address, topics.output)
  const readings = fleetReadings(VEHICLES, 100)
  const first = await startEngineProcess(t, env)
  const { promise: isDead, resolve: die } = Promise.withResolvers<void>()
  const sending = (async () => {
    for (let from = 0; from < readings.length; from += total) {
      // The last come when it is dead: however fast it is, it was not through.
      if (from + total >= readings.length) await isDead
      await sendReadings(readings.slice(from, from + total))
    }
  })()
  await until('some answers', () => answers.length > 0)
  first.child.kill('SIGKILL')
  await first.exited
  const beforeRestart = identities(answers).size
  die()
  await sending
  await startEngineProcess(t, env)
  await until('an answer to every message', () => hasAll(answers, readings.length))
  t.diagnostic(`${beforeRestart} answered before the kill; ${answers.length - readings.length} of ${readings.length} answered twice`)
})

test('two engines of one group share the work, and the death of one is made up for by the other', options, async (t) => {
  const { topics, env, sendReadings } = await createTopics(t, broker.address)
  const answers = await collectTopic(t, broker.address, topics.output)
  const one = await startEngineProcess(t, env)
  await until('the first is connected', async () => (await readiness(one.url)).status === 200)
  const two = await startEngineProcess(t, env)
  await until('the second is connected', async () => (await readiness(two.url)).status === 200)
  const readings = fleetReadings(VEHICLES, READINGS_EACH)
  const answeredBy = ({ url }: { url: string }) => metric(url, 'engine_input_messages_total{input="stream",outcome="answered"}')
  await sendReadings(readings.slice(0, total / 2))
  await until('half the answers', () => hasAll(answers, total / 2))
  await until('both had a share', async () => (await answeredBy(one)) > 0 && (await answeredBy(two)) > 0)
  await sendReadings(readings.slice(total / 2))
  two.child.kill('SIGKILL')
  await until('all the answers', () => hasAll(answers, total))
})

test('poison is set aside with its reason and its bytes, and keeps nothing from being answered', options, async (t) => {
  const { topics, env, send } = await createTopics(t, broker.address, 1)
  const answers = await collectTopic(t, broker.address, topics.output)
  const dead = await collectTopic(t, broker.address, topics.deadLetter)
  const big = JSON.stringify({ vehicleId: 'V-BIG', filler: 'x'.repeat(1024 * 1024) })
  await send([
    { key: 'a', value: '{"vehicleId":', headers: { trace: 'T-1' } },
    { key: 'b', value: '{"coolant":80}' },
    { key: 'c', value: big },
    { key: 'd', value: `${'['.repeat(40)}${']'.repeat(40)}` },
    { key: 'e', value: '' },
    { key: 'f', value: '{"vehicleId":"V-1","coolant":85}' },
  ])
  const { url } = await startEngineProcess(t, env)
  await until('the answer behind the poison', () => answers.length === 1 && dead.length === 5)
  const codes = dead.map(({ key, headers }) => [key, headers['dead-letter-code'], headers['dead-letter-offset']])
  assert.deepEqual(codes, [
    ['a', 'invalid_json', '0'],
    ['b', 'invalid_input', '1'],
    ['c', 'payload_too_large', '2'],
    ['d', 'invalid_json', '3'],
    ['e', 'empty_message', '4'],
  ])
  assert.equal(dead[0]?.value, '{"vehicleId":')
  assert.equal(dead[0]?.headers['trace'], 'T-1')
  assert.match(dead[1]?.headers['dead-letter-reason'] ?? '', /vehicleId/)
  assert.equal(dead[2]?.value, '', 'the topic of dead letters does not take as much as the first')
  assert.equal(dead[2]?.headers['dead-letter-content'], 'too_large')
  assert.equal(dead[2]?.headers['dead-letter-topic'], topics.input)
  await untilCounted(url, 'engine_input_dead_letters_total{input="stream",reason="invalid_json"}', 2)
})

test(
  'an answer that is too large for its topic is set aside with its message, a dead letter with large headers goes without them',
  options,
  async (t) => {
    const { topics, env, send } = await createTopics(t, broker.address, 1, 10_000)
    const answers = await collectTopic(t, broker.address, topics.output)
    const dead = await collectTopic(t, broker.address, topics.deadLetter)
    const codes = Array.from({ length: 60 }, (_, index) => `P0${100 + index}`)
    const large = JSON.stringify({ vehicleId: 'V-LARGE', dtc_codes: codes })
    await send([
      { key: 'a', value: '{"vehicleId":"V-1"}' },
      { key: 'b', value: large },
      { key: 'c', value: 'no JSON', headers: { trace: 'x'.repeat(1_100_000), 'dead-letter-code': 'of an earlier time' } },
      { key: 'd', value: '{"vehicleId":"V-2"}' },
    ])
    const { url } = await startEngineProcess(t, env)
    await until('two answers and two dead letters', () => dead.length === 2 && answers.some(({ key }) => key === 'V-2'))
    assert.deepEqual([...new Set(answers.map(({ key }) => key))], ['V-1', 'V-2'])
    const [answerless, headerless] = dead
    assert.equal(answerless?.value, large)
    assert.equal(answerless.headers['dead-letter-code'], 'answer_refused')
    assert.match(answerless.headers['dead-letter-reason'] ?? '', /^The answer of 1\d{4} bytes is larger than the topic "\S+\.out" takes\.$/)
    assert.equal(headerless?.headers['dead-letter-code'], 'invalid_json')
    assert.equal(headerless.headers['dead-letter-content'], 'too_large')
    assert.equal(headerless.headers['trace'], undefined)
    await untilCounted(url, 'engine_input_dead_letters_total{input="stream",reason="answer_refused"}', 1)
  },
)

test('CloudEvents are taken in structured and in binary mode', options, async (t) => {
  const { topics, env, send } = await createTopics(t, broker.address)
  const answers = await collectTopic(t, broker.address, topics.output)
  const attributes = { specversion: '1.0', id: '1', source: '/gateway', type: 'telemetry' }
  const data = { vehicleId: 'V-STRUCTURED', coolant: 85 }
  const time = new Date(FIRST_READING_MS).toISOString()
  await send([
    { key: 'a', value: JSON.stringify({ ...attributes, time, data }), headers: { 'content-type': 'application/cloudevents+json' } },
    {
      key: 'b',
      value: JSON.stringify({ ...data, vehicleId: 'V-BINARY' }),
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_id: '2',
        ce_source: '/gateway',
        ce_type: 'telemetry',
        ce_time: time,
      },
    },
  ])
  await startEngineProcess(t, env)
  await until('two answers', () => answers.length === 2)
  assert.deepEqual([...identities(answers)].sort(), [`V-BINARY ${time}`, `V-STRUCTURED ${time}`])
})

const signInEnv = (mechanism: string) => ({
  ENGINE_KAFKA_SASL_MECHANISM: mechanism,
  ENGINE_KAFKA_SASL_USERNAME: SASL_USER.username,
  ENGINE_KAFKA_SASL_PASSWORD: SASL_USER.password,
})
const tlsEnv = () => ({ ENGINE_KAFKA_TLS_CA_FILE: broker.certificates.authority.certFile })
const certificateEnv = ({ certFile, keyFile }: KafkaBroker['certificates']['client']) => ({
  ENGINE_KAFKA_TLS_CERT_FILE: certFile,
  ENGINE_KAFKA_TLS_KEY_FILE: keyFile,
})

test('every way to sign in is spoken, with and without TLS', options, async (t) => {
  const { signInAddress, secureAddress, certificateAddress, certificates } = broker
  for (const [address, secure] of [
    [signInAddress, signInEnv('PLAIN')],
    [signInAddress, signInEnv('SCRAM-SHA-256')],
    [secureAddress, { ...signInEnv('PLAIN'), ...tlsEnv() }],
    [secureAddress, { ...signInEnv('SCRAM-SHA-512'), ...tlsEnv() }],
    [certificateAddress, { ...certificateEnv(certificates.client), ...tlsEnv() }],
  ] as const) {
    const { topics, env, sendReadings } = await createTopics(t, broker.address)
    const answers = await collectTopic(t, broker.address, topics.output)
    const { child, exited } = await startEngineProcess(t, { ...env, ENGINE_KAFKA_BROKERS: address, ...secure })
    await sendReadings([{ vehicleId: 'V-SECRET' }])
    await until(`the answer with ${JSON.stringify(secure)}`, () => answers.length === 1)
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
  }
})

test('a sign-in or a certificate that is refused is reported by its setting and tried again', options, async (t) => {
  const { env } = await createTopics(t, broker.address)
  const { secureAddress, certificateAddress, certificates } = broker
  const { client, stranger } = certificates
  for (const [address, wrong, problem] of [
    [secureAddress, { ...signInEnv('PLAIN'), ...tlsEnv(), ENGINE_KAFKA_SASL_PASSWORD: 'wrong' }, /ENGINE_KAFKA_SASL_PASSWORD/],
    [secureAddress, { ...signInEnv('SCRAM-SHA-512'), ...tlsEnv(), ENGINE_KAFKA_SASL_PASSWORD: 'wrong' }, /ENGINE_KAFKA_SASL_PASSWORD/],
    [secureAddress, { ...signInEnv('PLAIN'), ENGINE_KAFKA_TLS: 'on' }, /ENGINE_KAFKA_TLS_CA_FILE/],
    [certificateAddress, { ...certificateEnv(client), ENGINE_KAFKA_TLS_CA_FILE: stranger.certFile }, /ENGINE_KAFKA_TLS_CA_FILE/],
    [certificateAddress, tlsEnv(), /ENGINE_KAFKA_TLS_CERT_FILE/],
    [certificateAddress, { ...certificateEnv(stranger), ...tlsEnv() }, /ENGINE_KAFKA_TLS_CERT_FILE/],
  ] as const) {
    const { url, child, exited, log } = await startEngineProcess(t, { ...env, ENGINE_KAFKA_BROKERS: address, ...wrong })
    await until(`it reports ${problem} with ${JSON.stringify(wrong)}`, async () => problem.test((await readiness(url)).text))
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    assert.doesNotMatch(log.join('\n'), /hush|wrong/)
  }
})

test('while no prediction is taken on, messages stay at the broker', options, async (t) => {
  const { topics, env, sendReadings } = await createTopics(t, broker.address, 1)
  const answers = await collectTopic(t, broker.address, topics.output)
  const invocation = readInvocation([], env)
  assert.ok(invocation.kind === 'run')
  let refusal: Problem | undefined = new Problem('models_not_loaded', 'No model is loaded yet.')
  const input = await startInput(invocation.input, {
    predict: (decoded) => score(decoded, 0, () => 0),
    refusalNow: () => refusal,
    log: createLogger('silent'),
    nowMs: () => Date.now(),
    registry: new Registry(),
  })
  t.after(() => input?.stop())
  await until('connected', () => input?.trouble() === undefined)
  const readings = fleetReadings(VEHICLES, 200)
  for (let from = 0; from < readings.length; from += total) await sendReadings(readings.slice(from, from + total))
  // Longer than it takes to answer them all.
  await sleep(REFUSED_FOR_MS)
  assert.equal(answers.length, 0)
  refusal = undefined
  await until('an answer to every message', () => hasAll(answers, readings.length))
})

test('a broker that is restarted, even killed, costs no message; meanwhile the engine reports what is wrong', options, async (t) => {
  const { topics, env, sendReadings } = await createTopics(t, broker.address)
  const readings = fleetReadings(VEHICLES, READINGS_EACH)
  const answers = await collectTopic(t, broker.address, topics.output)
  const { url, log } = await startEngineProcess(t, env)
  await sendReadings(readings.slice(0, total / 2))
  await until('half the answers', () => hasAll(answers, total / 2))
  await broker.stop('SIGKILL')
  await until('not ready', async () => (await readiness(url)).status === 503)
  assert.match((await readiness(url)).text, /ENGINE_KAFKA_BROKERS/)
  const predicted = await fetch(`${url}/v1/predict`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"vehicleId":"V-REST"}',
  })
  assert.equal(predicted.status, 200, 'REST is not affected')
  await broker.start()
  const backAtMs = performance.now()
  await sendReadings(readings.slice(total / 2))
  const collected = await collectTopic(t, broker.address, topics.output)
  await until('all the answers', () => hasAll(collected, total))
  await until('ready again', async () => (await readiness(url)).status === 200)
  t.diagnostic(`ready and through ${Math.round(performance.now() - backAtMs)} ms after the broker was back`)
  assert.ok(log.some((line) => line.includes('ENGINE_KAFKA_BROKERS')))
})

test('an engine started before its broker or its topics reports it, tries again, and then works', options, async (t) => {
  const { env } = await createTopics(t, broker.address)
  const absent = await startEngineProcess(t, { ...env, ENGINE_KAFKA_BROKERS: '127.0.0.1:1' })
  await until('the reason is reported', async () => (await readiness(absent.url)).text.includes('ECONNREFUSED'))
  const unknown = await startEngineProcess(t, { ...env, ENGINE_KAFKA_TOPIC: 'nobody-made-this' })
  await until('the topic is named', async () => (await readiness(unknown.url)).text.includes('no topic \\"nobody-made-this\\"'))
  assert.equal((await fetch(`${unknown.url}/livez`)).status, 200)
})
