import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedEvent } from '../events/event.ts'
import { checkHeaders, type EndpointHealth, healthy, isNotifiedOf, judgeFailure, toEventTypes } from './endpoint.ts'

const START_MS = Date.parse('2026-11-20T12:00:00.000Z')
const hoursIn = (hours: number) => new Date(START_MS + hours * 3_600_000)

/** The health after failures at these hours, and what each led to. */
function failAt(hours: readonly number[], from: EndpointHealth = healthy): { health: EndpointHealth; consequences: string[] } {
  let health = from
  const consequences = hours.map((hour) => {
    const judged = judgeFailure(health, hoursIn(hour))
    health = judged.health
    return judged.consequence
  })
  return { health, consequences }
}

test('an endpoint is warned of once after a day and given up after five', () => {
  const { consequences, health } = failAt([0, 1, 2, 23.99, 24, 25, 48, 72, 96, 100, 110, 119.99, 120])
  assert.deepEqual(consequences, [...Array(4).fill('none'), 'warn', ...Array(7).fill('none'), 'disable'])
  assert.deepEqual(health.warnedAt, hoursIn(24))
  assert.deepEqual(health.failingSince, hoursIn(0))
})

test('five days with few failures are not enough to give it up, and neither are many failures in less', () => {
  assert.deepEqual(failAt([0, 30, 60, 121, 122, 123, 124, 125, 126, 127, 128]).consequences.at(-1), 'none')
  assert.deepEqual(failAt([0, 30, 60, 121, 122, 123, 124, 125, 126, 127, 128, 129]).consequences.at(-1), 'disable')
  assert.ok(!failAt(Array.from({ length: 1000 }, (_, i) => i / 9)).consequences.includes('disable'))
})

const event = (type: string, subClientId?: string, body = '{}') =>
  ({ resellerId: 'acme', position: 1, eventId: 'evt-1', type, subClientId, body }) as LoggedEvent

test('an endpoint is sent events of the types it asks for, of its sub-client', () => {
  const all = { endpointId: 'whe-1', eventTypes: undefined, subClientId: undefined }
  const some = { ...all, eventTypes: toEventTypes(['alert.created', 'alert.created']) }
  const pinned = { ...all, subClientId: 'north' }
  assert.deepEqual(some.eventTypes, ['alert.created'])
  assert.ok(isNotifiedOf(all, event('alert.created')) && isNotifiedOf(all, event('device.online', 'north')))
  assert.ok(isNotifiedOf(some, event('alert.created')) && !isNotifiedOf(some, event('device.online')))
  assert.ok(isNotifiedOf(pinned, event('alert.created', 'north')))
  assert.ok(!isNotifiedOf(pinned, event('alert.created', 'south')) && !isNotifiedOf(pinned, event('alert.created')))
})

test('a test goes to the endpoint it was asked for, whatever its filter, and to no other', () => {
  const asked = { endpointId: 'whe-1', eventTypes: toEventTypes(['alert.created']), subClientId: undefined }
  const tested = event('webhook.test', undefined, JSON.stringify({ data: { endpointId: 'whe-1', message: 'x' } }))
  assert.ok(isNotifiedOf(asked, tested))
  assert.ok(!isNotifiedOf({ ...asked, endpointId: 'whe-2', eventTypes: undefined }, tested))
})

test('headers that are ours, of the connection, or no line of text are refused', () => {
  checkHeaders({ 'X-Gateway-Key': 'k7f3', authorization: 'Bearer a b', apikey: '!' })
  for (const name of [
    ...[
      'Host',
      'Content-Type',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'webhook-id',
      'Webhook-Signature',
      'Proxy-Authorization',
    ],
    ...['X-Forwarded-For', 'Cookie', 'Expect', 'User-Agent', '', 'a b', 'a:b', 'ä', 'x\r\ny', `x${'y'.repeat(64)}`],
  ]) {
    assert.throws(() => checkHeaders({ [name]: 'v' }), { code: 'invalid_request' }, name)
  }
  for (const value of ['', ' a', 'a ', 'a\r\nx: y', 'a\u0000', 'ä', 'x'.repeat(1001)]) {
    assert.throws(() => checkHeaders({ 'x-key': value }), { code: 'invalid_request' }, value)
  }
  assert.throws(() => checkHeaders({ 'X-Key': '1', 'x-key': '2' }), /twice/)
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, 'v']))
  assert.throws(() => checkHeaders(many), /At most 10/)
})
