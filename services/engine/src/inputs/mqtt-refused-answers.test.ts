// Goal: no message makes an answer that the broker closes the connection for, which would hold up every answer behind it for ever. Method: Mosquitto on
// loopback, the input in this process.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hasMosquitto, startMosquitto, startMosquittoWith } from '@roadworthy/service-kit/network/test-mosquitto'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { connectAsync } from 'mqtt'
import { Registry } from 'prom-client'
import { score } from '../score.ts'
import { readInvocation } from '../settings.ts'
import { startMqttInput } from './mqtt-input.ts'
import { until } from './testing-process.ts'

const options = { skip: hasMosquitto ? false : 'Mosquitto is not installed', timeout: 600_000 }

async function startInput(t: TestContext, url: string) {
  const invocation = readInvocation([], { ENGINE_INPUT: 'mqtt', ENGINE_MQTT_URL: url }, 'host-1')
  assert.ok(invocation.kind === 'run' && invocation.input.kind === 'mqtt')
  const registry = new Registry()
  const input = startMqttInput(invocation.input, {
    predict: (decoded) => score(decoded, 0, () => 0),
    refusalNow: () => undefined,
    registry,
    nowMs: Date.now,
    log: createLogger('silent'),
  })
  t.after(() => input.stop())
  await until('connected', () => input.trouble() === undefined)
  const client = await connectAsync(url)
  t.after(() => client.endAsync(true))
  const received: { topic: string; text: string }[] = []
  client.on('message', (topic, payload) => received.push({ topic, text: payload.toString() }))
  await client.subscribeAsync(['predictions/#', 'dead-letters/#'], { qos: 1 })
  return { received, registry, publish: (text: string, topic = 'telemetry/x') => client.publishAsync(topic, text, { qos: 1 }) }
}

test('a vehicle is answered whatever characters its id has, and so are those after it', options, async (t) => {
  const broker = await startMosquitto(t)
  const { received, publish } = await startInput(t, broker.url)
  const ids = ['a\u0001', 'b\u0085', 'c\u{fdd0}', 'd\u{ffff}', 'e\u{1fffe}', 'f\ud800', 'g/é 车', 'last']
  for (const vehicleId of ids) await publish(JSON.stringify({ vehicleId }))
  await until('all answers', () => received.length === ids.length)
  assert.deepEqual(
    received.map(({ topic }) => topic.replace('predictions/', '')),
    ['a%01', 'b%C2%85', 'c%EF%B7%90', 'd%EF%BF%BF', 'e%F0%9F%BF%BE', 'f\ufffd', 'g%2Fé 车', 'last'],
  )
})

test('a dead letter that is too large for the broker goes out without its content, and those after it are answered', options, async (t) => {
  const broker = await startMosquittoWith(t, () => ['allow_anonymous true', 'max_packet_size 20000'])
  const { received, publish } = await startInput(t, broker.url)
  const small = 'no JSON'
  for (const text of [small, 'x'.repeat(18_000), '{"vehicleId":"last"}']) await publish(text)
  await until('two dead letters and an answer', () => received.length === 3)
  const [whole, cut] = received.map(({ text }) => JSON.parse(text) as Record<string, string>)
  assert.equal(Buffer.from(whole?.['payload_base64'] ?? '', 'base64').toString(), small)
  const { at, reason, ...others } = cut ?? {}
  assert.ok(at !== undefined && reason !== undefined)
  assert.deepEqual(others, { topic: 'telemetry/x', code: 'invalid_json', content: 'too_large' })
  assert.equal(received[2]?.topic, 'predictions/last')
})

/** Each makes an alert, an advice and an insight. */
const codes = Array.from({ length: 60 }, (_, index) => `P0${100 + index}`)

test('an answer that is too large for the broker is set aside with its message, and those after it are answered', options, async (t) => {
  const broker = await startMosquittoWith(t, () => ['allow_anonymous true', 'max_packet_size 10000'])
  const { received, publish, registry } = await startInput(t, broker.url)
  const message = JSON.stringify({ vehicleId: 'large', dtc_codes: codes })
  for (const text of [message, '{"vehicleId":"last"}']) await publish(text)
  await until('a dead letter and an answer', () => received.length === 2)
  const { at, reason, payload_base64: content, ...others } = JSON.parse(received[0]?.text ?? '') as Record<string, string>
  assert.ok(at !== undefined && content !== undefined)
  assert.match(reason ?? '', /^The broker closed the connection over the answer of 1\d{4} bytes, /)
  assert.equal(Buffer.from(content, 'base64').toString(), message)
  assert.deepEqual(others, { topic: 'telemetry/x', code: 'answer_refused' })
  assert.equal(received[1]?.topic, 'predictions/last')
  assert.match(await registry.metrics(), /^engine_input_dead_letters_total\{input="mqtt",reason="answer_refused"\} 1$/m)
})

test('a dead letter without content is small, however long the topic and what is named in the reason', options, async (t) => {
  const broker = await startMosquittoWith(t, () => ['allow_anonymous true', 'max_packet_size 10000'])
  const { received, publish } = await startInput(t, broker.url)
  const longTopic = `telemetry/${'x'.repeat(9_900)}`
  await publish('no JSON', longTopic)
  await publish(JSON.stringify({ specversion: 'x'.repeat(9_900) }))
  await publish('{"vehicleId":"last"}')
  await until('two dead letters and an answer', () => received.length === 3)
  const letters = received.slice(0, 2).map(({ text }) => JSON.parse(text) as Record<string, string>)
  assert.deepEqual(
    letters.map(({ code, content }) => [code, content]),
    [
      ['invalid_json', 'too_large'],
      ['invalid_cloudevent', 'too_large'],
    ],
  )
  assert.equal(letters[0]?.['topic'], `${longTopic.slice(0, 256)}…`)
  assert.equal(received[2]?.topic, 'predictions/last')
})
