// Goal: endpoints are managed as the contract states, by whom they belong to, and nothing that is secret can be had again. Through the receiver.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Webhook } from '@roadworthy/contracts/platform-v1/webhooks'
import { Webhook as Verifier } from 'standardwebhooks'
import { systemAuthor } from '../audit/audit.ts'
import { type Answer, errorOf } from '../predictions/test-surface.ts'
import { forbiddenHosts } from './test-addresses.ts'
import { type MadeWebhook, okBody, openBench, START } from './test-bench.ts'
import { startReceiver } from './test-receiver.ts'

const bench = await openBench({ after })
const { surface } = bench
const URL_INSIDE = 'http://127.0.0.1:9000/hook'

type Page = { webhooks: Webhook[]; total: number; pagination: { endCursor: string | null; hasNextPage: boolean } }

test('an endpoint has exactly its fields, and its secret is shown when it is made and not again', async () => {
  const caller = { resellerId: await bench.newReseller() }
  const { secret, webhook } = await bench.create(caller, URL_INSIDE, {
    description: 'Workshop',
    eventTypes: ['alert.created'],
    headers: { 'X-Gateway-Key': 'k7f3-secret' },
  })
  assert.deepEqual(webhook, {
    id: webhook.id,
    url: URL_INSIDE,
    description: 'Workshop',
    eventTypes: ['alert.created'],
    subClientId: null,
    headerNames: ['X-Gateway-Key'],
    status: 'enabled',
    disabledReason: null,
    failingSince: null,
    failureCount: 0,
    warnedAt: null,
    lastSuccessAt: null,
    previousSecretExpiresAt: null,
    createdAt: START.toISOString(),
    updatedAt: START.toISOString(),
  })
  const shown = okBody(await surface.as(caller).get<Webhook>(`/webhooks/${webhook.id}`))
  assert.deepEqual(shown, webhook)
  const { rows } = await bench.database.systemPool.query('select w::text as text from webhook_endpoints w where endpoint_id = $1', [
    webhook.id,
  ])
  const stored = String(rows[0]?.['text'])
  for (const hidden of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('hex'), 'k7f3-secret']) {
    assert.ok(!stored.includes(hidden) && !stored.includes(Buffer.from(hidden).toString('hex')), hidden)
  }
})

test('what is left out of a change stays, and null asks for every type', async () => {
  const caller = { resellerId: await bench.newReseller() }
  const { webhook } = await bench.create(caller, URL_INSIDE, { eventTypes: ['alert.created'], headers: { 'x-a': '1', 'x-b': '2' } })
  const change = async (given: object) => okBody(await surface.as(caller).patch<Webhook>(`/webhooks/${webhook.id}`, given))
  assert.deepEqual((await change({ description: 'A' })).eventTypes, ['alert.created'])
  assert.deepEqual((await change({ eventTypes: ['device.offline', 'alert.created', 'device.offline'] })).eventTypes, [
    'alert.created',
    'device.offline',
  ])
  const changed = await change({ eventTypes: null, headers: { 'x-c': '3' }, url: 'http://127.0.0.1:9001' })
  assert.deepEqual(
    [changed.eventTypes, changed.headerNames, changed.url, changed.description],
    [null, ['x-c'], 'http://127.0.0.1:9001/', 'A'],
  )
  assert.deepEqual((await change({ headers: {} })).headerNames, [])
})

test('an endpoint is sent what the key that aims it may read, and of nothing else', async () => {
  const resellerId = await bench.newReseller()
  const owner = { resellerId }
  const clerk = { resellerId, scopes: ['webhooks:manage', 'devices:read'] }
  const mayNot = async (asked: Promise<Answer>, scope: string) => {
    const refused = await asked
    assert.deepEqual(
      [refused.status, errorOf(refused)['code'], errorOf(refused)['details']],
      [403, 'missing_scope', { required_scope: scope }],
    )
  }
  const create = (given: object) => surface.as(clerk).post('/webhooks', { url: URL_INSIDE, ...given })
  await mayNot(create({ eventTypes: ['device.online', 'alert.created'] }), 'predict')
  const { webhook } = await bench.create(clerk, URL_INSIDE)
  const allowed = ['device.online', 'device.offline', 'device.decommissioned', 'webhook.endpoint.disabled', 'webhook.test']
  assert.deepEqual(webhook.eventTypes, allowed)
  const change = (id: string, given: object) => surface.as(clerk).patch(`/webhooks/${id}`, given)
  await mayNot(change(webhook.id, { eventTypes: ['usage.threshold'] }), 'billing:read')
  assert.deepEqual((await change(webhook.id, { eventTypes: null })).body['eventTypes'], allowed)

  const { webhook: all } = await bench.create(owner, URL_INSIDE)
  const { webhook: alerts } = await bench.create(owner, URL_INSIDE, { eventTypes: ['alert.created'] })
  assert.equal(all.eventTypes, null)
  await mayNot(change(all.id, { url: 'http://127.0.0.1:9001/' }), 'vehicles:read')
  await mayNot(change(alerts.id, { headers: { 'x-a': '1' } }), 'predict')
  assert.equal((await change(alerts.id, { description: 'Alerts' })).status, 200)
  assert.equal((await change(alerts.id, { url: 'http://127.0.0.1:9001/', eventTypes: ['device.offline'] })).status, 200)
})

test('what an endpoint has been sent, and what it is still to be sent, goes nowhere else by a key that may not read it', async () => {
  const owner = { resellerId: await bench.newReseller() }
  const clerk = surface.as({ ...owner, scopes: ['webhooks:manage'] })
  const { webhook } = await bench.create(owner, URL_INSIDE)
  await bench.publish(owner.resellerId, ['dev-1'])
  const elsewhere = { url: 'http://127.0.0.1:9001/' }
  const needs = ({ status, body }: Answer) => [status, (body['error'] as { details?: object } | undefined)?.details]
  // Narrowing the filter to what the key may read takes back nothing of what waits.
  assert.equal((await clerk.patch(`/webhooks/${webhook.id}`, { eventTypes: ['webhook.test'] })).status, 200)
  const wanted = [403, { required_scope: 'devices:read' }]
  assert.deepEqual(needs(await clerk.patch(`/webhooks/${webhook.id}`, elsewhere)), wanted)
  assert.deepEqual(needs(await clerk.patch(`/webhooks/${webhook.id}`, { headers: { 'x-a': '1' } })), wanted)
  await bench.database.systemPool.query(`update webhook_deliveries set status = 'delivered' where endpoint_id = $1`, [webhook.id])
  assert.equal((await clerk.patch(`/webhooks/${webhook.id}`, elsewhere)).status, 200)
  const [delivery] = await bench.deliveries(owner, webhook.id)
  const resend = `/webhooks/${webhook.id}/deliveries/${delivery?.id}/resend`
  assert.deepEqual(needs(await clerk.post(resend)), wanted)
  assert.equal((await bench.deliveries(owner, webhook.id))[0]?.status, 'delivered')
  assert.equal((await surface.as(owner).post(resend)).status, 200)
})

test('the body of a delivery is for a key that may read the event', async () => {
  const owner = { resellerId: await bench.newReseller() }
  const { webhook } = await bench.create(owner, URL_INSIDE)
  await bench.publish(owner.resellerId, ['dev-1'])
  const [delivery] = await bench.deliveries({ ...owner, scopes: ['webhooks:manage'] }, webhook.id)
  const read = async (scopes: string[]) => await surface.as({ ...owner, scopes }).get(`/webhooks/${webhook.id}/deliveries/${delivery?.id}`)
  const refused = await read(['webhooks:manage'])
  assert.deepEqual([refused.status, errorOf(refused)['details']], [403, { required_scope: 'devices:read' }])
  assert.match(String((await read(['webhooks:manage', 'devices:read'])).body['body']), /dev-1/)
})

test('lists page oldest first, and a deleted endpoint is gone', async () => {
  const caller = { resellerId: await bench.newReseller() }
  const made: MadeWebhook[] = []
  for (let i = 0; i < 5; i++) made.push(await bench.create(caller, `http://127.0.0.1:${9000 + i}/`))
  const ids = made.map(({ webhook }) => webhook.id).sort()
  const list = async (query: string) => okBody(await surface.as(caller).get<Page>(`/webhooks?${query}`))
  const first = await list('limit=3')
  const second = await list(`limit=3&after=${first.pagination.endCursor}`)
  assert.deepEqual([first.total, first.pagination.hasNextPage, second.pagination.hasNextPage], [5, true, false])
  assert.deepEqual(
    [...first.webhooks, ...second.webhooks].map(({ id }) => id),
    ids,
  )
  const [gone = ''] = ids
  const deleted = await Promise.all([1, 2, 3].map(() => surface.as(caller).delete(`/webhooks/${gone}`)))
  assert.deepEqual(deleted.map(({ status }) => status).sort(), [200, 404, 404])
  assert.equal((await list('')).total, 4)
  for (const ask of [
    () => surface.as(caller).get(`/webhooks/${gone}`),
    () => surface.as(caller).delete(`/webhooks/${gone}`),
    () => surface.as(caller).patch(`/webhooks/${gone}`, { description: 'x' }),
    () => surface.as(caller).post(`/webhooks/${gone}/test`),
    () => surface.as(caller).post(`/webhooks/${gone}/pause`),
    () => surface.as(caller).get(`/webhooks/${gone}/deliveries`),
  ]) {
    assert.equal((await ask()).status, 404)
  }
})

test('what is not public is refused when it is stored, in each of its forms', async () => {
  const caller = { resellerId: await bench.newReseller() }
  const { webhook } = await bench.create(caller, URL_INSIDE)
  // Loopback is what this bench allows.
  const forbidden = forbiddenHosts.filter((host) => !/^(\[?(::ffff:)?127\.|127|2130706433|0x7f|017|%31|１２７|①|loopback)/i.test(host))
  assert.ok(forbidden.length >= 50)
  for (const host of forbidden) {
    for (const refused of [
      await surface.as(caller).post('/webhooks', { url: `https://${host}/hook` }),
      await surface.as(caller).patch(`/webhooks/${webhook.id}`, { url: `https://${host}/hook` }),
    ]) {
      assert.equal(refused.status, 400, host)
      assert.deepEqual(errorOf(refused)['details'], { field: 'url' })
    }
  }
  for (const url of ['http://93.184.215.14/', 'https://nobody.example.com/', 'https://u:p@93.184.215.14/', 'ftp://93.184.215.14/', 'x']) {
    assert.equal((await surface.as(caller).post('/webhooks', { url })).status, 400, url)
  }
  assert.equal((await surface.as(caller).post('/webhooks', { url: 'https://93.184.215.14/' })).status, 200)
})

test('what cannot be asked of DNS now is taken, and looked at when it is sent to', async () => {
  const caller = { resellerId: await bench.newReseller() }
  const away = { ...bench.deps.send.guard, addressesOf: () => Promise.reject(Object.assign(new Error('timeout'), { code: 'ETIMEOUT' })) }
  const { createEndpoint } = await import('./manage-endpoints.ts')
  const who = { ...caller, keyId: 'key-1', scopes: new Set(['*']), subClientPin: undefined }
  const { endpoint } = await createEndpoint(
    { ...bench.deps, guard: away },
    who,
    { url: 'https://hooks.example.com' },
    systemAuthor(who.resellerId, new Date()),
  )
  assert.equal(endpoint.url, 'https://hooks.example.com/')
})

test('wrong fields are refused by their name', async () => {
  const caller = { resellerId: await bench.newReseller() }
  for (const [given, field] of [
    [{ headers: { Host: 'x' } }, 'headers'],
    [{ headers: { 'x-a': 'b\r\nc: d' } }, 'headers'],
    [{ eventTypes: [] }, 'eventTypes'],
    [{ eventTypes: ['device.lost'] }, 'eventTypes'],
    [{ description: 'x'.repeat(501) }, 'description'],
  ] as const) {
    const refused = await surface.as(caller).post('/webhooks', { url: URL_INSIDE, ...given })
    assert.equal(refused.status, 400, JSON.stringify(given))
    assert.match(JSON.stringify(errorOf(refused)), new RegExp(field))
  }
  const nobodys = await surface.as(caller).post('/webhooks', { url: URL_INSIDE, subClientId: 'nobodys' })
  assert.equal(nobodys.status, 404)
})

test('a reseller has a thousand endpoints at most', async () => {
  const resellerId = await bench.newReseller()
  await bench.database.systemPool.query(
    `insert into webhook_endpoints (reseller_id, endpoint_id, url, secrets_sealed, created_at, updated_at)
     select $1, 'whe-' || lpad(n::text, 20, '0'), 'https://93.184.215.14/', '', now(), now() from generate_series(1, 999) n`,
    [resellerId],
  )
  const attempts = await Promise.all([1, 2, 3].map(() => surface.as({ resellerId }).post('/webhooks', { url: URL_INSIDE })))
  assert.deepEqual(attempts.map(({ status }) => status).sort(), [200, 409, 409])
})

test('a pinned key makes, sees and changes endpoints of its sub-client only', async () => {
  const resellerId = await bench.newReseller()
  for (const subClientId of ['north', 'south']) {
    await bench.database.tenant(resellerId, (db) =>
      db.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ($1, $2, $2)`, [resellerId, subClientId]),
    )
  }
  const [owner, north] = [{ resellerId }, { resellerId, subClientPin: 'north' }]
  const made = await bench.create(north, URL_INSIDE)
  const south = await bench.create(owner, URL_INSIDE, { subClientId: 'south' })
  const everywhere = await bench.create(owner, URL_INSIDE)
  assert.deepEqual([made.webhook.subClientId, south.webhook.subClientId, everywhere.webhook.subClientId], ['north', 'south', null])
  assert.equal((await surface.as(north).post('/webhooks', { url: URL_INSIDE, subClientId: 'south' })).status, 404)
  const { webhooks, total } = okBody(await surface.as(north).get<Page>('/webhooks'))
  assert.deepEqual([webhooks.map(({ id }) => id), total], [[made.webhook.id], 1])
  for (const { webhook } of [south, everywhere]) {
    assert.equal((await surface.as(north).get(`/webhooks/${webhook.id}`)).status, 404)
    assert.equal((await surface.as(north).post(`/webhooks/${webhook.id}/secret/rotate`)).status, 404)
  }
})

test('another reseller’s endpoints and deliveries are as if they were not there', async (t) => {
  const [resellerId, rival] = [await bench.newReseller(), await bench.newReseller()]
  const receiver = await startReceiver(t)
  const { webhook } = await bench.create({ resellerId }, receiver.url)
  const own = await bench.create({ resellerId: rival }, receiver.url)
  await bench.publish(resellerId, ['dev-1'])
  const [delivery] = await bench.deliveries({ resellerId }, webhook.id)
  const unknown = { webhook: 'whe-00000000000000000000', delivery: 'whd-00000000000000000000' }
  const paths = (id: string, deliveryId: string) => [
    `/webhooks/${id}`,
    `/webhooks/${id}/deliveries`,
    `/webhooks/${id}/deliveries/${deliveryId}`,
    `/webhooks/${own.webhook.id}/deliveries/${deliveryId}`,
  ]
  const messageOf = async (path: string) => String(errorOf(await surface.as({ resellerId: rival }).get(path))['message'])
  const asUnknown = await Promise.all(paths(unknown.webhook, unknown.delivery).map(messageOf))
  assert.deepEqual(await Promise.all(paths(webhook.id, delivery?.id ?? '').map(messageOf)), asUnknown)
  const resend = await surface.as({ resellerId: rival }).post(`/webhooks/${own.webhook.id}/deliveries/${delivery?.id}/resend`)
  assert.equal(resend.status, 404)
  for (const bad of ['a%00b', 'x', '%F0%9F%9A%9A']) assert.equal((await surface.as({ resellerId }).get(`/webhooks/${bad}`)).status, 404)
})

test('after a rotation both secrets sign for a day, and then the new one', async (t) => {
  const caller = { resellerId: await bench.newReseller() }
  const receiver = await startReceiver(t)
  // The reference library compares with the real clock.
  const realStart = new Date()
  bench.setTime(realStart)
  const { secret: first, webhook } = await bench.create(caller, receiver.url)
  const rotate = () => surface.as(caller).post<MadeWebhook>(`/webhooks/${webhook.id}/secret/rotate`)
  bench.setTime(new Date(realStart.getTime() - 24 * 3_600_000 + 60_000))
  const rotated = okBody(await rotate())
  assert.equal(rotated.webhook.previousSecretExpiresAt, new Date(realStart.getTime() + 60_000).toISOString())
  const verifies = (secret: string) => {
    const { headers, body } = receiver.received.at(-1) ?? assert.fail('nothing was received')
    try {
      new Verifier(secret).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }
  bench.setTime(realStart)
  await bench.publish(caller.resellerId, ['dev-1'])
  await bench.deliver()
  assert.deepEqual([first, rotated.secret].map(verifies), [true, true])
  bench.setTime(new Date(realStart.getTime() + 60_000))
  await bench.publish(caller.resellerId, ['dev-2'])
  await bench.deliver()
  assert.deepEqual([first, rotated.secret].map(verifies), [false, true])
  for (let i = 0; i < 4; i++) okBody(await rotate())
  assert.equal((await rotate()).status, 409)
  bench.setTime(START)
})
