// Goal: every change is in the audit log, once, with who made it, and nothing else is. Method: every operation of the documents that is
// not a GET is called so that it changes something, under a request id of its own; the log is then asked for the rows of that id. An
// operation that is not in the table fails the test: it has not been thought about.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { untilTaken } from '@roadworthy/platform/test-support'
import { insertFinding } from '../support/insert-finding.ts'
import { readOpenApi, routesOf } from '../support/open-api.ts'
import type { Answer } from '../support/running-platform.ts'
import { callerAt, ok, openService, type Row } from '../support/service.ts'
import { until } from '../support/until.ts'
import { billingChanges } from './audited-billing-changes.ts'
import { fleetChanges, platformFleetChanges } from './audited-fleet-changes.ts'
import { notificationChanges } from './audited-notification-changes.ts'
import { paymentChanges } from './audited-payment-changes.ts'
import { readingCalls, registerPhone } from './audited-reading-calls.ts'
import { type Changes, simChanges } from './audited-sim-changes.ts'

type Entry = {
  readonly at: string
  readonly actor: { readonly type: string; readonly id: string; readonly name: string | null }
  readonly action: string
  readonly objectId: string
  readonly subClientId: string | null
  readonly requestId: string | null
  readonly address: string | null
  readonly changes: Readonly<Record<string, { from?: unknown; to?: unknown }>>
}

const allowed = ['--webhook-allow-cidrs', '--stream-allow-cidrs', '--operator-allow-cidrs', '--gateway-allow-cidrs'].flatMap((flag) => [
  flag,
  '127.0.0.0/8',
])
const service = await openService({ after }, { flags: allowed })
const tenant = await service.newTenant()
const PASSWORD = 'correct horse battery'
const open = callerAt(service.baseUrl, null)
const all = callerAt(service.baseUrl, tenant.key)
/** Enough of one to be taken for one. */
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
const EXTERNAL = '/api/external'
const PLATFORM = '/api/v1'
let made = 0
const unique = () => `${++made}`

async function makeSubClient(): Promise<string> {
  const body = { name: 'Depot', sub_client_id: `depot-${unique()}` }
  return ok<{ sub_client: { sub_client_id: string } }>(await all('POST', `${EXTERNAL}/sub-clients`, { body })).sub_client.sub_client_id
}
async function makeDevice(): Promise<string> {
  return ok<{ device_id: string }>(await all('POST', `${EXTERNAL}/devices`, { body: { name: 'Device', imei: imei() } })).device_id
}
const makeDeviceWithToken = async () => (await registerPhone(all)).device_id
const imei = () => `35693803${String(1_000_000 + Number(unique())).slice(1)}`
async function makeFinding(): Promise<{ alertId: string; incidentId: string }> {
  const { vehicle_id: vehicleId } = ok<{ vehicle_id: string }>(
    await all('POST', `${EXTERNAL}/vehicles`, { body: { external_ref: `truck-${unique()}` } }),
  )
  return await insertFinding(service.database, tenant.slug, vehicleId)
}
async function makeVehicle(): Promise<string> {
  const body = { external_ref: `truck-${unique()}` }
  return ok<{ vehicle_id: string }>(await all('POST', `${EXTERNAL}/vehicles`, { body })).vehicle_id
}
/** Of some thing of the Platform API, its id. */
async function makeAt(path: string, body: object): Promise<string> {
  return ok<{ id: string }>(await all('POST', `${PLATFORM}${path}`, { body })).id
}
const makeWork = async (more: object = { status: 'planned' }) =>
  makeAt('/maintenance', { vehicleId: await makeVehicle(), component: 'brakes', ...more })
const makeSchedule = async () =>
  makeAt('/maintenance/schedules', { vehicleId: await makeVehicle(), component: 'brakes', title: 'Pads', every: { days: 90 } })
/** Where nobody listens: what is sent there waits to be sent again. */
const WEBHOOK_URL = 'http://127.0.0.1:9999/'
const STREAM = { enabled: false, brokers: ['127.0.0.1:9999'], topic: 'telemetry' }
async function makeWebhook(): Promise<string> {
  return ok<{ webhook: { id: string } }>(await all('POST', `${PLATFORM}/webhooks`, { body: { url: WEBHOOK_URL } })).webhook.id
}
/** The delivery of a test, once it is there. */
async function makeDelivery(): Promise<string> {
  const path = `${PLATFORM}/webhooks/${await makeWebhook()}`
  ok(await all('POST', `${path}/test`))
  let id: string | undefined
  await until('the test is in the delivery log', async () => {
    id = ok<{ deliveries: { id: string }[] }>(await all('GET', `${path}/deliveries`)).deliveries[0]?.id
    return id !== undefined
  })
  return `${path}/deliveries/${id}`
}
async function invite(): Promise<{ id: string; email: string; token: string }> {
  const body = { email: `person${unique()}@${tenant.slug}.example`, role: 'viewer' }
  const { user, invitation } = ok<{ user: { id: string; email: string }; invitation: { url: string } }>(
    await all('POST', `${PLATFORM}/users`, { body }),
  )
  return { ...user, token: invitation.url.split('#')[1] ?? '' }
}
async function join(): Promise<{ id: string; email: string; cookie: string }> {
  const { id, email, token } = await invite()
  const accepted = await open('POST', `${PLATFORM}/session/password`, { body: { token, password: PASSWORD } })
  ok(accepted)
  return { id, email, cookie: (accepted.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
}

const makeVehicleGroup = () => makeAt('/vehicle-groups', { name: imei() })
const make = { makeSubClient, makeDevice, makeDeviceWithToken, makeVehicle, makeVehicleGroup, imei }

/** By operation: what to call, and the action that the log must name; undefined where the call is no change. */
const changes: Changes = {
  ...fleetChanges(make),
  changeAlert: [
    'alert.acknowledged',
    async (ask) => ask('PATCH', `${PLATFORM}/alerts/${(await makeFinding()).alertId}`, { status: 'acknowledged' }),
  ],
  changeIncident: [
    'incident.acknowledged',
    async (ask) => ask('PATCH', `${PLATFORM}/incidents/${(await makeFinding()).incidentId}`, { status: 'acknowledged' }),
  ],
  putMaintenanceSettings: ['reseller.updated', (ask) => ask('PUT', `${PLATFORM}/settings/maintenance`, { leadDays: 3 })],
  putReadingsRetention: ['readings_retention.updated', (ask) => ask('PUT', `${PLATFORM}/settings/readings-retention`, { days: 500 })],
  createApiKey: ['api_key.created', (ask) => ask('POST', `${PLATFORM}/api-keys`, { name: 'made', scopes: ['devices:read'] })],
  rotateApiKey: [
    'api_key.rotated',
    async (ask) => ask('POST', `${PLATFORM}/api-keys/${(await tenant.makeKey({ scopes: ['predict'] })).id}/rotate`, {}),
  ],
  revokeApiKey: [
    'api_key.revoked',
    async (ask) => ask('DELETE', `${PLATFORM}/api-keys/${(await tenant.makeKey({ scopes: ['predict'] })).id}`),
  ],
  inviteUser: ['user.invited', (ask) => ask('POST', `${PLATFORM}/users`, { email: `new@${tenant.slug}.example`, role: 'member' })],
  changeUser: ['user.updated', async (ask) => ask('PATCH', `${PLATFORM}/users/${(await invite()).id}`, { role: 'member' })],
  removeUser: ['user.removed', async (ask) => ask('DELETE', `${PLATFORM}/users/${(await invite()).id}`)],
  signIn: ['user.signed_in', async (ask) => ask('POST', `${PLATFORM}/session`, { email: (await join()).email, password: PASSWORD })],
  signOut: ['user.signed_out', async (ask) => ask('DELETE', `${PLATFORM}/session`, undefined, (await join()).cookie)],
  changePassword: [
    'user.password_changed',
    async (ask) => ask('PUT', `${PLATFORM}/session/password`, { current: PASSWORD, next: 'staple battery horse' }, (await join()).cookie),
  ],
  setPassword: [
    'user.invitation_accepted',
    async (ask) => ask('POST', `${PLATFORM}/session/password`, { token: (await invite()).token, password: PASSWORD }),
  ],
  requestPasswordReset: [
    'user.password_reset_requested',
    async (ask) => ask('POST', `${PLATFORM}/session/password-reset`, { email: (await join()).email }),
  ],
  startViewAs: [
    'user.view_as_started',
    async (ask) => ask('PUT', `${PLATFORM}/session/view-as`, { subClientId: await makeSubClient() }, (await join()).cookie),
  ],
  stopViewAs: [
    'user.view_as_stopped',
    async (ask) => {
      const { cookie } = await join()
      const body = { subClientId: await makeSubClient() }
      ok(await open('PUT', `${PLATFORM}/session/view-as`, { body, headers: { cookie } }))
      return ask('DELETE', `${PLATFORM}/session/view-as`, undefined, cookie)
    },
  ],
  ...notificationChanges(
    async (body) => makeAt('/notification-rules', body),
    async (body) => ok<{ channel: { id: string } }>(await all('POST', `${PLATFORM}/notification-channels`, { body })).channel.id,
    { service, invite, join },
  ),
  createWebhook: ['webhook.created', (ask) => ask('POST', `${PLATFORM}/webhooks`, { url: WEBHOOK_URL })],
  changeWebhook: ['webhook.updated', async (ask) => ask('PATCH', `${PLATFORM}/webhooks/${await makeWebhook()}`, { description: 'Ours' })],
  deleteWebhook: ['webhook.deleted', async (ask) => ask('DELETE', `${PLATFORM}/webhooks/${await makeWebhook()}`)],
  rotateWebhookSecret: ['webhook.secret_rotated', async (ask) => ask('POST', `${PLATFORM}/webhooks/${await makeWebhook()}/secret/rotate`)],
  pauseWebhook: ['webhook.paused', async (ask) => ask('POST', `${PLATFORM}/webhooks/${await makeWebhook()}/pause`)],
  resumeWebhook: [
    'webhook.resumed',
    async (ask) => {
      const path = `${PLATFORM}/webhooks/${await makeWebhook()}`
      ok(await all('POST', `${path}/pause`))
      return ask('POST', `${path}/resume`)
    },
  ],
  testWebhook: ['webhook.tested', async (ask) => ask('POST', `${PLATFORM}/webhooks/${await makeWebhook()}/test`)],
  recoverWebhookDeliveries: [
    'webhook.deliveries_recovered',
    async (ask) => ask('POST', `${PLATFORM}/webhooks/${await makeWebhook()}/recover`, { since: '2026-01-31T08:15:00.000Z' }),
  ],
  resendWebhookDelivery: ['webhook.delivery_resent', async (ask) => ask('POST', `${await makeDelivery()}/resend`)],
  createMaintenance: [
    'maintenance.created',
    async (ask) => ask('POST', `${PLATFORM}/maintenance`, { vehicleId: await makeVehicle(), component: 'brakes', status: 'completed' }),
  ],
  completeMaintenance: ['maintenance.completed', async (ask) => ask('POST', `${PLATFORM}/maintenance/${await makeWork()}/complete`, {})],
  changeMaintenance: ['maintenance.updated', async (ask) => ask('PATCH', `${PLATFORM}/maintenance/${await makeWork()}`, { notes: 'Soon' })],
  removeMaintenance: ['maintenance.removed', async (ask) => ask('DELETE', `${PLATFORM}/maintenance/${await makeWork()}`)],
  createMaintenanceSchedule: [
    'maintenance_schedule.created',
    async (ask) => {
      const body = { vehicleId: await makeVehicle(), component: 'brakes', title: 'Pads', every: { days: 90 } }
      return ask('POST', `${PLATFORM}/maintenance/schedules`, body)
    },
  ],
  changeMaintenanceSchedule: [
    'maintenance_schedule.updated',
    async (ask) => ask('PATCH', `${PLATFORM}/maintenance/schedules/${await makeSchedule()}`, { title: 'Discs' }),
  ],
  removeMaintenanceSchedule: [
    'maintenance_schedule.removed',
    async (ask) => ask('DELETE', `${PLATFORM}/maintenance/schedules/${await makeSchedule()}`),
  ],
  correctVehicleOdometer: [
    'vehicle.odometer_corrected',
    async (ask) => ask('POST', `${PLATFORM}/vehicles/${await makeVehicle()}/odometer`, { odometer_km: 7, reason: 'New cluster' }),
  ],
  createCalendarLink: [
    'vehicle.calendar_link_created',
    async (ask) => ask('POST', `${PLATFORM}/vehicles/${await makeVehicle()}/calendar-link`),
  ],
  revokeCalendarLink: [
    'vehicle.calendar_link_revoked',
    async (ask) => {
      const path = `${PLATFORM}/vehicles/${await makeVehicle()}/calendar-link`
      ok(await all('POST', path))
      return ask('DELETE', path)
    },
  ],
  putResellerBrand: ['brand.updated', (ask) => ask('PUT', `${PLATFORM}/brands/reseller`, { name: 'Acme Fleet' })],
  putResellerLogo: ['brand.logo_changed', (ask) => ask('PUT', `${PLATFORM}/brands/reseller/logo`, PNG)],
  removeResellerLogo: ['brand.logo_removed', (ask) => ask('DELETE', `${PLATFORM}/brands/reseller/logo`)],
  putSubClientBrand: [
    'brand.updated',
    async (ask) => ask('PUT', `${PLATFORM}/brands/sub-clients/${await makeSubClient()}`, { name: 'North' }),
  ],
  putSubClientLogo: ['brand.logo_changed', async (ask) => ask('PUT', `${PLATFORM}/brands/sub-clients/${await makeSubClient()}/logo`, PNG)],
  removeSubClientLogo: [
    'brand.logo_removed',
    async (ask) => {
      const path = `${PLATFORM}/brands/sub-clients/${await makeSubClient()}/logo`
      ok(await sendImage(tenant.key, path))
      return ask('DELETE', path)
    },
  ],
  putDemoFleet: [undefined, (ask) => ask('PUT', `${PLATFORM}/demo-fleet`, { running: false })],
  putStreamConnection: ['stream_connection.created', (ask) => ask('PUT', `${PLATFORM}/stream-connection`, STREAM)],
  testStreamConnection: [
    undefined,
    async (ask) => {
      ok(await all('PUT', `${PLATFORM}/stream-connection`, { body: STREAM }))
      return ask('POST', `${PLATFORM}/stream-connection/test`)
    },
  ],
  deleteStreamConnection: [
    'stream_connection.deleted',
    async (ask) => {
      ok(await all('PUT', `${PLATFORM}/stream-connection`, { body: STREAM }))
      return ask('DELETE', `${PLATFORM}/stream-connection`)
    },
  ],
  ...simChanges(service, tenant, imei),
  ...billingChanges({ database: service.database, tenant, makeSubClient, unique }),
  ...paymentChanges({ service, tenant, makeSubClient, hooks: { after } }),
  startSync: ['sim_sync.started', (ask) => ask('POST', '/api/sim-billing/sync', { scope: 'invoices' })],
  ...readingCalls({ all, makeDevice }),
  tryPrediction: [undefined, (ask) => untilTaken(() => ask('POST', `${PLATFORM}/predictions/try`, { reading: { rpm: 900 } }))],
  predict: [undefined, (ask) => untilTaken(() => ask('POST', `${EXTERNAL}/predict`, { vehicle_id: 'truck', sensor_data: { rpm: 900 } }))],
}

async function sendImage(key: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = { 'x-api-key': key, 'content-type': 'image/png', ...headers }
  const response = await fetch(`${service.baseUrl}${path}`, { method: 'PUT', headers: sent, body: PNG })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

async function rowsOf(requestId: string): Promise<Entry[]> {
  const { entries } = ok<{ entries: Entry[] }>(await tenant.platform('GET', '/audit?limit=500'))
  return entries.filter((entry) => entry.requestId === requestId)
}

test('every operation that changes something leaves one row, and those that change nothing leave none', async () => {
  const surfaces = ['external', 'platform-v1', 'sim-billing'] as const
  const writing = surfaces.flatMap((name) => routesOf(readOpenApi(name))).filter(({ method }) => method !== 'GET')
  const operations = writing.map(({ operation }) => operation.operationId)
  assert.deepEqual(
    operations.filter((each) => changes[each] === undefined),
    [],
    'these have not been thought about',
  )
  for (const [operation, [action, run]] of [...Object.entries(changes), ...Object.entries(platformFleetChanges(make))]) {
    assert.ok(operations.includes(operation), `there is no operation ${operation}`)
    const requestId = randomUUID()
    const answer = await run((method, path, body, cookie) => {
      if (body === PNG) return sendImage(tenant.key, path, { 'x-request-id': requestId })
      return callerAt(service.baseUrl, cookie === undefined && !path.startsWith(`${PLATFORM}/session`) ? tenant.key : null)(method, path, {
        ...(body === undefined ? {} : { body }),
        headers: { 'x-request-id': requestId, ...(cookie === undefined ? {} : { cookie }) },
      })
    })
    ok(answer)
    // What an answer must not wait for is done a moment after it; a sign-in that fails waits in the same line, so that its answer comes later.
    if (operation === 'requestPasswordReset') await until('the log has it', async () => (await rowsOf(requestId)).length > 0)
    const rows = await rowsOf(requestId)
    assert.deepEqual(
      rows.map((row) => row.action),
      action === undefined ? [] : [action],
      operation,
    )
    for (const row of rows) {
      assert.equal(row.address, '127.0.0.1')
      assert.ok(['key', 'user', 'anonymous'].includes(row.actor.type), operation)
      assert.notEqual(row.objectId, '', operation)
    }
  }
})

test('a row contains who, what it was and is, and no secret', async () => {
  const deviceId = await makeDevice()
  ok(await all('PUT', `${EXTERNAL}/devices/${deviceId}`, { body: { name: 'Two', sim_number: '8991000900000000001' } }))
  ok(await all('PUT', `${EXTERNAL}/devices/${deviceId}`, { body: { name: 'Two' } }))
  const rotated = ok<{ mqtt_password: string }>(await all('POST', `${EXTERNAL}/devices/${deviceId}/credentials/rotate`))
  const { entries, total } = ok<{ entries: Entry[]; total: number }>(await tenant.platform('GET', `/audit?objectId=${deviceId}`))
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['device.credentials_rotated', 'device.updated', 'device.registered'],
    'a change that changes nothing leaves no row',
  )
  assert.equal(total, 3)
  assert.deepEqual(entries[1]?.changes, { name: { from: 'Device', to: 'Two' }, simNumber: { from: null, to: '8991000900000000001' } })
  assert.equal(entries[1]?.actor.name, 'test')
  const { rows } = await service.database.systemPool.query<{ text: string }>('select json_agg(a)::text as text from audit_log a')
  for (const secret of [rotated.mqtt_password, tenant.key, PASSWORD]) assert.ok(!rows[0]?.text.includes(secret))
})

test('a registration that is repeated shows the credentials again, and the log records it', async () => {
  const body = { imei: imei() }
  const { device_id: deviceId } = ok<{ device_id: string }>(await all('POST', `${EXTERNAL}/devices`, { body }))
  ok(await all('POST', `${EXTERNAL}/devices`, { body }))
  const { entries } = ok<{ entries: Entry[] }>(await tenant.platform('GET', `/audit?objectId=${deviceId}`))
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['device.registration_repeated', 'device.registered'],
  )
})

test('what is refused or replayed leaves no row', async () => {
  const { entries } = ok<{ entries: Entry[] }>(await tenant.platform('GET', '/audit'))
  // Of who calls here: background jobs go on.
  const keyId = entries.find(({ actor }) => actor.name === 'test')?.actor.id
  const count = async () => ok<{ total: number }>(await tenant.platform('GET', `/audit?actor=${keyId}`)).total
  const headers = { 'idempotency-key': randomUUID() }
  const create = () => all('POST', `${EXTERNAL}/sub-clients`, { body: { name: 'Once' }, headers })
  ok(await create())
  const before = await count()
  ok(await create())
  assert.equal((await all('POST', `${EXTERNAL}/sub-clients`, { body: { name: '' } })).status, 400)
  assert.equal((await all('PUT', `${EXTERNAL}/devices/dev-00000000000000000000`, { body: { name: 'x' } })).status, 404)
  assert.equal(await count(), before)
})

test('the log is newest first, page by page, by actor, action and time, and is a pinned key’s not at all', async () => {
  const seen: Entry[] = []
  let after = ''
  for (let page = 0; page < 200; page++) {
    const answer = ok<{ entries: Entry[]; total: number; pagination: { endCursor: string; hasNextPage: boolean } }>(
      await tenant.platform('GET', `/audit?limit=7${after}`),
    )
    seen.push(...answer.entries)
    if (!answer.pagination.hasNextPage) break
    after = `&after=${answer.pagination.endCursor}`
  }
  const times = seen.map(({ at }) => at)
  assert.deepEqual(times, [...times].sort().reverse())
  const ask = async (query: string) => ok<{ entries: Entry[]; total: number }>(await tenant.platform('GET', `/audit?limit=500&${query}`))
  const keyId = seen.find(({ actor }) => actor.name === 'test')?.actor.id
  assert.equal((await ask(`actor=${keyId}`)).total, seen.filter(({ actor }) => actor.id === keyId).length)
  assert.equal((await ask('action=user.invited')).total, seen.filter(({ action }) => action === 'user.invited').length)
  const middle = times[Math.floor(times.length / 2)] ?? ''
  // Up to the newest that was seen: background jobs go on.
  const [newest = ''] = times
  assert.equal((await ask(`from=${middle}&to=${newest}`)).total, times.filter((at) => at >= middle && at < newest).length)
  assert.equal((await ask(`to=${middle}`)).total, times.filter((at) => at < middle).length)
  for (const query of ['from=yesterday', 'actor=%00', 'action=', 'colour=red']) {
    assert.equal((await tenant.platform('GET', `/audit?${query}`)).status, 400, query)
  }
  const pinned = await tenant.makeKey({ scopes: ['*'], subClientId: await makeSubClient() })
  const own = callerAt(service.baseUrl, pinned.secret)
  ok(await own('POST', `${EXTERNAL}/vehicles`, { body: { make: 'Own' } }))
  const { total, entries } = ok<Row>(await own('GET', `${PLATFORM}/audit`))
  assert.deepEqual([total, entries], [0, []])
})
