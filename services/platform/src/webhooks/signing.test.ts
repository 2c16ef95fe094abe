// Goal: whoever verifies with the reference library accepts what we sign, and nothing else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { newSigningSecret, signatureHeaders, validSecrets } from './signing.ts'

const body = '{"id":"evt-1","event":"alert.created","data":{"message":"Kühlmittel bei 116 °C"}}'

test('the reference library verifies what is signed, for any secret', () => {
  for (let i = 0; i < 200; i++) {
    const secret = newSigningSecret()
    const headers = signatureHeaders({ id: `evt-${i}`, body }, [secret], new Date())
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  }
})

test('a changed body, id, time or secret is refused', () => {
  const secret = newSigningSecret()
  const webhook = new Webhook(secret)
  const headers = signatureHeaders({ id: 'evt-1', body }, [secret], new Date())
  webhook.verify(body, headers)
  const later = String(Number(headers['webhook-timestamp']) + 1)
  const altered: [string, Record<string, string>][] = [
    [body.replace('116', '61'), headers],
    [`${body} `, headers],
    [body, { ...headers, 'webhook-id': 'evt-2' }],
    [body, { ...headers, 'webhook-timestamp': later }],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v1a,') }],
  ]
  for (const [text, sent] of altered) assert.throws(() => webhook.verify(text, sent), WebhookVerificationError)
  assert.throws(() => new Webhook(newSigningSecret()).verify(body, headers), WebhookVerificationError)
  const stale = signatureHeaders({ id: 'evt-1', body }, [secret], new Date(Date.now() - 600_000))
  assert.throws(() => webhook.verify(body, stale), /too old/)
})

test('with several secrets each of them verifies', () => {
  const [next, last] = [newSigningSecret(), newSigningSecret()]
  const headers = signatureHeaders({ id: 'evt-1', body }, [next, last], new Date())
  for (const secret of [next, last]) new Webhook(secret).verify(body, headers)
  assert.throws(() => new Webhook(newSigningSecret()).verify(body, headers), WebhookVerificationError)
})

test('a secret counts until it expires', () => {
  const at = new Date('2026-11-20T12:00:00.000Z')
  const secrets = [
    { secret: 'new', expiresAt: null },
    { secret: 'old', expiresAt: '2026-11-20T12:00:00.001Z' },
    { secret: 'older', expiresAt: '2026-11-20T12:00:00.000Z' },
  ]
  assert.deepEqual(
    validSecrets(secrets, at).map(({ secret }) => secret),
    ['new', 'old'],
  )
})
