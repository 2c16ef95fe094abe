import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Credentials, credentialsPath, firstStartText, readCredentials, writeCredentials } from './credentials.ts'

const credentials: Credentials = {
  base_url: 'http://localhost:8080',
  engine_url: 'http://localhost:8090',
  mqtt_url: 'mqtt://localhost:1883',
  reseller_slug: 'acme',
  api_key: 'rw_live_secret',
  dashboard: { url: 'http://localhost:8080/', email: 'owner@acme.example', password: 'a secret too' },
}

test('the first start shows its secrets to a terminal, and to anything else where they are', () => {
  const hint = '  to go on from a backup instead, stop this: "npx roadworthy restore --help" describes how'
  assert.equal(
    firstStartText(credentials, '.data', true),
    `first start: reseller acme\n  API key    rw_live_secret\n  dashboard  owner@acme.example  password a secret too\n${hint}`,
  )
  assert.equal(
    firstStartText(credentials, '.data', false),
    `first start: reseller acme\n  the API key and the password of owner@acme.example are in .data/credentials.json\n${hint}`,
  )
})

test('the file with the secrets is for its owner alone, whatever it was before', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'roadworthy-credentials-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const path = credentialsPath(dataDir)
  for (let start = 0; start < 2; start++) {
    writeCredentials(dataDir, credentials)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(readCredentials(dataDir), credentials)
    chmodSync(path, 0o644)
  }
  assert.deepEqual(readdirSync(dataDir), ['credentials.json'])
})
