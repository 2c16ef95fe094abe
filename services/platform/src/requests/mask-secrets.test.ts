import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKeyText } from '../keys/key-text.ts'
import { maskPath, maskQuery, maskSecrets } from './mask-secrets.ts'

const key = newKeyText()

test('what has the name of a secret or looks like one is masked, however it is encoded', () => {
  assert.equal(maskQuery(`api_key=abc&limit=20`), 'api_key=***&limit=20')
  assert.equal(maskQuery(`access%5Ftoken=abc`), 'access%5Ftoken=***')
  assert.equal(maskQuery(`q=${key}`), 'q=***')
  assert.equal(maskQuery(`q=${key.replaceAll('_', '%5F')}`), 'q=***')
  assert.equal(maskQuery(key), '***')
  assert.equal(maskPath(`/api/v1/vehicles/${key}/health`), '/api/v1/vehicles/***/health')
  assert.equal(maskPath('/api/external/ingest/torqe/rwt-k3v9qzt7m2x8hd4wpr6bnyc5ga'), '/api/external/ingest/torqe/***')
  assert.equal(maskPath(`/api/v1/${encodeURIComponent(encodeURIComponent('%'))}`), '/api/v1/%2525')
  assert.equal(maskSecrets(`"X-API-Key" is ${key}, not whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDmqeGh0cGZ2A=`), '"X-API-Key" is ***, not ***')
  assert.equal(maskSecrets('Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'), 'Bearer ***')
  assert.equal(maskSecrets('9f2d1c6f7c1f2a5d0e9b8c7a6f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c'), '***')
})

test('what is asked for stays readable', () => {
  const query = 'keyId=key-5d0f8s2k9x7m1c4v6b3n&status=refused&from=2026-01-31T08:15:00.000Z&b5a1c9e2-6f0e-4f3c-9c1d-2f7a0d5c8e11'
  assert.equal(maskQuery(query), query)
  const path = '/api/external/telemetry/tel-1769846400000-dev-8c2k5x9m1v4b7n3s6d0f.veh-7h3d9s2k5f8j1l4a6g0q'
  assert.equal(maskPath(path), path)
  assert.equal(maskPath('/api/v1/100%'), '/api/v1/100%')
  assert.equal(maskQuery(undefined), undefined)
  assert.equal(maskQuery(''), undefined)
})

test('a token within other text is masked', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'
  assert.equal(maskSecrets(`v1.${token}, jwt_${token}`), 'v1.***, ***')
  assert.equal(maskPath(`/token/${token}/x`), '/token/***/x')
  assert.equal(maskSecrets(`is=+${'a1'.repeat(20)}==;`), 'is=***;')
})

test('a long text that is no secret is gone over once', () => {
  // Gone over once more from each of these, it would not come to an end.
  for (const part of ['eyJ', 'a+', 'eyJaaaaaaaa-', 'a1_', 'rwt-', '.eyJ']) {
    const text = part.repeat(200_000)
    assert.equal(maskSecrets(text), text, part)
  }
})

test('a long value is cut', () => {
  assert.equal(maskQuery(`q=${'a-'.repeat(80)}`), `q=${'a-'.repeat(50)}…`)
})
