// Goal: the link in a message acknowledges its incident once, as who was sent it, and nothing else does. Method: messages as the job sends them to a real
// SMTP server, and the pages as a browser without a session asks for them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { PublicRate } from '../../limits/public-rate.ts'
import { createPost } from '../../main/mail.ts'
import { startMailServer } from '../../main/test-mail-server.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../../test-support.ts'
import { openNotificationDesk } from '../test-notification-desk.ts'
import { acknowledgeRoutes } from './acknowledge.routes.ts'
import { createAcknowledgeLinks } from './acknowledge-link.ts'

const { database } = await openTestDatabase({ after })
const present = async () => ({ name: 'Acme & Sons', baseUrl: 'https://fleet.acme.example', colour: '#aa0000' })

async function openPages(t: CleanUp) {
  const { url, received } = await startMailServer(t)
  const log = { error: () => undefined }
  const post = createPost({ mailServer: { url, from: 'fleet@acme.example' }, present, random: () => 0, log })
  const desk = await openNotificationDesk(t, database, post)
  const app = createHttpApp({ logger: false })
  speakSurface(app, platformSurface)
  const rate = new PublicRate(desk.bench.deps.now)
  const now = async () => desk.bench.deps.now()
  const gate: Parameters<typeof acknowledgeRoutes>[0]['gate'] = (request, _reply, done) => {
    rate.take(request.ip)
    done()
  }
  const links = createAcknowledgeLinks(TEST_SECRET_KEY)
  await app.register(acknowledgeRoutes({ publicDatabase: database, links, present, gate, now }), { prefix: '/acknowledge' })
  t.after(() => app.close())
  const ask = (method: 'GET' | 'POST', path: string, remoteAddress = '127.0.0.1', more: Record<string, string> = {}) =>
    app.inject({ method, url: path, remoteAddress, headers: { 'content-type': 'application/x-www-form-urlencoded', ...more } })
  const vehicleId = await desk.bench.addVehicle({ externalRef: 'truck <7>' })
  const report = async () => {
    await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'high' }])
    await desk.settle()
  }
  /** Of the mail to somebody, the path of its link. */
  const linkTo = (userId: string) => {
    const mail = received.find(({ to }) => to[0]?.startsWith(`${userId}@`))
    const text = (mail?.text ?? '').replace(/=\r\n/g, '').replaceAll('=3D', '=')
    return /https:\/\/fleet\.acme\.example(\/acknowledge\/[\w.-]+)/.exec(text)?.[1]
  }
  return { desk, ask, report, linkTo, vehicleId, links }
}

test('the link shows the incident without changing it, acknowledges it once as who was sent it, and then says who and when', async (t) => {
  const { desk, ask, report, linkTo, vehicleId } = await openPages(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna'), await desk.addPerson('usr-ben')], repeat_minutes: 60 })
  await report()
  const [anna = '', ben = ''] = [linkTo('usr-anna'), linkTo('usr-ben')]
  assert.notEqual(anna, ben)
  for (let nth = 0; nth < 3; nth++) {
    const shown = await ask('GET', anna)
    assert.equal(shown.statusCode, 200)
    assert.match(shown.body, /<button type="submit">Acknowledge<\/button>/)
    assert.match(shown.body, /truck &lt;7&gt;/)
    assert.match(shown.body, /Acme &amp; Sons/)
  }
  await ask('HEAD' as 'GET', anna)
  assert.equal((await desk.only(vehicleId)).status, 'open')
  const [first, second] = await Promise.all([ask('POST', anna), ask('POST', anna)])
  assert.deepEqual([first.statusCode, second.statusCode].sort(), [200, 409])
  const { status, acknowledgedBy } = await desk.only(vehicleId)
  assert.deepEqual([status, acknowledgedBy], ['acknowledged', 'usr-anna'])
  const again = await ask('GET', anna)
  assert.match(again.body, /usr-anna@\S+ acknowledged it by this link on /)
  assert.doesNotMatch(again.body, /<form/)
  const late = await ask('POST', ben)
  assert.equal(late.statusCode, 409)
  assert.match(late.body, /usr-anna@\S+ acknowledged it on /)
  assert.deepEqual(
    (await desk.audited()).map(({ action, actor_id }) => [action, actor_id]),
    [['incident.acknowledged', 'usr-anna']],
  )
  // Opened again by somebody, the same link acknowledges nothing.
  await desk.api.patch(`/incidents/${(await desk.only(vehicleId)).id}`, { status: 'open' })
  assert.equal((await ask('POST', anna)).statusCode, 409)
  assert.equal((await desk.only(vehicleId)).status, 'open')
})

test('a page holds no script, is framed and kept by nobody, and sends no other page its address', async (t) => {
  const { desk, ask, report, linkTo } = await openPages(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await report()
  const { headers, body } = await ask('GET', linkTo('usr-anna') ?? '')
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  assert.deepEqual([headers['referrer-policy'], headers['cache-control']], ['no-referrer', 'no-store'])
  assert.doesNotMatch(body, /<script|style="/)
})

test('a forged, cut or expired link says so, and nothing of the incident', async (t) => {
  const { desk, ask, report, linkTo, vehicleId } = await openPages(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await report()
  const link = linkTo('usr-anna') ?? ''
  const parts = link.split('.')
  const altered = [
    ...Array.from({ length: 43 }, (_, nth) => flipped(link, link.length - 1 - nth)),
    link.slice(0, -1),
    [parts[0], parts[1], String(Number(parts[2]) + 3_600), parts[3]].join('.'),
    [`${parts[0]}x`, ...parts.slice(1)].join('.'),
    '/acknowledge/x',
    `/acknowledge/${'a'.repeat(5_000)}`,
  ]
  for (const path of altered) {
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, body } = await ask(method, path)
      assert.equal(statusCode, 404, path)
      assert.match(body, /This link is not valid/)
      assert.doesNotMatch(body, /truck|oolant/)
    }
  }
  desk.later(7 * 24 * 60 + 1)
  const expired = await ask('POST', link)
  assert.equal(expired.statusCode, 410)
  assert.match(expired.body, /This link has expired/)
  assert.doesNotMatch(expired.body, /truck|oolant/)
  assert.equal((await desk.only(vehicleId)).status, 'open')
})

test('who may change nothing gets no link, and who no longer may cannot use it', async (t) => {
  const { desk, ask, report, linkTo, vehicleId } = await openPages(t)
  const people = [await desk.addPerson('usr-anna'), await desk.addPerson('usr-ben'), await desk.addPerson('usr-viewer')]
  people.push(await desk.addPerson('usr-cara'))
  const change = (set: string, userId: string) =>
    database.systemPool.query(`update users set ${set} where reseller_id = $1 and user_id = $2`, [desk.bench.resellerId, userId])
  await change("role = 'viewer'", 'usr-viewer')
  await desk.addRule({ recipients: people })
  await report()
  assert.equal(linkTo('usr-viewer'), undefined)
  await change('deactivated_at = now()', 'usr-anna')
  await change("role = 'viewer'", 'usr-ben')
  const { resellerId } = desk.bench
  const { systemPool } = database
  await systemPool.query("insert into sub_clients (reseller_id, sub_client_id, name, status) values ($1, 'north', 'North', 'suspended')", [
    resellerId,
  ])
  await systemPool.query("update vehicles set sub_client_id = 'north' where reseller_id = $1 and vehicle_id = $2", [resellerId, vehicleId])
  for (const userId of ['usr-anna', 'usr-ben', 'usr-cara']) {
    const refused = await ask('POST', linkTo(userId) ?? '')
    assert.equal(refused.statusCode, 403)
    assert.match(refused.body, /You cannot acknowledge this incident/)
  }
  assert.equal((await desk.only(vehicleId)).status, 'open')
})

test('an incident that is resolved has nothing to acknowledge, and one that is snoozed has', async (t) => {
  const { desk, ask, report, linkTo, vehicleId } = await openPages(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-anna')] })
  await report()
  const { id } = await desk.only(vehicleId)
  const until = new Date(desk.bench.clock.nowMs + 86_400_000).toISOString()
  await desk.api.patch(`/incidents/${id}`, { status: 'snoozed', snoozedUntil: until })
  assert.match((await ask('GET', linkTo('usr-anna') ?? '')).body, /<button/)
  await desk.api.patch(`/incidents/${id}`, { status: 'resolved', resolution: { reason: 'false_alarm' } })
  const { statusCode, body } = await ask('POST', linkTo('usr-anna') ?? '')
  assert.equal(statusCode, 409)
  assert.match(body, /The incident is resolved/)
})

test('one address asks so often and no oftener, and is refused in words', async (t) => {
  const { ask } = await openPages(t)
  const statuses = new Set<number>()
  for (let nth = 0; nth < 700; nth++) {
    const { statusCode, body, headers } = await ask('GET', '/acknowledge/x', '203.0.113.9')
    statuses.add(statusCode)
    if (statusCode === 429) assert.ok(/Too many requests/.test(body) && Number(headers['retry-after']) > 0)
  }
  assert.deepEqual(statuses, new Set([404, 429]))
})

function flipped(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

test('the page is in the language of the person, and of their browser where nobody is known by the link', async (t) => {
  const { desk, ask, report, linkTo } = await openPages(t)
  await desk.addRule({ recipients: [await desk.addPerson('usr-greta', { language: 'de' }), await desk.addPerson('usr-anna')] })
  await report()
  const german = (await ask('GET', linkTo('usr-greta') ?? '', '127.0.0.1', { 'accept-language': 'es' })).body
  for (const shown of [
    '<html lang="de">',
    '<button type="submit">Bestätigen</button>',
    '<dt>Bauteil</dt><dd>Kühlung</dd>',
    'Sie bestätigen ihn als usr-greta@',
  ]) {
    assert.ok(german.includes(shown), german)
  }
  assert.match((await ask('POST', linkTo('usr-greta') ?? '')).body, /<h1>Bestätigt<\/h1>/)
  const late = (await ask('GET', linkTo('usr-anna') ?? '', '127.0.0.1', { 'accept-language': 'de' })).body
  assert.match(late, /<html lang="en">.*usr-greta@\S+ acknowledged it on /s)
  const forged = async (accepted: string) => (await ask('GET', '/acknowledge/nothing', '127.0.0.1', { 'accept-language': accepted })).body
  assert.match(await forged('fr-CH, es-MX;q=0.9, de;q=0.8'), /<html lang="es">.*Este enlace no es válido/s)
  assert.match(await forged(',;=*'.repeat(2_000)), /<html lang="en">.*This link is not valid/s)
})
