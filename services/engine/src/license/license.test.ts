import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import { issueLicense, judgeLicense, type License, readPublicKey } from './license.ts'
import { createLicenseGate, isLicensed } from './license-gate.ts'

const DAY_MS = 86_400_000
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const license: License = {
  id: 'lic-1',
  licensee: 'North Fleet',
  issued_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2027-01-01T00:00:00.000Z',
  grace_days: 14,
}
const token = issueLicense(license, privatePem)
const EXPIRES_MS = Date.parse(license.expires_at)
const during = Date.parse('2026-06-01T00:00:00.000Z')

test('a licence is good until it expires, goes on through its grace, and then ends', () => {
  const states = [
    [Date.parse(license.issued_at) - 2 * DAY_MS, 'not_yet_valid', /Is the clock of this machine right\?/],
    [Date.parse(license.issued_at) - DAY_MS / 2, 'valid', /runs until 2027/],
    [during, 'valid', /North Fleet runs until 2027-01-01/],
    [EXPIRES_MS - 1, 'valid', /runs until/],
    [EXPIRES_MS, 'grace', /expired on 2027-01-01.*goes on until 2027-01-15/],
    [EXPIRES_MS + 14 * DAY_MS - 1, 'grace', /ask its issuer/],
    [EXPIRES_MS + 14 * DAY_MS, 'expired', /expired on 2027-01-01.*14 days of grace ended on 2027-01-15.*Ask its issuer/],
  ] as const
  for (const [atMs, state, message] of states) {
    const judgement = judgeLicense(token, publicKey, atMs)
    assert.equal(judgement.state, state)
    assert.match(judgement.message, message)
    assert.equal(isLicensed(judgement), state === 'valid' || state === 'grace')
  }
})

test('a missing licence, and one whose key is not set, are reported with what to do', () => {
  assert.match(judgeLicense(undefined, publicKey, during).message, /No licence is set.*ENGINE_LICENSE_KEY/)
  assert.equal(judgeLicense(undefined, undefined, during).state, 'missing')
  const unverified = judgeLicense(token, undefined, during)
  assert.equal(unverified.state, 'no_key')
  assert.match(unverified.message, /ENGINE_LICENSE_PUBLIC_KEY/)
})

test('a licence that anybody changed, or that another key signed, is forged', () => {
  const [prefix, , signature] = token.split('.')
  const longer = canonicalJson({ ...license, expires_at: '2099-01-01T00:00:00.000Z' })
  const other = generateKeyPairSync('ed25519')
  const forged = [
    `${prefix}.${Buffer.from(longer).toString('base64url')}.${signature}`,
    // The same facts in other bytes: it is the bytes that are signed.
    `${prefix}.${Buffer.from(JSON.stringify(license)).toString('base64url')}.${signature}`,
    issueLicense(license, other.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    `${token.slice(0, -4)}AAAA`,
    token.slice(0, -10),
    `${token.split('.').slice(0, 2).join('.')}.`,
  ]
  for (const each of forged) {
    assert.equal(judgeLicense(each, publicKey, during).state, 'forged', each)
    assert.equal(isLicensed(judgeLicense(each, publicKey, during)), false)
  }
})

test('what is no licence is reported as such', () => {
  const encoded = (value: unknown) => `rwl1.${Buffer.from(JSON.stringify(value)).toString('base64url')}.AAAA`
  const broken = [
    '',
    'x',
    'rwl1',
    'rwl1..',
    'rwl2.a.b',
    `${token}.more`,
    encoded({}),
    encoded(null),
    encoded({ ...license, grace_days: 1e6 }),
    encoded({ ...license, unlimited: true }),
    `rwl1.${'A'.repeat(10_000)}.A`,
  ]
  for (const each of broken) assert.equal(judgeLicense(each, publicKey, during).state, 'malformed', each.slice(0, 60))
  assert.equal(judgeLicense(`  ${token}\n`, publicKey, during).state, 'valid', 'but spaces around it do no harm')
})

test('keys come as PEM or as one line, and only Ed25519 will do', () => {
  const line = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  for (const text of [line, publicKey.export({ type: 'spki', format: 'pem' }).toString()]) {
    assert.ok(readPublicKey(` ${text}\n`).equals(publicKey))
  }
  assert.throws(() => readPublicKey(privatePem), /it is a private key; name the file with \.pub/)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
  assert.throws(() => readPublicKey(rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()), /Ed25519/)
  assert.throws(() => issueLicense(license, rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()), /Ed25519/)
  assert.throws(() => issueLicense({ ...license, grace_days: -1 }, privatePem))
})

test('an engine that runs past the end of its licence notices within a minute', () => {
  let nowMs = EXPIRES_MS + 14 * DAY_MS - 1000
  const gate = createLicenseGate(token, publicKey, () => nowMs)
  assert.equal(gate.judge()?.state, 'grace')
  nowMs += 61_000
  assert.equal(gate.judge()?.state, 'expired')
})
