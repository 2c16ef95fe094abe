// Goal: a stranger who asks what anybody may ask takes nothing that keys sign in over. Method: the strangers' queries hang on a table that
// is locked, and an API with a key is called meanwhile; both through the real gate.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { calendarPlatformRoutes } from '@roadworthy/platform/maintenance/calendar.routes.platform-v1'
import { insertResellerWithKey, lastFirst, openTestApi } from '@roadworthy/platform/surfaces/test-api'
import { connectAsOwner, openTestDatabase, TEST_SECRET_KEY } from '@roadworthy/platform/test-support'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'

const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
const publicDatabase = openDatabase(databaseUrls(ownerUrl, TEST_SECRET_KEY), {
  appConnections: 1,
  systemConnections: 2,
  onError: (error) => console.error(error),
})
cleanUp.after(() => publicDatabase.close())
const now = new Date()
const platform = [calendarPlatformRoutes({ database, publicDatabase, now: () => now, baseUrl: undefined })]
const { app } = await openTestApi(cleanUp, database, { publicDatabase, platform, now: () => now })
const { apiKey } = await insertResellerWithKey(database, 'acme')

const statusOf = async (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  (await app.inject({ method: 'GET', url, headers, remoteAddress })).statusCode

test('questions that nobody has to sign in for cannot hold up a key, however long the database takes over them', async (t) => {
  const holder = await connectAsOwner(t, ownerUrl)
  await holder.query('begin')
  await holder.query('lock table brand_host_claims, brand_logos, calendar_links, sessions in access exclusive mode')
  const token = (i: number) => String(i).padStart(43, 'x')
  const strangers = Array.from({ length: 30 }, (_, i) => [
    statusOf('/api/v1/brand', { host: `host-${i}.example` }),
    statusOf(`/api/v1/brand/logos/${String(i).padStart(64, '0')}`),
    statusOf('/api/v1/session', { cookie: `rw_session=${token(i)}` }),
    statusOf(`/api/v1/calendars/${token(i)}.ics`),
  ]).flat()
  for (let i = 0; i < 5; i++) assert.equal(await statusOf('/api/v1/api-keys', { 'x-api-key': apiKey }), 200)
  await holder.query('commit')
  for (const status of await Promise.all(strangers)) assert.ok([200, 404, 503].includes(status), String(status))
})

test('what many ask for is asked of the database once', async () => {
  let asked = 0
  const counting = { ...publicDatabase, systemPool: { query: publicDatabase.systemPool.query.bind(publicDatabase.systemPool) } }
  counting.systemPool.query = async (...query) => {
    asked++
    return await publicDatabase.systemPool.query(...query)
  }
  const cached = await openTestApi(cleanUp, database, { publicDatabase: counting })
  const ask = (url: string, host: string) => cached.app.inject({ method: 'GET', url, headers: { host } })
  await Promise.all(Array.from({ length: 50 }, () => ask('/api/v1/brand', 'nobodys.example')))
  await Promise.all(Array.from({ length: 50 }, () => ask(`/api/v1/brand/logos/${'0'.repeat(64)}`, 'nobodys.example')))
  assert.equal(asked, 2)
})

test('one address block may ask 600 times a minute; a proxy on this machine, which has many clients, as often as it likes', async () => {
  const from = async (address: string) => await statusOf('/api/v1/session', {}, address)
  for (let i = 0; i < 600; i++) assert.equal(await from(`2001:db8:1:2::${i.toString(16)}`), 200)
  const refused = await app.inject({ method: 'GET', url: '/api/v1/brand', remoteAddress: '2001:db8:1:2:ffff::1' })
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.json().error.code, 'rate_limit_exceeded')
  assert.equal(await from('2001:db8:1:3::1'), 200)
  for (let i = 0; i < 700; i++) assert.equal(await from('127.0.0.1'), 200)
})
