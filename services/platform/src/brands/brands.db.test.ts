// Goal: each host name shows its own brand, before anybody has signed in, and what strangers upload is nothing but an image. Method: the
// Platform surface over a real database, entered by inject.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import type { HostProof } from '@roadworthy/contracts/platform-v1/brands'
import { createKey } from '../keys/keys.ts'
import { createTestUser } from '../people/test-users.ts'
import { insertResellerWithKey, openTestDatabaseAndApi } from '../surfaces/test-api.ts'
import { challengeName, proveDueHosts } from './prove-hosts.ts'
import { shownBrandOf } from './shown-brand.ts'

const now = () => new Date('2026-03-01T12:00:00.000Z')
const PASSWORD = 'correct horse battery'
/** One transparent point. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(64)])
const WEBP = Buffer.concat([Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1'), Buffer.alloc(64)])
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

const { database, app } = await openTestDatabaseAndApi({ after }, { now })
/** DNS in which every host name is proved by whoever lists it first. */
const proveAll = async () => {
  const { rows } = await database.systemPool.query<{ host: string; token: string }>(
    'select host, token from brand_host_claims order by claimed_at, reseller_id',
  )
  const resolveTxt = async (name: string) => rows.filter(({ host }) => challengeName(host) === name).map(({ token }) => token)
  while ((await proveDueHosts({ database, resolveTxt, now: async () => now() })) > 0);
}
const { apiKey } = await insertResellerWithKey(database, 'acme')
const { apiKey: rivalKey } = await insertResellerWithKey(database, 'rival')
for (const id of ['north', 'south']) {
  await database.systemPool.query("insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', $1, $1)", [id])
}
const { apiKey: northKey } = await createKey(database, 'acme', { name: 'north', scopes: ['*'], subClientId: 'north' }, now())

const NOTHING = { name: 'Roadworthy', colour: null, logoUrl: null, supportEmail: null, supportUrl: null }

function call(method: 'GET' | 'PUT' | 'DELETE' | 'POST', path: string, key: string | undefined, body?: object, headers = {}) {
  const options = { method, url: `/api/v1${path}`, headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers } }
  return app.inject(body === undefined ? options : { ...options, payload: body })
}
const put = (path: string, body: object, key = apiKey) => call('PUT', `/brands/${path}`, key, body)
const upload = (path: string, image: Buffer, contentType = 'image/png', key = apiKey) =>
  app.inject({
    method: 'PUT',
    url: `/api/v1/brands/${path}/logo`,
    headers: { 'x-api-key': key, 'content-type': contentType },
    payload: image,
  })
async function shownAt(host: string, headers = {}) {
  const response = await call('GET', '/brand', undefined, undefined, { ...headers, host })
  assert.equal(response.statusCode, 200, response.body)
  return response.json()
}

test('each host name shows its brand to whoever comes, a sub-client’s what is missing from its reseller’s, and any other the service’s own', async () => {
  assert.equal(
    (await put('reseller', { name: ' Acme Fleet ', colour: '#0B7285', supportEmail: 'Help@acme.example', hosts: ['fleet.acme.example'] }))
      .statusCode,
    200,
  )
  assert.equal(
    (await put('sub-clients/north', { name: 'North', supportUrl: 'https://north.example/help', hosts: ['North.Example.'] })).statusCode,
    200,
  )
  await proveAll()
  const logo = (await upload('reseller', PNG)).json().brand.logoUrl
  const acme = { name: 'Acme Fleet', colour: '#0b7285', logoUrl: logo, supportEmail: 'help@acme.example', supportUrl: null }
  assert.deepEqual(await shownAt('fleet.acme.example'), acme)
  assert.deepEqual(await shownAt('FLEET.acme.example:8080'), acme)
  assert.deepEqual(await shownAt('north.example'), { ...acme, name: 'North', supportUrl: 'https://north.example/help' })
  for (const host of [
    'localhost:8080',
    'other.example',
    'acme.example',
    'x.fleet.acme.example',
    '[::1]:8080',
    "a'; drop table brands; --",
  ]) {
    assert.deepEqual(await shownAt(host), NOTHING, host)
  }
  const { hostProofs, ...north } = (await call('GET', '/brands/sub-clients/north', apiKey)).json().brand
  assert.deepEqual(
    hostProofs.map(({ host, status }: HostProof) => [host, status]),
    [['north.example', 'proved']],
  )
  assert.deepEqual(north, {
    name: 'North',
    colour: null,
    logoUrl: null,
    supportEmail: null,
    supportUrl: 'https://north.example/help',
    hosts: ['north.example'],
  })
  // Whom letters are from, and where their links lead.
  const { name, host } = await shownBrandOf(database, () => false, { resellerId: 'acme', subClientId: 'south' })
  assert.deepEqual([name, host], ['Acme Fleet', 'fleet.acme.example'])
})

test('the dashboard is installed under the brand of its host name, or of who is signed in', async () => {
  const at = async (path: string, headers: Record<string, string>) => await call('GET', `/brand/${path}`, undefined, undefined, headers)
  const manifest = await at('manifest.webmanifest', { host: 'fleet.acme.example' })
  assert.match(String(manifest.headers['content-type']), /^application\/manifest\+json/)
  assert.deepEqual([manifest.json().name, manifest.json().theme_color], ['Acme Fleet', '#0b7285'])
  assert.equal((await at('manifest.webmanifest', { host: 'unknown.example' })).json().name, 'Roadworthy')
  const icon = await at('icon.svg', { host: 'fleet.acme.example' })
  assert.deepEqual([icon.headers['content-type'], icon.headers['x-content-type-options']], ['image/svg+xml', 'nosniff'])
  assert.match(icon.body, />A<\/text>/)
})

test('who is signed in sees their own brand, at whatever host name', async () => {
  const person = {
    resellerId: 'acme',
    email: 'nora@north.example',
    password: PASSWORD,
    role: 'sub_client_viewer',
    subClientId: 'north',
  } as const
  await createTestUser(database, person, now())
  const signedIn = await call('POST', '/session', undefined, { email: person.email, password: PASSWORD })
  const cookie = `rw_session=${signedIn.cookies[0]?.value}`
  assert.equal((await shownAt('localhost', { cookie })).name, 'North')
  assert.equal((await shownAt('fleet.acme.example', { cookie })).name, 'North')
})

test('a host name leads to one brand; taking another’s is refused, and does not change what is shown', async () => {
  await put('reseller', { name: 'Acme Fleet', hosts: ['fleet.acme.example', 'www.acme.example'] })
  await proveAll()
  const byRival = await put('reseller', { name: 'Rival', hosts: ['rival.example', 'fleet.acme.example'] }, rivalKey)
  const bySibling = await put('sub-clients/south', { hosts: ['fleet.acme.example'] })
  for (const refused of [byRival, bySibling]) {
    assert.equal(refused.statusCode, 409)
    assert.equal(refused.json().error.message, 'One of these host names leads to another brand.')
  }
  assert.equal((await shownAt('fleet.acme.example')).name, 'Acme Fleet')
  assert.equal((await shownAt('rival.example')).name, 'Roadworthy')
  await put('reseller', { name: 'Acme Fleet', hosts: ['www.acme.example'] })
  assert.equal((await put('reseller', { name: 'Rival', hosts: ['fleet.acme.example'] }, rivalKey)).statusCode, 200)
  await proveAll()
  await upload('sub-clients/south', PNG)
  assert.equal((await shownAt('fleet.acme.example')).name, 'Rival')
})

test('what cannot be shown or could do harm is refused by its field', async () => {
  for (const [body, field] of [
    [{ name: '   ' }, 'name'],
    [{ name: 'Two\nlines' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ colour: 'red' }, 'colour'],
    [{ colour: '#fff' }, 'colour'],
    [{ colour: '#0b7285; background: url(x)' }, 'colour'],
    [{ supportEmail: 'nobody' }, 'supportEmail'],
    [{ supportUrl: 'javascript:alert(1)//' }, 'supportUrl'],
    [{ supportUrl: 'https://user:secret@x.example' }, 'supportUrl'],
    [{ supportUrl: '//x.example/y' }, 'supportUrl'],
    [{ supportUrl: 'https://:secret@x.example' }, 'supportUrl'],
    [{ supportUrl: 'https://x.example/a\nb' }, 'supportUrl'],
    [{ supportUrl: ' https://x.example' }, 'supportUrl'],
    [{ hosts: ['localhost'] }, 'hosts'],
    [{ hosts: ['fleet.localhost'] }, 'hosts'],
    [{ hosts: ['printer.local'] }, 'hosts'],
    [{ hosts: ['１２７.0.0.1'] }, 'hosts'],
    [{ hosts: ['[::1]'] }, 'hosts'],
    [{ hosts: ['10.0.0.1'] }, 'hosts'],
    [{ hosts: ['https://x.example'] }, 'hosts'],
    [{ hosts: ['x.example:8080'] }, 'hosts'],
    ...['x.example/fleet', 'x.example?a', 'x.example#a', 'x.example\\a', 'x%2Eexample'].map((host): [object, string] => [
      { hosts: [host] },
      'hosts',
    ]),
    [{ hosts: ['*.example.com'] }, 'hosts'],
    [{ hosts: ['-x.example'] }, 'hosts'],
    [{ hosts: ['x_y.example'] }, 'hosts'],
    [{ hosts: ['x.example', 'X.example'] }, 'hosts'],
    [{ hosts: Array.from({ length: 11 }, (_, i) => `x${i}.example`) }, 'hosts'],
    [{ logoUrl: 'https://evil.example/track.png' }, 'logoUrl'],
  ] as const) {
    const refused = await put('reseller', body)
    assert.equal(refused.statusCode, 400, JSON.stringify(body))
    assert.match(String(refused.json().error.details.field), new RegExp(`^${field}`), refused.body)
  }
})

test('a logo is judged by its bytes, is served as that and nothing else, and has another address when it changes', async () => {
  for (const [image, claimed, type] of [
    [PNG, 'image/png', 'image/png'],
    [JPEG, 'image/jpeg', 'image/jpeg'],
    [WEBP, 'image/webp', 'image/webp'],
    [JPEG, 'image/png', 'image/jpeg'],
  ] as const) {
    const put = await upload('sub-clients/south', image, claimed)
    assert.equal(put.statusCode, 200, put.body)
    const url = put.json().brand.logoUrl
    assert.equal(url, `/api/v1/brand/logos/${createHash('sha256').update(image).digest('hex')}`)
    const got = await app.inject({ url })
    assert.deepEqual(got.rawPayload, image)
    const { 'content-type': contentType, 'x-content-type-options': sniff, 'cache-control': caching } = got.headers
    assert.deepEqual([contentType, sniff], [type, 'nosniff'])
    assert.match(String(caching), /immutable/)
    assert.match(String(got.headers['content-security-policy']), /default-src 'none'/)
  }
  for (const [image, type, status] of [
    [SVG, 'image/svg+xml', 415],
    [SVG, 'image/png', 415],
    [Buffer.from('<html><script>alert(1)</script>'), 'image/png', 415],
    [Buffer.from('{}'), 'application/json', 415],
    [PNG, 'text/plain', 415],
    [Buffer.alloc(0), 'image/png', 415],
    [Buffer.concat([PNG, Buffer.alloc(256 * 1024)]), 'image/png', 413],
  ] as const) {
    assert.equal((await upload('sub-clients/south', image, type)).statusCode, status, `${type} ${image.length}`)
  }
  const most = Buffer.concat([PNG, Buffer.alloc(256 * 1024 - PNG.length)])
  assert.equal((await upload('sub-clients/south', most)).statusCode, 200)
  const { message, details } = (await upload('sub-clients/south', Buffer.concat([most, PNG]))).json().error
  assert.deepEqual([message, details], ['The body is larger than the 256 KiB that this route takes.', { limit: 256 * 1024 }])
  const { logoUrl } = (await call('GET', '/brands/sub-clients/south', apiKey)).json().brand
  assert.notEqual(logoUrl, null)
  assert.equal((await call('DELETE', '/brands/sub-clients/south/logo', apiKey)).json().brand.logoUrl, null)
  assert.equal((await call('DELETE', '/brands/sub-clients/south/logo', apiKey)).statusCode, 200)
  assert.equal((await app.inject({ url: logoUrl })).statusCode, 404)
  for (const path of ['/api/v1/brand/logos/abc', `/api/v1/brand/logos/${'z'.repeat(64)}`]) {
    assert.equal((await app.inject({ url: path })).statusCode, 400, path)
  }
})

test('a key of one sub-client sets the brand of that one; others, and another reseller’s, are not there', async () => {
  assert.equal((await put('sub-clients/north', { name: 'North 2' }, northKey)).statusCode, 200)
  assert.equal((await put('reseller', { name: 'Mine' }, northKey)).statusCode, 403)
  assert.equal((await call('GET', '/brands/reseller', northKey)).statusCode, 403)
  const errorOf = (body: string) => JSON.stringify({ ...JSON.parse(body).error, request_id: '' })
  for (const [key, id] of [
    [northKey, 'south'],
    [rivalKey, 'north'],
  ] as const) {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const path = (name: string) => `/brands/sub-clients/${name}${method === 'DELETE' ? '/logo' : ''}`
      const ask = (name: string) => call(method, path(name), key, method === 'PUT' ? { name: 'Taken over' } : undefined)
      const [theirs, missing] = [await ask(id), await ask('nobodys')]
      assert.equal(theirs.statusCode, 404)
      assert.equal(errorOf(theirs.body), errorOf(missing.body))
    }
    assert.equal((await upload(`sub-clients/${id}`, PNG, 'image/png', key)).statusCode, 404)
  }
})
