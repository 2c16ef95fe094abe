// Goal: an account at an operator is its reseller's own, its credentials are never shown, and go to no host that they were not given for.
// Method: the routes over a real database, entered through the gate.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorConnectionCreate } from '@roadworthy/contracts/sim-billing/operator-connections'
import { SimCreate } from '@roadworthy/contracts/sim-billing/sims'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { TEST_SECRET_KEY } from '../../test-support.ts'
import { isIccid } from '../iccid.ts'
import { cisco, openSimDesk } from '../test-sim-desk.ts'
import { checkFields, readCredentials, readSettings } from './connection-fields.ts'
import { OPERATOR_SECRETS, openCredentials } from './operator-secrets.ts'

const desk = await openSimDesk({ after })
const { call, database } = desk
const rival = await desk.as('rival')
const sealer = createSealer(TEST_SECRET_KEY, OPERATOR_SECRETS)
const path = '/operator-connections'

function examplesOf<T>(schema: object): readonly T[] {
  return (schema as { examples?: readonly T[] }).examples ?? assert.fail('no example')
}

async function storedCredentials(connectionId: string) {
  const { rows } = await database.systemPool.query<{ sealed: Buffer }>(
    'select secrets_sealed as sealed from operator_connections where connection_id = $1',
    [connectionId],
  )
  const sealed = rows[0]?.sealed
  assert.ok(sealed !== undefined && !sealed.includes('k7f3'))
  return openCredentials(sealer, { resellerId: 'acme', connectionId, secretsSealed: sealed })
}

test('a connection is stored with its defaults, its credentials sealed and shown by name only', async () => {
  const { status, body, text } = await call('POST', path, cisco)
  assert.equal(status, 200, text)
  const { connection } = body
  assert.deepEqual(connection.credential_names, ['api_key', 'username'])
  const defaults = { cycle_day: 1, cycle_settle_minutes: 120, termination_status: 'RETIRED' }
  assert.deepEqual(connection.settings, { ...cisco.settings, ...defaults })
  const { custody_min_days: least, custody_max_days: most, custody_on_expiry: expiry, termination_grace_days: grace } = connection
  assert.deepEqual([least, most, expiry, grace, connection.sync_every_minutes, connection.enabled], [30, 90, 'suspend', 5, 60, true])
  assert.ok(!text.includes('k7f3-secret'))
  assert.deepEqual(await storedCredentials(connection.connection_id), { username: 'fleet', apiKey: 'k7f3-secret' })
  const shown = await call('GET', `${path}/${connection.connection_id}`)
  assert.deepEqual(shown.body.connection, connection)
  const { rows } = await database.systemPool.query<{ text: string }>('select json_agg(a)::text as text from audit_log a')
  assert.ok(rows[0]?.text.includes('operator_connection.created') && !rows[0].text.includes('k7f3-secret'))
})

test('a connection is its reseller’s: to others, and to keys of one sub-client, there is none', async () => {
  const id = await desk.newConnection()
  assert.equal((await call('POST', '/api/external/sub-clients', { name: 'North', sub_client_id: 'north' })).status, 200)
  const pinned = await desk.as('acme', 'north')
  for (const other of [rival, pinned]) {
    assert.equal((await other('GET', path)).body.total, 0)
    const unknown = await other('GET', `${path}/opc-00000000000000000000`)
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'Taken over' }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
    ] as const) {
      const answer = await other(method, `${path}/${id}${suffix}`, body)
      assert.deepEqual([answer.status, answer.body.error.message], [404, unknown.body.error.message], `${method} ${suffix}`)
    }
  }
  assert.equal((await pinned('POST', path, cisco)).body.error.code, 'missing_scope')
  assert.equal((await call('GET', `${path}/${id}`)).body.connection.name, 'Cisco')
})

test('credentials stay with a change, and are asked for again where they would go to another host', async () => {
  const id = await desk.newConnection()
  const renamed = await call('PUT', `${path}/${id}`, { name: 'Other', base_url: 'https://rest.example.com/rws/api/v2/' })
  assert.deepEqual([renamed.body.connection.name, renamed.body.connection.base_url], ['Other', 'https://rest.example.com/rws/api/v2'])
  assert.deepEqual(await storedCredentials(id), { username: 'fleet', apiKey: 'k7f3-secret' })
  for (const base_url of ['https://evil.example.com/rws', 'https://rest.example.com:8443/rws/api/v1']) {
    const answer = await call('PUT', `${path}/${id}`, { base_url })
    assert.deepEqual([answer.status, answer.body.error.details?.['field']], [400, 'credentials'], base_url)
    const given = await call('PUT', `${path}/${id}`, { base_url, credentials: { username: 'fleet', api_key: 'another' } })
    assert.equal(given.status, 200, given.text)
  }
  assert.deepEqual(await storedCredentials(id), { username: 'fleet', apiKey: 'another' })
})

test('what an operator does not have, needs, or may not be at is refused by name', async () => {
  const cases: [object, string][] = [
    [{ credentials: { username: 'fleet' } }, 'credentials.api_key'],
    [{ credentials: { username: 'fleet', api_key: 'x', token: 'y' } }, 'credentials.token'],
    [{ credentials: { username: 'fleet', api_key: 'a b' } }, 'credentials.api_key'],
    [{ settings: {} }, 'settings.time_zone'],
    [{ settings: { time_zone: 'UTC', basket_id: 3 } }, 'settings.basket_id'],
    [{ settings: { time_zone: 'Nowhere/ElseWhere' } }, 'settings.time_zone'],
    [{ settings: { time_zone: 'UTC', cycle_day: 31 } }, 'settings.cycle_day'],
    [{ base_url: 'http://rest.example.com/' }, 'base_url'],
    [{ base_url: 'https://inside.example.com/' }, 'base_url'],
    [{ base_url: 'https://127.0.0.1/' }, 'base_url'],
    [{ base_url: 'https://user:pass@rest.example.com/' }, 'base_url'],
    [{ base_url: 'https://rest.example.com/?a=1' }, 'base_url'],
    [{ base_url: 'ftp://rest.example.com/' }, 'base_url'],
    [{ custody_min_days: 91 }, 'custody_min_days'],
  ]
  for (const [given, field] of cases) {
    const { status, body, text } = await call('POST', path, { ...cisco, ...given })
    assert.equal(status, 400, text)
    assert.equal(body.error.details?.['field'], field, text)
    assert.doesNotMatch(text, /pattern|\^\[/)
    if (text.includes('Nowhere')) assert.equal(body.error.message, 'settings.time_zone "Nowhere/ElseWhere" is not the name of a time zone.')
  }
})

test('the documented example of a connection is one, and that of a SIM has an ICCID with its check digit', () => {
  const [connection] = examplesOf<OperatorConnectionCreate>(OperatorConnectionCreate)
  assert.ok(connection !== undefined)
  const { operator, base_url: baseUrl, settings = {}, credentials } = connection
  checkFields(operator, { baseUrl, settings: readSettings(operator, settings), credentials: readCredentials(operator, credentials) })
  for (const { iccid } of examplesOf<{ iccid: string }>(SimCreate)) assert.ok(isIccid(iccid), iccid)
})

test('a connection that never had a SIM can be forgotten, and one that had one cannot', async () => {
  const empty = await desk.newConnection()
  assert.deepEqual((await call('DELETE', `${path}/${empty}`)).body, { success: true, connection_id: empty })
  assert.equal((await call('GET', `${path}/${empty}`)).status, 404)
  const used = await desk.newConnection()
  await desk.newSim({ connection_id: used, iccid: '8991000900000000101' })
  const { status, body } = await call('DELETE', `${path}/${used}`)
  assert.deepEqual([status, body.error.code], [409, 'conflict'])
  assert.equal((await call('GET', `${path}/${used}`)).body.connection.sim_count, 1)
})
