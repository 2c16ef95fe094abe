// Goal: another tenant's resource returns the same 404 as a missing one, and cannot be changed. Method: every operation of the documents that takes an id, in
// its path, query or body, is called with the ids of another reseller, and with those of another sub-client under a pinned key. Each
// answer must equal the one for an id of the same form that nobody has, apart from the request id; afterwards the others' things are as
// they were.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { untilTaken } from '@roadworthy/platform/test-support'
import { insertFinding } from '../support/insert-finding.ts'
import { makeBill } from '../support/make-bill.ts'
import { makePayment } from '../support/make-payment.ts'
import { makeSim } from '../support/make-sim.ts'
import { type Route, readOpenApi, routesOf, scopesOf } from '../support/open-api.ts'
import type { Answer } from '../support/running-platform.ts'
import { type Caller, callerAt, ok, openService, type Row, type Tenant } from '../support/service.ts'
import { type IdKind, type Ids, idKinds, queryKinds, unknownIds } from './ids-of-nobody.ts'

// A webhook must have somewhere to go; it is paused before anything is sent.
const service = await openService({ after }, { flags: ['--webhook-allow-cidrs', '127.0.0.0/8'] })
const WEBHOOK_URL = 'http://127.0.0.1:9999/'
const CHANNEL = { name: 'Dispatch', kind: 'webhook', url: WEBHOOK_URL }
const routes = (['external', 'platform-v1', 'sim-billing'] as const).flatMap((name) => routesOf(readOpenApi(name)))

/** What stands for each path parameter. An operation with one that is not here fails the test: it has not been thought about. */
const pathKinds: readonly [template: RegExp, kinds: readonly IdKind[]][] = [
  [/\/sub-clients\/\{/, ['subClient']],
  [/sim-billing\/customers\/\{/, ['subClient']],
  [/sim-billing\/rate-plans\/\{/, ['ratePlan']],
  [/sim-billing\/invoices\/\{/, ['invoice']],
  [/\/devices\/\{/, ['device', 'imei']],
  [/\/vehicles\/\{/, ['vehicle', 'vehicleRef']],
  [/external\/telemetry\/\{/, ['reading']],
  [/v1\/alerts\/\{/, ['alert']],
  [/v1\/incidents\/\{/, ['incident']],
  [/v1\/api-keys\/\{/, ['key']],
  [/v1\/vehicle-groups\/\{/, ['vehicleGroup']],
  [/v1\/webhooks\/\{/, ['webhook']],
  [/v1\/notification-rules\/\{/, ['notificationRule']],
  [/v1\/notification-channels\/\{/, ['notificationChannel']],
  [/v1\/maintenance\/schedules\/\{/, ['schedule']],
  [/v1\/maintenance\/\{/, ['maintenance']],
  // What is in this path is no id but what lets in: who has it may see the calendar.
  [/v1\/calendars\/\{/, []],
  // Of who is signed in; a key has none: see push-subscriptions.db.test.ts and personal-rules.db.test.ts.
  [/v1\/session\/push-subscriptions\/\{/, []],
  [/v1\/session\/notification-rules\/\{/, []],
  [/v1\/users\/\{/, ['user']],
  [/v1\/brands\/sub-clients\/\{/, ['subClient']],
  [/sim-billing\/sims\/\{/, ['sim', 'iccid']],
  [/sim-billing\/operator-connections\/\{/, ['operatorConnection']],
  [/sim-billing\/gateway-connections\/\{/, ['gatewayConnection']],
  // For gateways: what is not signed with the secret of a connection is answered the same for all of them.
  [/sim-billing\/payments\/callback\/\{/, []],
  // The token in this path is what lets in; it names its device.
  [/external\/ingest\/(torque|freematics)\/\{/, []],
  [/sim-billing\/payments\/\{/, ['payment']],
  [/sim-billing\/sync\/\{/, ['sync']],
]

const [RENAMED, SUSPENDED] = [{ name: 'taken over' }, { name: 'taken over', status: 'suspended' }]
/** Bodies that would do something, were the id in the path one's own. */
const harmlessBodies: Readonly<Record<string, Row>> = {
  ...{ updateSubClient: SUSPENDED, changeSubClient: SUSPENDED, updateDevice: SUSPENDED, changeDevice: SUSPENDED },
  ...{ updateOperatorConnection: RENAMED, updateGatewayConnection: RENAMED },
  putBillingCustomer: { enabled: false },
  ...{ putRatePlan: { name: 'taken over' }, voidInvoice: { reason: 'taken over' }, createCreditNote: { reason: 'taken over' } },
  ...{ updateVehicle: { name: 'taken over', status: 'retired' }, changeVehicle: { name: 'taken over', status: 'retired' } },
  changeAlert: { status: 'resolved' },
  changeIncident: { status: 'resolved', resolution: { reason: 'other' } },
  ...{ rotateDeviceCredentials: {}, issueTrackerToken: {}, sendFreematicsPacket: {}, startMessageRecording: {}, testWebhook: {} },
  rotateApiKey: {},
  changeWebhook: { description: 'taken over' },
  ...{
    changeVehicleGroup: RENAMED,
    changeNotificationRule: { name: 'taken over' },
    changePersonalNotificationRule: { name: 'taken over' },
    changeNotificationChannel: { name: 'taken over' },
  },
  recoverWebhookDeliveries: { since: '2026-01-31T08:15:00.000Z' },
  ...{ changeMaintenance: { notes: 'taken over' }, completeMaintenance: { notes: 'taken over' } },
  changeMaintenanceSchedule: { title: 'taken over' },
  correctVehicleOdometer: { odometer_km: 7, reason: 'taken over' },
  changeUser: { status: 'deactivated' },
  putSubClientBrand: { name: 'taken over' },
  putSubClientLogo: {},
  ...{ activateSim: {}, suspendSim: {}, parkSim: {}, terminateSim: {}, payInvoice: {}, updateSim: { metadata: { taken: 'over' } } },
  recordPayment: { amount_minor: 1, currency: 'INR', method: 'cash', received_on: '2026-01-31' },
  ...{ refundPayment: { reason: 'taken over' }, abandonPayment: { reason: 'taken over' }, reversePayment: { reason: 'taken over' } },
}

/** Bodies that name a thing. A vehicle reference is left out where an unknown one is taken too. */
const bodies: readonly [path: string, make: (id: string) => unknown, kinds: readonly IdKind[]][] = [
  ['POST /api/external/devices', (id) => ({ name: 'mine', sub_client_id: id }), ['subClient']],
  ['POST /api/external/devices', (id) => ({ name: 'mine', vehicle: { mode: 'link', vehicle_id: id } }), ['vehicle', 'vehicleRef']],
  ['POST /api/v1/devices', (id) => ({ name: 'mine', subClientId: id }), ['subClient']],
  ['POST /api/v1/devices', (id) => ({ name: 'mine', vehicle: { mode: 'link', vehicleId: id } }), ['vehicle', 'vehicleRef']],
  ['POST /api/external/vehicles', (id) => ({ make: 'mine', sub_client_id: id }), ['subClient']],
  ['POST /api/external/vehicles', (id) => ({ make: 'mine', device_id: id }), ['device', 'imei']],
  ['POST /api/external/telemetry', (id) => ({ device_id: id, speed: 1 }), ['device', 'imei']],
  ['POST /api/external/telemetry', (id) => ({ vehicle_id: 'own-truck', sub_client_id: id, speed: 1 }), ['subClient']],
  ['POST /api/external/telemetry/batch', (id) => [{ device_id: id, speed: 1 }], ['device', 'imei']],
  ['POST /api/external/track', (id) => ({ device_id: id, lat: 1, lon: 1 }), ['device', 'imei']],
  ['POST /api/external/track/batch', (id) => [{ device_id: id, lat: 1, lon: 1 }], ['device', 'imei']],
  ['POST /api/external/ingest/traccar', (id) => ({ position: {}, device: { uniqueId: id } }), ['device', 'imei']],
  ['POST /api/external/ingest/flespi', (id) => [{ ident: id }], ['device', 'imei']],
  ['POST /api/external/predict', (id) => ({ vehicle_id: id, sensor_data: { rpm: 900 } }), ['vehicle']],
  ['POST /api/v1/notification-rules', (id) => ({ name: 'mine', minSeverity: 'low', recipients: [id] }), ['user']],
  [
    'POST /api/v1/notification-rules',
    (id) => ({ name: 'mine', minSeverity: 'low', recipients: ['nch-00000000000000000000'], vehicleGroupIds: [id] }),
    ['vehicleGroup'],
  ],
  ['POST /api/v1/vehicle-groups', (id) => ({ name: 'mine', subClientId: id }), ['subClient']],
  ['POST /api/v1/vehicle-groups', (id) => ({ name: 'mine', vehicleIds: [id] }), ['vehicle', 'vehicleRef']],
  ['POST /api/v1/webhooks', (id) => ({ url: WEBHOOK_URL, subClientId: id }), ['subClient']],
  ['POST /api/v1/maintenance', (id) => ({ vehicleId: id, component: 'brakes', status: 'completed' }), ['vehicle', 'vehicleRef']],
  [
    'POST /api/v1/maintenance/schedules',
    (id) => ({ vehicleId: id, component: 'brakes', title: 'mine', every: { days: 1 } }),
    ['vehicle', 'vehicleRef'],
  ],
  ['POST /api/v1/api-keys', (id) => ({ name: 'mine', scopes: ['*'], subClientId: id }), ['subClient']],
  ['POST /api/sim-billing/invoices/draft', (id) => ({ month: '2026-01', sub_client_id: id }), ['subClient']],
  ['POST /api/sim-billing/sims', (id) => ({ connection_id: id, iccid: '8991000999999999998' }), ['operatorConnection']],
  ['POST /api/v1/users', (id) => ({ email: 'me@example.com', role: 'sub_client_viewer', subClientId: id }), ['subClient']],
]

const owner = await service.newTenant()
const theirs = await makeOne(owner, 'theirs', '356938035643809')
const siblings = await makeOne(owner, 'siblings', '356938035643817')
const stranger = await service.newTenant()

async function makeOne(tenant: Tenant, subClient: string, imei: string): Promise<Ids> {
  ok(await tenant.external('POST', '/sub-clients', { body: { name: subClient, sub_client_id: subClient } }))
  const vehicleRef = `truck-of-${subClient}`
  const vehicleBody = { external_ref: vehicleRef, sub_client_id: subClient, vin: `VIN00${imei.slice(-12)}` }
  const { vehicle_id: vehicle } = ok<{ vehicle_id: string }>(await tenant.external('POST', '/vehicles', { body: vehicleBody }))
  const deviceBody = { imei, sub_client_id: subClient, vehicle: { mode: 'link', vehicle_id: vehicle } }
  const { device_id: device } = ok<{ device_id: string }>(await tenant.external('POST', '/devices', { body: deviceBody }))
  const record = { device_id: device, lat: 12.97, lon: 77.59, coolant_temp: 92 }
  const { telemetry_id: reading } = ok<{ telemetry_id: string }>(await tenant.external('POST', '/telemetry', { body: record }))
  const key = await tenant.makeKey({ scopes: ['*'], subClientId: subClient })
  const person = { email: `viewer@${tenant.slug}.${subClient}.example`, role: 'sub_client_viewer', subClientId: subClient }
  const { user } = ok<{ user: { id: string } }>(await tenant.platform('POST', '/users', { body: person }))
  const rule = { name: 'Theirs', subClientId: subClient, minSeverity: 'high', recipients: [user.id] }
  const group = { name: 'Theirs', subClientId: subClient, vehicleIds: [vehicle] }
  const work = { vehicleId: vehicle, component: 'brakes' }
  const { id: maintenance } = ok<{ id: string }>(await tenant.platform('POST', '/maintenance', { body: { ...work, status: 'planned' } }))
  const due = { ...work, title: 'Brake pads', every: { days: 365 } }
  const { id: schedule } = ok<{ id: string }>(await tenant.platform('POST', '/maintenance/schedules', { body: due }))
  const { alertId: alert, incidentId: incident } = await insertFinding(service.database, tenant.slug, vehicle)
  const { invoice, ratePlan } = await makeBill(service.database, tenant, subClient)
  const sim = await makeSim(tenant.simBilling, `8991${imei}`, { sub_client_id: subClient })
  const { sync } = ok<{ sync: { id: string } }>(await tenant.simBilling('POST', '/sync', { body: { scope: 'invoices' } }))
  return {
    sim: sim.id,
    iccid: sim.iccid,
    operatorConnection: sim.connectionId,
    invoice,
    ratePlan,
    ...(await makePayment(service.database, tenant, invoice, subClient)),
    sync: sync.id,
    subClient,
    device,
    imei,
    vehicle,
    vehicleRef,
    reading,
    alert,
    incident,
    key: key.id,
    vehicleGroup: ok<{ id: string }>(await tenant.platform('POST', '/vehicle-groups', { body: group })).id,
    webhook: await makeWebhook(tenant, subClient),
    notificationRule: ok<{ id: string }>(await tenant.platform('POST', '/notification-rules', { body: rule })).id,
    notificationChannel: ok<{ channel: { id: string } }>(
      await tenant.platform('POST', '/notification-channels', { body: { ...CHANNEL, subClientId: subClient } }),
    ).channel.id,
    maintenance,
    schedule,
    user: user.id,
  }
}

async function makeWebhook(tenant: Tenant, subClientId: string): Promise<string> {
  const made = await tenant.platform('POST', '/webhooks', { body: { url: WEBHOOK_URL, subClientId } })
  const { id } = ok<{ webhook: { id: string } }>(made).webhook
  ok(await tenant.platform('POST', `/webhooks/${id}/pause`))
  return id
}

function textOf({ status, body }: Answer, id: string): string {
  const text = JSON.stringify(body, (key, value) => (key === 'request_id' || key === 'processing_time_ms' ? '' : value))
  return `${status} ${text.replaceAll(id, '<id>')}`
}

/** Asks once with the other's id and once with nobody's. A 200 is good only as the empty page, the batch of which nothing is stored, or no line, that nobody's id gets. */
async function assertAsIfMissing(
  ask: (id: string) => Promise<Answer>,
  kinds: readonly IdKind[],
  others: Ids,
  what: string,
): Promise<number> {
  for (const kind of kinds) {
    const known = textOf(await ask(others[kind]), others[kind])
    assert.equal(known, textOf(await ask(unknownIds[kind]), unknownIds[kind]), `${what} with a ${kind}`)
    assert.match(known, /^(404 |400 .*device_not_found|200 (.*"(total|records_processed)":0,|{}$))/, `${what} with a ${kind}`)
  }
  return kinds.length
}

async function assertNothingIsReached(call: Caller, others: Ids, asking = routes): Promise<number> {
  let asked = 0
  for (const { method, path, operation } of asking) {
    const what = `${method} ${path}`
    const body = harmlessBodies[operation.operationId]
    const send = (target: string) => call(method, target, body === undefined ? {} : { body })
    // Public: a logo is found by its content, and shows whose it is to anybody.
    if (path.includes('{') && operation.operationId !== 'getLogo') {
      const kinds = pathKinds.find(([template]) => template.test(path))?.[1]
      assert.ok(kinds !== undefined, `${what} takes an id that this test does not know`)
      assert.ok(operation.requestBody === undefined || body !== undefined, `${what} takes a body that this test does not know`)
      asked += await assertAsIfMissing((id) => send(path.replace(/\{\w+\}/, id)), kinds, others, what)
    }
    for (const { name, in: place } of operation.parameters ?? []) {
      const kinds = place === 'query' && !path.includes('{') ? (queryKinds[name] ?? []) : []
      asked += await assertAsIfMissing((id) => send(`${path}?${name}=${id}`), kinds, others, `${what}?${name}`)
    }
  }
  for (const [what, make, kinds] of bodies) {
    const [method = '', path = ''] = what.split(' ')
    if (!asking.some((route) => route.method === method && route.path === path)) continue
    asked += await assertAsIfMissing((id) => call(method, path, { body: make(id) }), kinds, others, `${what} ${JSON.stringify(make('…'))}`)
  }
  return asked
}

/** All of one's things, as their owner sees them; without what passes by itself. */
async function shown(ids: Ids): Promise<unknown> {
  const paths = [
    `/api/external/sub-clients/${ids.subClient}`,
    `/api/external/devices/${ids.device}`,
    `/api/external/vehicles/${ids.vehicle}`,
    `/api/external/telemetry/${ids.reading}`,
    `/api/v1/vehicles/${ids.vehicle}/readings`,
    `/api/v1/alerts/${ids.alert}`,
    `/api/v1/incidents/${ids.incident}`,
    `/api/v1/vehicle-groups/${ids.vehicleGroup}`,
    `/api/v1/webhooks/${ids.webhook}`,
    `/api/v1/notification-rules/${ids.notificationRule}`,
    `/api/v1/maintenance/${ids.maintenance}`,
    `/api/v1/maintenance/schedules/${ids.schedule}`,
    `/api/v1/vehicles/${ids.vehicle}/odometer`,
    `/api/v1/users/${ids.user}`,
    `/api/v1/brands/sub-clients/${ids.subClient}`,
    `/api/sim-billing/sims/${ids.sim}`,
    `/api/sim-billing/sims/${ids.sim}/history`,
    `/api/sim-billing/operator-connections/${ids.operatorConnection}`,
    `/api/sim-billing/invoices/${ids.invoice}`,
    `/api/sim-billing/rate-plans/${ids.ratePlan}`,
    `/api/sim-billing/customers/${ids.subClient}`,
    `/api/sim-billing/gateway-connections/${ids.gatewayConnection}`,
    `/api/sim-billing/payments/${ids.payment}`,
    `/api/sim-billing/sync/${ids.sync}`,
  ]
  const all = callerAt(service.baseUrl, owner.key)
  const answers = []
  for (const path of paths) answers.push(ok<Row>(await all('GET', path)))
  const { apiKeys } = ok<{ apiKeys: Row[] }>(await all('GET', '/api/v1/api-keys'))
  const passing = new Set(['health_score', 'from', 'to', 'lastUsedAt', 'lastSeenAt', 'occurrences', 'updatedAt', 'online', 'reviewedAt'])
  const key = apiKeys.find(({ id }) => id === ids.key)
  return JSON.parse(JSON.stringify([...answers, key], (name, value) => (passing.has(name) ? undefined : value)))
}

test('another reseller reaches nothing, and gets the same answer for what exists and what does not', async (t) => {
  const before = await shown(theirs)
  const asked = await assertNothingIsReached(callerAt(service.baseUrl, stranger.key), theirs)
  t.diagnostic(`${asked} pairs of calls`)
  assert.ok(asked > 50)
  assert.deepEqual(await shown(theirs), before)
})

test('a key pinned to one sub-client reaches nothing of another, and gets the same answer for what exists and what does not', async (t) => {
  const before = await shown(theirs)
  const pinned = await owner.makeKey({ scopes: ['*'], subClientId: siblings.subClient })
  const asked = await assertNothingIsReached(callerAt(service.baseUrl, pinned.secret), theirs)
  t.diagnostic(`${asked} pairs of calls`)
  assert.ok(asked > 50)
  assert.deepEqual(await shown(theirs), before)
})

test('a person who is to see one sub-client reaches nothing of another, and changes nothing of its own', async (t) => {
  const before = [await shown(theirs), await shown(siblings)]
  const person = { email: `one@${owner.slug}.example`, role: 'sub_client_viewer', subClientId: siblings.subClient }
  const { invitation } = ok<{ invitation: { url: string } }>(await owner.platform('POST', '/users', { body: person }))
  const body = { token: new URL(invitation.url).hash.slice(1), password: 'correct horse battery' }
  const accepted = await callerAt(service.baseUrl, null)('POST', '/api/v1/session/password', { body })
  ok(accepted)
  const [cookie = ''] = (accepted.headers.get('set-cookie') ?? '').split(';')
  const viewer: Caller = (method, path, options) =>
    callerAt(service.baseUrl, null)(method, path, { ...options, headers: { ...options?.headers, cookie } })

  // Sessions let in on the Platform API only, and what asks for full access is open to no viewer.
  const ofPlatform = routes.filter(({ path, operation }) => path.startsWith('/api/v1/') && scopesOf(operation).length > 0)
  const [open, closed] = [isReadable, (route: Route) => !isReadable(route)].map((those) => ofPlatform.filter(those))
  const asked = await assertNothingIsReached(viewer, theirs, open)
  t.diagnostic(`${asked} pairs of calls, ${closed?.length} operations closed`)
  assert.ok(asked >= 10)
  for (const { method, path, operation } of closed ?? []) {
    const { status, body: answer } = await viewer(
      method,
      path.replace(/\{\w+\}/, siblings.subClient),
      operation.requestBody === undefined ? {} : { body: {} },
    )
    assert.equal(status, 403, `${method} ${path} ${JSON.stringify(answer)}`)
  }
  assert.deepEqual([await shown(theirs), await shown(siblings)], before)
})

/** To somebody who may look at everything but keys, people, brands and the audit log. */
function isReadable({ method, operation }: Route): boolean {
  return method === 'GET' && scopesOf(operation).some((scope) => scope.endsWith(':read') || scope === 'predict')
}

test('a prediction asked about a reference is of the caller’s own naming: it reveals nothing of who else has one', async () => {
  const pinned = await owner.makeKey({ scopes: ['*'], subClientId: siblings.subClient })
  const timestamp = new Date().toISOString()
  for (const key of [stranger.key, pinned.secret]) {
    const ask = async (reference: string) => {
      const body = { vehicle_id: reference, sensor_data: { rpm: 900, coolant_temp: 118 }, timestamp }
      const answer = ok<Row>(await untilTaken(() => callerAt(service.baseUrl, key)('POST', '/api/external/predict', { body })))
      return JSON.stringify({ ...answer, processed_at: '' }).replaceAll(reference, '<id>')
    }
    assert.equal(await ask(theirs.vehicleRef), await ask(unknownIds.vehicleRef))
  }
})

const ofReseller = [
  '/api/v1/audit',
  '/api/sim-billing/operator-connections',
  '/api/sim-billing/rate-plans',
  '/api/sim-billing/gateway-connections',
]

/** Holds the ids that its reader asked for: whose calls are in it is what counts. */
const ofCalls = '/api/v1/request-log'

test('the request log of another reseller, and of a pinned key, holds no call of these', async () => {
  const pinned = await owner.makeKey({ scopes: ['*'], subClientId: siblings.subClient })
  const keyIdsFor = async (key: string, query = '') =>
    new Set(
      ok<{ requests: { keyId: string }[] }>(await callerAt(service.baseUrl, key)('GET', `${ofCalls}?limit=500${query}`)).requests.map(
        ({ keyId }) => keyId,
      ),
    )
  const [ours, ofStranger, ofPinned] = [await keyIdsFor(owner.key), await keyIdsFor(stranger.key), await keyIdsFor(pinned.secret)]
  assert.ok(ours.size > 0 && ofStranger.size > 0)
  for (const keyId of ours) assert.ok(!ofStranger.has(keyId))
  // The first key of the reseller made the most calls, and is pinned to nothing.
  const { apiKeys } = ok<{ apiKeys: { id: string; name: string }[] }>(await owner.platform('GET', '/api-keys?limit=500'))
  const first = apiKeys.find(({ name }) => name === 'test')?.id ?? assert.fail()
  assert.ok((await keyIdsFor(owner.key, `&keyId=${first}`)).has(first))
  assert.ok(!ofPinned.has(first) && (await keyIdsFor(pinned.secret, `&keyId=${first}`)).size === 0)
})

test('the lists of another reseller are empty; those of a pinned key hold only what is of its sub-client', async () => {
  const pinned = await owner.makeKey({ scopes: ['*'], subClientId: siblings.subClient })
  const lists = routes.filter(
    ({ method, path, operation }) =>
      method === 'GET' && !path.includes('{') && operation.operationId.startsWith('list') && path !== ofCalls,
  )
  assert.ok(lists.length >= 9)
  for (const { path } of lists) {
    const all = JSON.stringify(ok(await callerAt(service.baseUrl, owner.key)('GET', path)))
    const ofStranger = JSON.stringify(ok(await callerAt(service.baseUrl, stranger.key)('GET', path)))
    const ofPinned = JSON.stringify(ok(await callerAt(service.baseUrl, pinned.secret)('GET', path)))
    for (const kind of idKinds) {
      assert.ok(!ofStranger.includes(theirs[kind]), `${path}: ${ofStranger}`)
      assert.ok(!ofPinned.includes(theirs[kind]), `${path}: ${ofPinned}`)
      // Who changed what, accounts at operators, and how invoices are made, are the reseller's own: a pinned key sees nothing of them.
      if (all.includes(theirs[kind]) && !ofReseller.includes(path))
        assert.ok(ofPinned.includes(siblings[kind]), `${path}: ${kind} of its own is missing in ${ofPinned}`)
    }
  }
})

test('the same names may be used by two resellers, each for its own', async () => {
  const { sub_client: subClient } = ok<{ sub_client: Row }>(
    await stranger.external('POST', '/sub-clients', { body: { name: 'Mine', sub_client_id: theirs.subClient } }),
  )
  assert.equal(subClient['device_count'], 0)
  const device = ok<Row>(await stranger.external('POST', '/devices', { body: { imei: theirs.imei } }))
  assert.notEqual(device['device_id'], theirs.device)
  const reading = { device_id: theirs.imei, vehicle_id: theirs.vehicleRef, speed: 3 }
  const stored = ok<Row>(await stranger.external('POST', '/telemetry', { body: reading }))
  assert.equal(stored['device_id'], device['device_id'])
  assert.notEqual(stored['vehicle_id'], theirs.vehicle)
  const vin = `VIN00${theirs.imei.slice(-12)}`
  const { vehicle_id: vehicleId } = ok<Row>(await stranger.external('POST', '/vehicles', { body: { vin, make: 'Mine' } }))
  assert.notEqual(vehicleId, theirs.vehicle)
})
