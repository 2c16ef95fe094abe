import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { STREAM_SECRETS, streamSecretsContext } from '../streams/secrets.ts'
import { movedTables } from './moved-tables.ts'
import { lock, travelling, unlock } from './travelling-secrets.ts'

const [THERE, HERE] = ['secret key of the one, 32 characters', 'secret key of the other, 32 characters']
const table = movedTables.find(({ name }) => name === 'stream_connections') ?? assert.fail()
const row = { reseller_id: 'acme' }

test('a sealed secret leaves the key of one installation and comes under that of the other', () => {
  const sealed = createSealer(THERE, STREAM_SECRETS).seal('{"password":"x"}', streamSecretsContext('acme'))
  const open = unlock(table, THERE, row, { secrets_sealed: `\\x${sealed.toString('hex')}` })
  assert.deepEqual(open, { secrets_sealed: '{"password":"x"}' })
  const locked = lock(table, HERE, row, open)['secrets_sealed'] ?? ''
  const bytes = Buffer.from(locked.slice(2), 'hex')
  assert.equal(createSealer(HERE, STREAM_SECRETS).open(bytes, streamSecretsContext('acme')), '{"password":"x"}')
  assert.throws(() => createSealer(THERE, STREAM_SECRETS).open(bytes, streamSecretsContext('acme')))
  assert.throws(() => unlock(table, HERE, row, { secrets_sealed: `\\x${sealed.toString('hex')}` }), /cannot be opened with the secret key/)
})

test('secrets belong to their row, their table and their export', () => {
  const [one, another] = [travelling('a'.repeat(43)), travelling('b'.repeat(43))]
  const sealed = one.seal('devices', '{"device_id":"dev-a"}', { mqtt_password_hash: 'x' })
  assert.deepEqual(one.open('devices', '{"device_id":"dev-a"}', sealed), { mqtt_password_hash: 'x' })
  assert.throws(() => one.open('devices', '{"device_id":"dev-b"}', sealed), /do not belong to it/)
  assert.throws(() => one.open('api_keys', '{"device_id":"dev-a"}', sealed), /do not belong to it/)
  assert.throws(() => another.open('devices', '{"device_id":"dev-a"}', sealed), /do not belong to it/)
})
