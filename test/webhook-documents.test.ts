// Goal: the webhooks of the Platform API's document are what is sent. Method: each example and each sample of the service against its schema, the
// headers by which a receiver verifies, and the names that generators take. That the service publishes what they describe is checked in
// every test that has it publish something (support/check-events.ts).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event, eventTypes } from '@roadworthy/contracts/webhooks/events'
import { nameOfEvent } from '@roadworthy/contracts/webhooks/typed-events'
import { assertDocumented, neverPublished } from '@roadworthy/platform/events/test-documented-event'
import { createSchemaChecker, documentNames, type JsonSchema, readOpenApi } from './support/open-api.ts'

const document = readOpenApi('platform-v1')
const webhooks = document.webhooks ?? {}
const checkerOf = createSchemaChecker(document)
const schemaOf = (name: string): JsonSchema => document.components.schemas[name] ?? assert.fail(`there is no schema ${name}`)

test('there is one webhook for each type of event, and no other document has any', () => {
  assert.deepEqual(Object.keys(webhooks), eventTypes)
  for (const name of documentNames.filter((each) => each !== 'platform-v1')) assert.equal(readOpenApi(name).webhooks, undefined, name)
})

test('each has an id of its own, its headers, its answers, and an example that is valid by its schema', () => {
  const ids = new Set(Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)))
  for (const [type, { post }] of Object.entries(webhooks)) {
    assert.ok(post !== undefined && !ids.has(post.operationId), type)
    ids.add(post.operationId)
    assert.ok(post.summary.length > 5 && !post.summary.endsWith('.'), `${type}: ${post.summary}`)
    const headers = (post.parameters ?? []).map((parameter) => resolved('parameters', parameter))
    assert.deepEqual(
      headers.map(({ name, required }) => [name, required]),
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, true]),
      type,
    )
    assert.deepEqual(Object.keys(post.responses).sort(), ['2XX', '3XX', '410', 'default'], type)
    for (const response of Object.values(post.responses)) assert.match(String(resolved('responses', response)['description']), /elivered/)
    const { schema, example } = post.requestBody?.content['application/json'] ?? assert.fail(type)
    assert.deepEqual(schema, { $ref: `#/components/schemas/${nameOfEvent(type as (typeof eventTypes)[number])}Event` })
    const check = checkerOf(schema)
    assert.ok(check(example), `${type}: ${JSON.stringify(check.errors)}`)
    assert.equal(check({ ...(example as object), event: 'some.other' }), false, type)
  }
})

test('the type decides which body it is, and each has the fields of an entry of the log', () => {
  const any = schemaOf('WebhookEvent')
  const { discriminator, oneOf } = any as { discriminator: { propertyName: string; mapping: Record<string, string> }; oneOf: JsonSchema[] }
  assert.equal(discriminator.propertyName, 'event')
  assert.deepEqual(Object.keys(discriminator.mapping), eventTypes)
  assert.deepEqual(
    oneOf.map(({ $ref }) => $ref),
    Object.values(discriminator.mapping),
  )
  const check = checkerOf(any)
  for (const { post } of Object.values(webhooks)) {
    assert.ok(check(post?.requestBody?.content['application/json']?.example), JSON.stringify(check.errors))
  }
  for (const type of eventTypes) {
    const { properties, required } = schemaOf(`${nameOfEvent(type)}Event`) as { properties: object; required: string[] }
    assert.deepEqual(Object.keys(properties).sort(), Object.keys(Event.properties).sort(), type)
    assert.deepEqual([...required].sort(), [...(Event as unknown as { required: string[] }).required].sort(), type)
    assert.deepEqual(unnamedIn(schemaOf(`${nameOfEvent(type)}Data`)), [], `${type}: a generator would have to make up names`)
  }
})

test('a published event is held to what is documented: its type, its fields, their values, and no others', () => {
  const data = { deviceId: 'dev-1', vehicleId: null, decommissionedAt: '2026-01-31T08:15:00.000Z' }
  assertDocumented('device.decommissioned', data)
  assert.throws(() => assertDocumented('device.lost', data), /type is not documented: device\.lost/)
  assert.throws(() => assertDocumented('device.decommissioned', { ...data, vehicleId: 7 }), /other data than are documented/)
  assert.throws(() => assertDocumented('device.decommissioned', { ...data, decommissionedAt: 'soon' }), /other data than are documented/)
  assert.throws(() => assertDocumented('device.decommissioned', { deviceId: 'dev-1', vehicleId: null }), /decommissionedAt/)
  assert.throws(() => assertDocumented('device.decommissioned', { ...data, imei: null }), /fields that are not documented/)
  assert.deepEqual(neverPublished(eventTypes.slice(2).join('\n')), eventTypes.slice(0, 2))
})

function resolved(kind: 'parameters' | 'responses', reference: object): Record<string, unknown> {
  const [, name = ''] = /^#\/components\/\w+\/(\w+)$/.exec((reference as { $ref: string }).$ref) ?? []
  return (document.components[kind]?.[name] ?? assert.fail(`${kind} has no ${name}`)) as Record<string, unknown>
}

/** Paths of the objects inside a schema that have no name. */
function unnamedIn(schema: unknown, path = '', isTop = true): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const isObject = !isTop && [(schema as JsonSchema)['type']].flat().includes('object')
  return [...(isObject ? [path] : []), ...Object.entries(schema).flatMap(([key, value]) => unnamedIn(value, `${path}/${key}`, false))]
}
