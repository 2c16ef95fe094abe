// Goal: the AsyncAPI document is valid, and describes what the receivers take and send. Method: AsyncAPI's own JSON Schema of version 3.0; every
// example against its schema, and read by the code that reads messages; topics and limits against what the receivers work with.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import asyncApiSchema from '@asyncapi/specs/schemas/3.0.0.json' with { type: 'json' }
import { DeadLetterHeaders } from '@roadworthy/contracts/stream/stream-message'
import { toDeadLetter } from '@roadworthy/kafka/dead-letter'
import { decodeRecord } from '@roadworthy/platform/ingest/receivers/kafka/decode-record'
import { decodeMessage } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/decode'
import { defaultMqttLimits } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/limits'
import { brokenByPublish, brokenBySubscription } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/rules'
import { topicsOf } from '@roadworthy/platform/ingest/receivers/mqtt-embedded/topics'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { documentFile, type JsonSchema } from './support/open-api.ts'

type Ref = { readonly $ref: string }
type Message = {
  readonly contentType?: string
  readonly headers?: JsonSchema
  readonly payload: JsonSchema
  readonly examples: readonly { readonly headers?: Record<string, string>; readonly payload: unknown }[]
}
type Operation = {
  readonly action: 'send' | 'receive'
  readonly channel: Ref
  readonly messages: readonly Ref[]
  readonly bindings?: { readonly mqtt?: { readonly qos: 0 | 1 | 2; readonly retain: boolean } }
}
type AsyncApi = {
  readonly asyncapi: string
  readonly channels: Readonly<Record<string, { readonly address: string; readonly messages?: Readonly<Record<string, Ref>> }>>
  readonly operations: Readonly<Record<string, Operation>>
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const document = JSON.parse(readFileSync(documentFile('asyncapi.json'), 'utf8')) as AsyncApi
const { messages, schemas } = document.components
const sender = { resellerId: 'acme', deviceId: 'dev-4k2p9x7m1c8v5b3n6q0z' }
const nowMs = Date.parse('2026-01-31T08:16:00.000Z')

const withFormats = (ajv: Ajv): Ajv => {
  // ajv-formats is CommonJS; under Node's module resolution its default export is the module object.
  ;(addFormats as unknown as { default: (ajv: Ajv) => void }).default(ajv)
  return ajv
}
/** With the named schemas in reach. */
const checkerOf = (schema: JsonSchema): ValidateFunction =>
  withFormats(new Ajv({ strict: false })).compile({ ...schema, components: document.components })

test('the document is AsyncAPI 3.0, by its own schema', () => {
  // It brings JSON Schema's own along.
  const check = withFormats(new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false })).compile(asyncApiSchema)
  assert.ok(check(document), JSON.stringify(check.errors?.slice(0, 5), null, 1))
  assert.equal(check({ ...document, operations: { broken: { action: 'shout' } } }), false)
})

test('every reference leads somewhere, and every message is of a channel and of an operation', () => {
  const used = new Set<string>()
  const follow = (node: unknown) => {
    if (node === null || typeof node !== 'object') return
    const { $ref } = node as { $ref?: string }
    if ($ref !== undefined) {
      used.add($ref)
      assert.notEqual(found($ref), undefined, $ref)
    }
    for (const child of Object.values(node)) follow(child)
  }
  follow(document)
  for (const name of Object.keys(messages)) {
    assert.ok(used.has(`#/components/messages/${name}`), name)
    assert.ok(
      [...used].some((ref) => ref.startsWith('#/channels/') && ref.endsWith(`/messages/${name}`)),
      name,
    )
  }
})

test('every example is valid by its schema', () => {
  for (const [name, { headers, payload, examples }] of Object.entries(messages)) {
    const check = checkerOf(payload)
    const checkHeaders = headers === undefined ? undefined : checkerOf(headers)
    assert.ok(examples.length > 0, name)
    for (const example of examples) {
      assert.ok(check(example.payload), `${name}: ${JSON.stringify(check.errors)}`)
      assert.ok(checkHeaders === undefined || checkHeaders(example.headers), `${name}: ${JSON.stringify(checkHeaders?.errors)}`)
    }
  }
})

test('the topics are those of devices: what a device may send and read, with which QoS', () => {
  const topics = topicsOf('fleet', sender)
  const session = { identity: {}, topics } as unknown as Parameters<typeof brokenByPublish>[0]
  const { channels, operations } = document
  const addressOf = (channel: string) =>
    (channels[channel]?.address ?? '')
      .replace('{prefix}', 'fleet')
      .replace('{resellerSlug}', sender.resellerId)
      .replace('{deviceId}', sender.deviceId)
  assert.deepEqual(
    [addressOf('deviceTelemetry'), addressOf('deviceErrors'), addressOf('deviceCommands')],
    [topics.telemetry, topics.errors, topics.commands],
  )
  const taken = operations['receiveDeviceTelemetry']?.bindings?.mqtt
  const sent = operations['sendDeviceErrors']?.bindings?.mqtt
  assert.ok(taken !== undefined && sent !== undefined)
  assert.equal(brokenByPublish(session, { topic: addressOf('deviceTelemetry'), ...taken }), undefined)
  assert.equal(brokenByPublish(session, { topic: addressOf('deviceErrors'), ...taken }), 'publish to a foreign topic')
  assert.equal(brokenBySubscription(session, { topic: addressOf('deviceErrors'), qos: sent.qos }), undefined)
  assert.equal(brokenBySubscription(session, { topic: addressOf('deviceCommands'), qos: 1 }), undefined)
})

test('the examples of MQTT and of Kafka are read as records, bare and in both forms of CloudEvents', () => {
  for (const { payload } of messages['DeviceTelemetry']?.examples ?? []) {
    const { inbound, frame } = decodeMessage(Buffer.from(JSON.stringify(payload)), sender, defaultMqttLimits, new Date(nowMs))
    assert.deepEqual([inbound.length, frame.refusals], [[payload].flat().length, []])
  }
  for (const name of ['StreamTelemetry', 'StreamEvent', 'StreamBinaryEvent']) {
    const { contentType = '', examples } = messages[name] ?? assert.fail(name)
    for (const example of examples) {
      const decoded = decode({ 'content-type': contentType, ...example.headers }, example.payload)
      assert.ok('texts' in decoded, `${name}: ${JSON.stringify(decoded)}`)
      assert.match(decoded.texts[0] ?? '', /"device_id":"dev-4k2p9x7m1c8v5b3n6q0z".*61\.5/, name)
      assert.match(decoded.texts[0] ?? '', /2026-01-31T08:15:00\.000Z/, `${name}: the time of the record, else that of the event`)
    }
  }
})

test('the limits that are described are those that hold', () => {
  const { maxItems } = schemas['MqttRecords'] as { maxItems: number }
  assert.deepEqual([maxItems, schemas['StreamRecordList']?.['maxItems']], [defaultMqttLimits.maxRecordsPerMessage, 100])
  const summaries = JSON.stringify(messages)
  assert.equal(summaries.match(/in at most 64 KiB/g)?.length, 4)
  const ofBytes = (bytes: number) => decode({}, `{"speed":1}${' '.repeat(bytes - '{"speed":1}'.length)}`)
  assert.deepEqual(Object.keys(ofBytes(64 * 1024)), ['texts', 'receivedAtMs'], JSON.stringify(ofBytes(64 * 1024)))
  assert.partialDeepStrictEqual(ofBytes(64 * 1024 + 1), { poison: { code: 'payload_too_large' } })
})

test('a dead letter has the headers that are described, beside its own', () => {
  const message = {
    topic: 'telemetry',
    partition: 3,
    offset: 7n,
    timestamp: BigInt(nowMs),
    key: Buffer.from('dev-1'),
    value: Buffer.from('{'),
  }
  const headers = new Map([[Buffer.from('traceparent'), Buffer.from('00-1')]])
  const letter = toDeadLetter(
    { ...message, headers } as never,
    { code: 'invalid_json', reason: 'It is cut.' },
    { topic: 'telemetry.dlq', nowMs },
  )
  const sent = Object.fromEntries([...(letter.headers ?? [])].map(([name, value]) => [name.toString(), value.toString()]))
  const check = checkerOf(schemas['DeadLetterHeaders'] ?? {})
  assert.ok(check(sent), JSON.stringify(check.errors))
  const described = Object.keys(DeadLetterHeaders.properties).filter((name) => name !== 'dead-letter-content')
  assert.deepEqual(Object.keys(sent).sort(), [...described, 'traceparent'].sort())
})

/** Of a message whose value is the text, or the JSON of anything else. */
function decode(headers: Record<string, string>, payload: unknown) {
  const value = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  const pairs = Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)] as const)
  return decodeRecord(
    {
      key: Buffer.from(sender.deviceId),
      value,
      headers: new Map(pairs),
      timestamp: BigInt(nowMs),
    } as never,
    { nowMs, maxAheadMs: 300_000 },
  )
}

function found(ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)
}
