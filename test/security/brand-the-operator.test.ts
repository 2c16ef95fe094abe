// Goal: nobody shows a brand, or has links in mails lead, to a host name that is not theirs: not the operator's, and not another reseller's. Method:
// the Platform surface by inject, with the check of DNS records run by hand over a DNS that the test writes.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { HostProof } from '@roadworthy/contracts/platform-v1/brands'
import { systemAuthor } from '@roadworthy/platform/audit/audit'
import { proveDueHosts } from '@roadworthy/platform/brands/prove-hosts'
import { confirmHost, withdrawHost } from '@roadworthy/platform/brands/settle-host'
import { findHostOwner, shownBrandOf } from '@roadworthy/platform/brands/shown-brand'
import { createUser } from '@roadworthy/platform/people/users'
import { insertResellerWithKey, openTestDatabaseAndApi } from '@roadworthy/platform/surfaces/test-api'

const DAY_MS = 86_400_000
let now = new Date('2026-03-01T12:00:00.000Z')
const options = { now: () => now, reservedHosts: 'operator.example, *.operator.example' }
const { database, app } = await openTestDatabaseAndApi({ after }, options)
const { apiKey: acme } = await insertResellerWithKey(database, 'acme')
const { apiKey: rival } = await insertResellerWithKey(database, 'rival')

/** TXT records by name; of a name under `broken` nobody can be asked. */
const dns = new Map<string, string[]>()
const broken = new Set<string>()
const asked: string[] = []
const resolveTxt = async (name: string) => {
  asked.push(name)
  if (broken.has(name)) throw Object.assign(new Error('timeout'), { code: 'ETIMEOUT' })
  return dns.get(name) ?? []
}
const check = async () => {
  while ((await proveDueHosts({ database, resolveTxt, now: async () => now })) > 0);
}
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

async function list(hosts: string[], key = acme) {
  const headers = { 'x-api-key': key }
  const name = key === acme ? 'Acme' : 'Rival'
  return await app.inject({ method: 'PUT', url: '/api/v1/brands/reseller', headers, payload: { name, hosts } })
}
async function proofOf(host: string, key = acme): Promise<HostProof> {
  const { brand } = (await app.inject({ url: '/api/v1/brands/reseller', headers: { 'x-api-key': key } })).json()
  return brand.hostProofs.find((each: HostProof) => each.host === host)
}
/** After what the routes kept for ten seconds. */
async function shownAt(host: string, headers = {}): Promise<string> {
  pass(11_000)
  return (await app.inject({ url: '/api/v1/brand', headers: { ...headers, host } })).json().name
}
const mailHost = async (resellerId: string) => (await shownBrandOf(database, () => false, { resellerId, subClientId: undefined })).host
async function prove(host: string, key = acme): Promise<void> {
  const { record } = await proofOf(host, key)
  dns.set(record.name, ['v=spf1 -all', record.value])
  pass(DAY_MS)
  await check()
}

beforeEach(async () => {
  dns.clear()
  broken.clear()
  await database.systemPool.query('delete from brand_host_claims')
})

test("the operator's own host, and what the operator reserved, cannot be listed in any spelling", async () => {
  const names = ['app.roadworthy.example', 'APP.Roadworthy.Example.', 'operator.example', 'a.operator.example', 'a.b.OPERATOR.example']
  for (const name of [...names, 'ａｐｐ.roadworthy.example', 'app。roadworthy。example']) {
    const refused = await list([name])
    assert.deepEqual([refused.statusCode, refused.json().error.details.field], [400, 'hosts'], name)
    assert.match(refused.json().error.message, /of the service itself/)
  }
  assert.equal((await list(['notoperator.example'])).statusCode, 200)
})

test('a host that was proved before the operator reserved it is used no more', async () => {
  await list(['fleet.acme.example'])
  await prove('fleet.acme.example')
  const isReserved = (host: string) => host === 'fleet.acme.example'
  assert.equal((await shownBrandOf(database, isReserved, { resellerId: 'acme', subClientId: undefined })).host, undefined)
  assert.equal(await findHostOwner(database, isReserved, 'Fleet.acme.example.'), undefined)
  assert.equal((await findHostOwner(database, () => false, 'Fleet.acme.example.'))?.resellerId, 'acme')
})

test('a host is used for nothing until the record that is shown stands in DNS', async () => {
  await list(['Fleet.Acme.example', 'MÜNCHEN.example'])
  const pending = await proofOf('fleet.acme.example')
  assert.deepEqual([pending.status, pending.provedBy, pending.provedAt], ['pending', null, null])
  assert.equal(pending.record.name, '_roadworthy-challenge.fleet.acme.example')
  assert.match(pending.record.value, /^[\w-]{32}$/)
  assert.notEqual((await proofOf('xn--mnchen-3ya.example')).record.value, pending.record.value)
  for (const texts of [[], ['something else'], [`${pending.record.value}x`], [pending.record.value.toLowerCase()]]) {
    dns.set(pending.record.name, texts)
    pass(DAY_MS)
    await check()
    assert.deepEqual([(await proofOf('fleet.acme.example')).problem, await shownAt('fleet.acme.example')], ['missing', 'Roadworthy'])
    assert.equal(await mailHost('acme'), undefined)
  }
  await prove('fleet.acme.example')
  const proved = await proofOf('fleet.acme.example')
  assert.deepEqual([proved.status, proved.provedBy, proved.problem, proved.record], ['proved', 'dns', null, pending.record])
  assert.deepEqual([await shownAt('fleet.acme.example'), await mailHost('acme')], ['Acme', 'fleet.acme.example'])
  // Listing it again keeps the proof; taking it off the list and back does not.
  await list(['fleet.acme.example', 'second.acme.example'])
  assert.equal((await proofOf('fleet.acme.example')).status, 'proved')
  await list([])
  await list(['fleet.acme.example'])
  const anew = await proofOf('fleet.acme.example')
  assert.deepEqual([anew.status, anew.record.value === pending.record.value], ['pending', false])
})

test('two may list a name; who proves it first has it, and the other cannot by the record of the first', async () => {
  assert.equal((await list(['shared.example'], rival)).statusCode, 200)
  assert.equal((await list(['shared.example'])).statusCode, 200)
  await prove('shared.example')
  assert.deepEqual([(await proofOf('shared.example', rival)).problem, await shownAt('shared.example')], ['missing', 'Acme'])
  const record = (await proofOf('shared.example', rival)).record
  dns.set(record.name, [...(dns.get(record.name) ?? []), record.value])
  pass(DAY_MS)
  await check()
  const waiting = await proofOf('shared.example', rival)
  assert.deepEqual([waiting.status, waiting.problem, await shownAt('shared.example')], ['pending', 'taken', 'Acme'])
  // The name changes hands: only the second record is left.
  dns.set(record.name, [record.value])
  for (let day = 0; day < 4; day++) {
    pass(DAY_MS)
    await check()
  }
  pass(DAY_MS)
  await check()
  assert.deepEqual([await shownAt('shared.example'), await mailHost('acme')], ['Rival', undefined])
  assert.equal((await list(['shared.example', 'other.example'])).statusCode, 409)
})

test('an outage of DNS takes nobody’s brand away, and a record that is gone does after three days', async () => {
  await list(['fleet.acme.example'])
  await prove('fleet.acme.example')
  const { name, value } = (await proofOf('fleet.acme.example')).record
  broken.add(name)
  for (let day = 0; day < 13; day++) {
    pass(DAY_MS)
    await check()
    assert.deepEqual([(await proofOf('fleet.acme.example')).problem, await mailHost('acme')], ['unreachable', 'fleet.acme.example'])
  }
  broken.clear()
  pass(DAY_MS)
  await check()
  dns.set(name, [])
  for (const expected of ['fleet.acme.example', 'fleet.acme.example', undefined]) {
    assert.equal((await proofOf('fleet.acme.example')).status, 'proved')
    pass(DAY_MS)
    await check()
    assert.equal(await mailHost('acme'), expected)
  }
  assert.equal(await shownAt('fleet.acme.example'), 'Roadworthy')
  dns.set(name, [value])
  pass(DAY_MS)
  await check()
  assert.equal(await mailHost('acme'), 'fleet.acme.example')
  const { rows } = await database.systemPool.query(
    "select action from audit_log where action like 'brand.host%' and object_id = 'fleet.acme.example' order by at, audit_id",
  )
  assert.deepEqual(
    rows.slice(-3).map(({ action }) => action),
    ['brand.host_proved', 'brand.host_lost', 'brand.host_proved'],
  )
})

test('a name of which DNS gives no answer for two weeks is not proved any more', async () => {
  await list(['fleet.acme.example'])
  await prove('fleet.acme.example')
  broken.add((await proofOf('fleet.acme.example')).record.name)
  for (let day = 0; day < 14; day++) {
    assert.equal(await mailHost('acme'), 'fleet.acme.example')
    pass(DAY_MS)
    await check()
  }
  assert.equal(await mailHost('acme'), undefined)
})

test('what a check finds is of no use for a name that was taken off the list and back meanwhile, and two processes ask once', async () => {
  await list(['fleet.acme.example'])
  const { record } = await proofOf('fleet.acme.example')
  const ofOthers: number[] = []
  const resolveMeanwhile = async () => {
    ofOthers.push(await proveDueHosts({ database, resolveTxt, now: async () => now }))
    await list([])
    await list(['fleet.acme.example'])
    return [record.value]
  }
  assert.equal(await proveDueHosts({ database, resolveTxt: resolveMeanwhile, now: async () => now }), 1)
  assert.deepEqual([ofOthers, (await proofOf('fleet.acme.example')).status], [[0], 'pending'])
})

test('the operator confirms by hand, moves a name to whom it belongs, and takes it back', async () => {
  await assert.rejects(confirmHost(database, 'acme', 'fleet.acme.example', systemAuthor('acme', now)), /lists the host/)
  await list(['fleet.acme.example', 'shop.acme.example'])
  assert.equal(await confirmHost(database, 'acme', 'SHOP.acme.example.', systemAuthor('acme', now)), undefined)
  const confirmed = await proofOf('shop.acme.example')
  assert.deepEqual([confirmed.status, confirmed.provedBy, await shownAt('shop.acme.example')], ['proved', 'operator', 'Acme'])
  // What is confirmed is asked of DNS no more.
  asked.length = 0
  pass(30 * DAY_MS)
  await check()
  assert.deepEqual(asked, ['_roadworthy-challenge.fleet.acme.example'])

  await list(['fleet.acme.example'], rival)
  await prove('fleet.acme.example', rival)
  assert.equal(await shownAt('fleet.acme.example'), 'Rival')
  assert.equal(await confirmHost(database, 'acme', 'fleet.acme.example', systemAuthor('acme', now)), 'rival')
  assert.deepEqual([await shownAt('fleet.acme.example'), (await proofOf('fleet.acme.example', rival)).status], ['Acme', 'pending'])
  await check()
  assert.equal((await proofOf('fleet.acme.example', rival)).problem, 'taken')
  await withdrawHost(database, 'acme', 'fleet.acme.example', systemAuthor('acme', now))
  assert.deepEqual([(await proofOf('fleet.acme.example')).status, await shownAt('fleet.acme.example')], ['pending', 'Roadworthy'])
})

test('who waits to be proved is bounded, and is asked of DNS ever more seldom', async () => {
  for (let i = 0; i < 10; i++) {
    await database.systemPool.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', $1, $1)", [`sub-${i}`])
    const payload = { hosts: Array.from({ length: 10 }, (_, nth) => `h${i}-${nth}.example`) }
    const url = `/api/v1/brands/sub-clients/sub-${i}`
    assert.equal((await app.inject({ method: 'PUT', url, headers: { 'x-api-key': acme }, payload })).statusCode, 200)
  }
  const refused = await list(['one-more.example'])
  assert.deepEqual([refused.statusCode, refused.json().error.details.limit], [409, 100])
  await database.systemPool.query("delete from brand_host_claims where host <> 'h0-0.example'")
  asked.length = 0
  for (let minute = 0; minute < 24 * 60; minute++) {
    pass(60_000)
    if (minute % 5 === 0) await check()
  }
  assert.ok(asked.length > 10 && asked.length < 100, `${asked.length} questions in a day`)
})

test('who is signed in sees the brand of their own reseller, at the host of another too', async () => {
  await list(['fleet.acme.example'])
  await prove('fleet.acme.example')
  const person = { resellerId: 'rival', email: 'rita@rival.example', password: 'correct horse battery', role: 'owner' } as const
  await createUser(database, person, now)
  await list(['rival.example'], rival)
  const { email, password } = person
  const signedIn = await app.inject({ method: 'POST', url: '/api/v1/session', payload: { email, password } })
  const cookie = `rw_session=${signedIn.cookies[0]?.value}`
  assert.deepEqual([await shownAt('fleet.acme.example', { cookie }), await shownAt('fleet.acme.example')], ['Rival', 'Acme'])
})
