import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import {
  type Credentials,
  credentialsPath,
  firstStartText,
  readCredentials,
  setAside,
  withLocalAddresses,
  writeAddresses,
  writeCredentials,
} from './credentials.ts'

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

test('a program beside the service reaches it on this machine, whatever addresses others are given', () => {
  const given = { ...credentials, base_url: 'https://fleet.example.com', mqtt_url: 'mqtt://mqtt.example.com:8883' }
  const addressesAt = (host: string, mqttPort: number | undefined) => {
    const { base_url, mqtt_url, ...rest } = withLocalAddresses(given, { host, httpPort: 8080, mqttPort })
    assert.equal(rest.api_key, credentials.api_key)
    return [base_url, mqtt_url]
  }
  assert.deepEqual(addressesAt('0.0.0.0', 1883), ['http://127.0.0.1:8080', 'mqtt://127.0.0.1:1883'])
  assert.deepEqual(addressesAt('::1', 1883), ['http://[::1]:8080', 'mqtt://[::1]:1883'])
  assert.deepEqual(addressesAt('10.0.0.5', undefined), ['http://10.0.0.5:8080', 'mqtt://mqtt.example.com:8883'], 'an external broker')
})

test('a process that has no secrets writes its addresses and leaves the secrets that another one has written', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'roadworthy-credentials-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const bare = { ...credentials, api_key: null, dashboard: { ...credentials.dashboard, email: 'owner@roadworthy.local', password: null } }
  const ofOther = { ...bare, reseller_slug: 'other' }
  writeCredentials(dataDir, bare)
  assert.deepEqual(readCredentials(dataDir), bare)
  writeCredentials(dataDir, credentials)
  writeCredentials(dataDir, { ...bare, base_url: 'http://localhost:8081' })
  assert.deepEqual(readCredentials(dataDir), { ...credentials, base_url: 'http://localhost:8081' })
  writeCredentials(dataDir, ofOther)
  assert.deepEqual(readCredentials(dataDir), ofOther, 'what opens another reseller does not open this one')
})

test('credentials of another database get a name of their own, unless others stand there by now', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'roadworthy-credentials-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const now = new Date('2026-03-01T00:00:00.123Z')
  writeCredentials(dataDir, credentials)
  assert.equal(setAside(dataDir, { ...credentials, api_key: 'rw_live_other' }, now), undefined)
  const aside = setAside(dataDir, credentials, now) ?? ''
  assert.deepEqual(readdirSync(dataDir), ['credentials-until-2026-03-01T00-00-00-123Z.json'])
  assert.deepEqual(JSON.parse(readFileSync(aside, 'utf8')), credentials)
  assert.equal(statSync(aside).mode & 0o777, 0o600)
})

test('addresses that cannot be written keep no service from starting, and leave nothing behind', (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'roadworthy-credentials-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const warned: string[] = []
  const log = { warn: (_about: unknown, line: string) => warned.push(line) } as unknown as Pick<Logger, 'warn'>
  // In place of a disk that is full.
  mkdirSync(credentialsPath(dataDir))
  writeAddresses(dataDir, credentials, log)
  assert.match(warned.join(), /credentials\.json cannot be written/)
  assert.deepEqual(readdirSync(dataDir), ['credentials.json'])
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
