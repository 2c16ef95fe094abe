// Goal: what the service signed is taken, and nothing else. The service's own signatures are verified in test/clients.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { ConfigurationError } from './errors.ts'
import { WebhookVerificationError, webhooks } from './webhooks.ts'

// The example of https://www.standardwebhooks.com.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const payload =
  '{"id":"evt-1","event":"alert.created","timestamp":"2026-01-31T08:15:00.000Z","data":{"message":"116 °C"},"sub_client_id":null}'
const now = new Date('2026-01-31T08:15:00.000Z')
const signed = (options: Partial<Parameters<typeof webhooks.sign>[0]> = {}) =>
  webhooks.sign({ payload, id: 'evt-1', secret, now, ...options })
const refusedAs = (code: string) => (error: unknown) => error instanceof WebhookVerificationError && error.code === code

test('the known example has the known signature', async () => {
  const headers = await webhooks.sign({
    payload: '{"test": 2432232314}',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    secret,
    now: new Date(1_614_265_330_000),
  })
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a message is taken as text and as bytes, with headers of every kind, and its event is returned', async () => {
  const headers = await signed()
  const forms = [
    headers,
    new Headers(headers),
    // As a package that has its own `fetch` has them.
    { get: (name: string) => headers[name] ?? null },
    { 'Webhook-Id': 'evt-1', 'WEBHOOK-TIMESTAMP': [headers['webhook-timestamp']], 'Webhook-Signature': headers['webhook-signature'] },
  ]
  const bytes = new TextEncoder().encode(payload)
  // A test in a sandbox has another `Uint8Array`.
  const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes })
  for (const form of forms) {
    for (const body of [payload, bytes, bytes.buffer, Buffer.from(bytes), foreign, foreign.buffer]) {
      const event = await webhooks.verify({ payload: body, headers: form as Headers, secret, now })
      assert.equal(event.event, 'alert.created')
      // The type of the event decides what its data is.
      if (event.event === 'alert.created') assert.equal(event.data.message, '116 °C')
    }
  }
})

test('whatever is changed is refused', async () => {
  const headers = await signed()
  const signature = headers['webhook-signature'] ?? ''
  const changes: [string, Partial<Parameters<typeof webhooks.verify>[0]>][] = [
    ['body', { payload: payload.replace('116', '61') }],
    ['space', { payload: `${payload} ` }],
    ['id', { headers: { ...headers, 'webhook-id': 'evt-2' } }],
    ['time', { headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) } }],
    ['version', { headers: { ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') } }],
    ['no version', { headers: { ...headers, 'webhook-signature': signature.slice(3) } }],
    ['cut', { headers: { ...headers, 'webhook-signature': signature.slice(0, -4) } }],
    ['no base64', { headers: { ...headers, 'webhook-signature': 'v1,%%%%' } }],
    ['empty', { headers: { ...headers, 'webhook-signature': 'v1,' } }],
    ['secret', { secret: other }],
  ]
  for (const [name, change] of changes) {
    await assert.rejects(webhooks.verify({ payload, headers, secret, now, ...change }), refusedAs('invalid_signature'), name)
  }
  for (const name of Object.keys(headers)) {
    await assert.rejects(webhooks.verify({ payload, headers: { ...headers, [name]: undefined }, secret, now }), refusedAs('missing_header'))
    await assert.rejects(webhooks.verify({ payload, headers: { ...headers, [name]: '' }, secret, now }), refusedAs('missing_header'))
  }
})

test('a message is taken for 5 minutes either way, or as long as was asked for', async () => {
  const headers = await signed()
  const at = (seconds: number) => ({ payload, headers, secret, now: new Date(now.getTime() + seconds * 1000) })
  for (const seconds of [-300, 0, 300]) await webhooks.verify(at(seconds))
  await assert.rejects(webhooks.verify(at(301)), refusedAs('too_old'))
  await assert.rejects(webhooks.verify(at(-301)), refusedAs('too_new'))
  await webhooks.verify({ ...at(3600), toleranceS: 3600 })
  await assert.rejects(webhooks.verify({ ...at(1), toleranceS: 0 }), refusedAs('too_old'))
  for (const timestamp of ['soon', '-1', '1e9', '0x10', ' 1769847300', '1769847300.0', '9'.repeat(20)]) {
    const changed = { ...headers, 'webhook-timestamp': timestamp }
    await assert.rejects(webhooks.verify({ payload, headers: changed, secret, now }), refusedAs('invalid_timestamp'), timestamp)
  }
  // What is no number must not let everything in.
  await assert.rejects(webhooks.verify({ ...at(9999), toleranceS: Number.NaN }), ConfigurationError)
  await assert.rejects(webhooks.verify({ ...at(9999), now: new Date('soon') }), ConfigurationError)
  for (const none of [undefined, null, 'webhook-id: 1', Object.entries(headers)])
    await assert.rejects(webhooks.verify({ ...at(0), headers: none as never }), ConfigurationError)
})

test('while a secret is replaced either fits, on both sides', async () => {
  const both = await signed({ secret: [other, secret] })
  for (const one of [secret, other]) await webhooks.verify({ payload, headers: both, secret: one, now })
  const headers = await signed({ secret: other })
  await webhooks.verify({ payload, headers, secret: [secret, other], now })
  const many = { ...headers, 'webhook-signature': `${'v1,AAAA '.repeat(8)}${headers['webhook-signature']}` }
  await assert.rejects(webhooks.verify({ payload, headers: many, secret: other, now }), refusedAs('invalid_signature'))
})

test('a secret that is none lets nobody in', async () => {
  const headers = await signed()
  for (const none of ['', 'whsec_', 'whsec_%', [], ['whsec_'], undefined, [secret, '']]) {
    await assert.rejects(webhooks.verify({ payload, headers, secret: none as string, now }), ConfigurationError, String(none))
  }
})

test('a body that was parsed is refused with the reason, and one that is no event too', async () => {
  const headers = await signed()
  await assert.rejects(webhooks.verify({ payload: JSON.parse(payload), headers, secret, now }), /the body as it came/)
  for (const body of [
    '[]',
    '{"event":1}',
    'null',
    '{',
    Buffer.concat([Buffer.from('{"event":"'), Buffer.from([0xff]), Buffer.from('"}')]),
  ]) {
    const ofBody = await signed({ payload: body })
    await assert.rejects(webhooks.verify({ payload: body, headers: ofBody, secret, now }), refusedAs('invalid_payload'))
  }
})
