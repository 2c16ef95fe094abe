import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saslMechanisms } from '@roadworthy/contracts/stream/sasl-mechanisms'
import { formOf, mechanisms, requestOf } from './stream-form.ts'

const stored = {
  ...{ enabled: true, brokers: ['a.example.com:9093', 'b.example.com:9093'], topic: 'telemetry', deadLetterTopic: 'telemetry.dlq' },
  ...{ groupId: 'g', startAt: 'latest' as const, createdAt: '', updatedAt: '' },
  tls: { ca: 'PEM', certificate: null, hasKey: true },
  sasl: { mechanism: 'PLAIN' as const, username: 'rw', hasPassword: true },
  status: { state: 'running' as const, detail: null, lagMessages: 0, consumers: [] },
}

test('what is stored is sent as it is, without the secrets, which then stay', () => {
  assert.deepEqual(requestOf(formOf(stored), false), {
    ...{ enabled: false, brokers: stored.brokers, topic: 'telemetry', groupId: 'g', startAt: 'latest' },
    tls: { ca: 'PEM', certificate: null },
    sasl: { mechanism: 'PLAIN', username: 'rw' },
  })
})

test('a new connection needs brokers, a topic and, with a sign-in, a user', () => {
  const form = formOf(null)
  assert.equal(requestOf(form, true), undefined)
  const given = { ...form, brokers: ' a.example.com:9092, b.example.com:9092\n', topic: 't' }
  assert.equal(requestOf(given, true), undefined)
  assert.deepEqual(requestOf({ ...given, username: 'rw', password: ' p ', key: 'K' }, true), {
    ...{ enabled: true, brokers: ['a.example.com:9092', 'b.example.com:9092'], topic: 't', startAt: 'earliest' },
    tls: { ca: null, certificate: null, key: 'K' },
    sasl: { mechanism: 'SCRAM-SHA-512', username: 'rw', password: ' p ' },
  })
  assert.deepEqual(requestOf({ ...given, isTls: false, mechanism: 'none' }, true)?.sasl, null)
})

test('the mechanisms are those of the API', () => {
  assert.deepEqual([...mechanisms], [...saslMechanisms])
})
