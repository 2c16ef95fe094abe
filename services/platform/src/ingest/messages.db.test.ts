// Goal: a person sees what became of the last messages of a device: refused ones always, the others as they were sent while they are recorded, and
// nothing of another tenant. Method: the real routes, and two pipelines as two processes have them, each with a recorder of its own.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DeviceMessages } from '@roadworthy/contracts/platform-v1/device-messages'
import { createDirectory } from '../devices/directory.ts'
import { createKey } from '../keys/keys.ts'
import { MessageRecorder } from '../readings/message-recorder.ts'
import { messagePlatformRoutes } from '../readings/messages.routes.platform-v1.ts'
import { deleteOldMessagesAcrossResellers } from '../readings/messages.sql.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase } from '../test-support.ts'
import { defaultGroupCommitLimits } from './group-commit.ts'
import { noteUnreadMessage } from './note-messages.ts'
import { createIngestPipeline } from './pipeline.ts'
import { unlimited } from './reading-quota.ts'
import { telemetryExternalRoutes } from './receivers/rest/rest-receiver.ts'

const DEVICE = 'dev-inspected00000000001'
const SOUTHERN = 'dev-inspected00000000002'
const IMEI = '356938035643809'

const cleanUp = lastFirst({ after })
const { database } = await openTestDatabase(cleanUp)
const clock = { now: new Date() }
const now = () => clock.now
const { apiKey } = await insertResellerWithKey(database, 'acme')
const { apiKey: rivalKey } = await insertResellerWithKey(database, 'rival')
await database.systemPool.query(
  `insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North'), ('acme', 'south', 'South')`,
)
await database.systemPool.query(
  `insert into devices (reseller_id, device_id, imei, device_type, connection_method, status, mqtt_secret_sha256, sub_client_id) values
     ('acme', $1, $2, 'other', 'mqtt', 'active', '\\x01', 'north'), ('acme', $3, null, 'other', 'mqtt', 'active', '\\x02', 'south')`,
  [DEVICE, IMEI, SOUTHERN],
)
const { apiKey: northKey } = await createKey(
  database,
  'acme',
  { name: 'north', scopes: ['*'], perMinute: 0, perDay: 0, subClientId: 'north' },
  now(),
)

async function startProcess() {
  const recorder = new MessageRecorder(database, now)
  const { ingest, ingestBriefly } = createIngestPipeline({
    database,
    recorder,
    directory: createDirectory({ database, now, onFleetChanged: () => undefined }),
    now,
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    quota: unlimited,
    limits: defaultGroupCommitLimits,
    onUnstorable: (error) => console.error(error),
  })
  const { app } = await openTestApi(cleanUp, database, {
    now,
    external: [telemetryExternalRoutes({ ingest, database, now })],
    platform: [messagePlatformRoutes({ database, now, topicPrefix: 'fleet' })],
  })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, key = apiKey) => {
    const answer = await app.inject({ method, url, headers: { 'x-api-key': key }, ...(payload === undefined ? {} : { payload }) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const send = (record: object, key?: string) => ask('POST', '/api/external/telemetry', record, key)
  return { recorder, ask, send, ingestBriefly }
}

const first = await startProcess()
const second = await startProcess()
const messagesOf = async (deviceId = DEVICE, key?: string): Promise<DeviceMessages> => {
  await Promise.all([first.recorder.flush(), second.recorder.flush()])
  clock.now = new Date(clock.now.getTime() + 1)
  return (await first.ask('GET', `/api/v1/devices/${deviceId}/messages`, undefined, key)).body
}
const record = (start: boolean) => first.ask(start ? 'POST' : 'DELETE', `/api/v1/devices/${DEVICE}/messages/recording`)
const tick = () => {
  clock.now = new Date(clock.now.getTime() + 1_000)
}

test('what was stored is shown by its reading, without being recorded: what was understood, what was kept, what is implausible', async () => {
  await first.send({ device_id: DEVICE, rpm: 99_999, coolant_temp: 88, colour: 'red', lat: 48.1, lon: 11.5, box: { api_token: 'hush' } })
  const { messages, recordingUntil, errorsTopic } = await messagesOf()
  assert.equal(recordingUntil, null)
  assert.equal(errorsTopic, `fleet/acme/devices/${DEVICE}/errors`)
  assert.equal(messages.length, 1)
  const [message] = messages
  assert.deepEqual([message?.status, message?.receiver, message?.body], ['stored', null, null])
  assert.deepEqual(message?.keptUnread, { colour: 'red', box: { api_token: '[removed]' } })
  assert.deepEqual(
    message?.understood.map(({ key, value, unit, implausible }) => [key, value, unit, implausible]),
    [
      ['latitude', 48.1, null, false],
      ['longitude', 11.5, null, false],
      ['engine_speed', 99_999, 'RPM', true],
      ['coolant', 88, '°C', false],
    ],
  )
})

test('a refused message is kept as it was sent with its reason, also where it names the device by its IMEI', async () => {
  tick()
  const { status } = await second.send({
    device_id: IMEI,
    rpm: 'fast',
    mqtt_password: 'hush',
    auth: { apiKey: 'rw_1' },
    credentials: { user: 'a', pass: 'b' },
  })
  assert.equal(status, 400)
  const [message] = (await messagesOf()).messages
  assert.deepEqual([message?.status, message?.receiver, message?.readingId], ['refused', 'rest', null])
  assert.deepEqual([message?.error?.code, message?.error?.field], ['invalid_request', 'rpm'])
  assert.equal(
    message?.body,
    `{"device_id":"${IMEI}","rpm":"fast","mqtt_password":"[removed]","auth":{"apiKey":"[removed]"},"credentials":"[removed]"}`,
  )
})

test('a message that could not be read at all is kept as text that can be stored, and cut', async () => {
  tick()
  const payload = Buffer.from(`\u0000{"rpm":${'9'.repeat(10_000)}`)
  const problem = { code: 'invalid_request', message: 'No JSON.' }
  noteUnreadMessage(first.recorder, { resellerId: 'acme', deviceId: DEVICE }, payload, problem, now().getTime())
  const [message] = (await messagesOf()).messages
  assert.deepEqual(
    [message?.receiver, message?.bodyBytes, message?.isBodyCut, message?.body?.length],
    ['mqtt', payload.length, true, 4_096],
  )
  assert.equal(message?.error?.message, 'No JSON.')
})

test('while messages are recorded every process keeps all of them, once, and stops on request or when the time is over', async () => {
  const { body } = await record(true)
  assert.equal(Date.parse(body.recordingUntil) - now().getTime(), 15 * 60_000)
  await Promise.all([first.recorder.refresh(), second.recorder.refresh()])
  tick()
  await first.send({ device_id: DEVICE, rpm: 900, timestamp: now().toISOString() })
  await second.send({ device_id: DEVICE, rpm: 900, timestamp: now().toISOString() })
  const { messages, recordingUntil } = await messagesOf()
  assert.equal(recordingUntil, body.recordingUntil)
  assert.deepEqual(new Set(messages.slice(0, 2).map(({ status }) => status)), new Set(['stored', 'duplicate']))
  for (const { body: sent, understood } of messages.slice(0, 2)) {
    assert.match(sent ?? '', /"rpm":900/)
    assert.deepEqual(understood, [{ key: 'engine_speed', value: 900, unit: 'RPM', implausible: false }])
  }
  assert.equal(messages.filter(({ readingId }) => readingId === messages[0]?.readingId).length, 2)

  assert.equal((await record(false)).body.recordingUntil, null)
  assert.equal((await record(false)).body.recordingUntil, null, 'repeating it is fine')
  const { rows } = await database.systemPool.query(`select action from audit_log where action like 'device.%' order by action`)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['device.recording_started', 'device.recording_stopped'],
  )
  await first.recorder.refresh()
  assert.equal(first.recorder.isRecording, false)
  await record(true)
  await first.recorder.refresh()
  clock.now = new Date(clock.now.getTime() + 16 * 60_000)
  assert.equal(first.recorder.isRecorded('acme', DEVICE), false)
  assert.equal((await messagesOf()).recordingUntil, null)
})

test('where senders are not answered with ids, a message is shown as any other while its device is recorded, and a refused one always', async () => {
  tick()
  const take = (content: object) =>
    second.ingestBriefly([
      {
        resellerId: 'acme',
        kind: 'telemetry',
        record: { ...content, timestamp: now().toISOString() },
        senderDeviceId: DEVICE,
        receiver: 'mqtt',
      },
    ])
  await second.recorder.refresh()
  const from = now().toISOString()
  assert.deepEqual(await take({ rpm: 1_001 }), [{ status: 'stored' }])
  assert.deepEqual(await take({ rpm: 1_001 }), [{ status: 'duplicate' }])
  const [warned] = await take({ rpm: 1_002, colour: 'red' })
  assert.deepEqual([warned?.status, warned?.status !== 'refused' && warned?.warnings?.map(({ field }) => field)], ['stored', ['colour']])
  assert.equal((await take({ rpm: 'fast' }))[0]?.status, 'refused')
  await record(true)
  await second.recorder.refresh()
  assert.equal((await take({ rpm: 1_003 }))[0]?.status, 'stored')
  await record(false)
  await second.recorder.refresh()
  const { messages } = await messagesOf()
  const ofMqtt = messages.filter(({ receiver, receivedAt }) => receiver === 'mqtt' && receivedAt >= from)
  assert.deepEqual(
    ofMqtt.map(({ status, body, readingId }) => [status, JSON.parse(body ?? '').rpm, readingId?.slice(0, 4)]),
    [
      ['stored', 1_003, 'tel-'],
      ['refused', 'fast', undefined],
    ],
  )
})

test('the last fifty are kept, and in one interval no more of a device than there is room for', async () => {
  for (let round = 0; round < 6; round++) {
    tick()
    for (let i = 0; i < 12; i++) await first.send({ device_id: DEVICE, rpm: `${round}-${i}` })
    await first.recorder.flush()
  }
  const { rows } = await database.systemPool.query<{ body: string }>(
    'select body from device_messages where device_id = $1 order by message_no desc',
    [DEVICE],
  )
  assert.equal(rows.length, 50)
  assert.match(rows[0]?.body ?? '', /5-9/)
  assert.match(rows[10]?.body ?? '', /4-9/)
  assert.equal((await messagesOf()).messages.length, 50)
})

test('nobody reads or fills what is of another tenant', async () => {
  tick()
  assert.equal((await first.ask('GET', `/api/v1/devices/${DEVICE}/messages`, undefined, rivalKey)).status, 404)
  assert.equal((await first.ask('POST', `/api/v1/devices/${DEVICE}/messages/recording`, {}, rivalKey)).status, 404)
  assert.equal((await first.ask('GET', `/api/v1/devices/${SOUTHERN}/messages`, undefined, northKey)).status, 404)
  // Neither the key of another sub-client nor that of another reseller can put a message there.
  await first.send({ device_id: SOUTHERN, rpm: 'by north' }, northKey)
  await first.send({ device_id: SOUTHERN, rpm: 'by rival' }, rivalKey)
  assert.deepEqual((await messagesOf(SOUTHERN)).messages, [])
  // What a device sent for one sub-client is not shown to the next.
  await first.send({ device_id: SOUTHERN, rpm: 'by south' })
  assert.equal((await messagesOf(SOUTHERN)).messages.length, 1)
  await database.systemPool.query(`update devices set sub_client_id = 'north' where device_id = $1`, [SOUTHERN])
  assert.deepEqual((await messagesOf(SOUTHERN, northKey)).messages, [])
  assert.equal((await messagesOf(SOUTHERN)).messages.length, 1)
})

test('a field whose name is too long to be shown is cut between two characters, and the message is kept', async () => {
  await record(true)
  await first.recorder.refresh()
  tick()
  const sent = await first.send({ device_id: DEVICE, [`${'x'.repeat(127)}🚚 and more`]: 1 })
  assert.equal(sent.status, 200)
  assert.deepEqual(
    sent.body.warnings.map(({ field }: { field: string }) => field.isWellFormed()),
    [true],
  )
  const [message] = (await messagesOf()).messages
  assert.equal(message?.readingId, sent.body.telemetry_id)
  assert.match(message?.body ?? '', /and more/)
  await record(false)
  await first.recorder.refresh()
})

test('a reseller records some devices at a time, and old messages go', async () => {
  await database.systemPool.query(`insert into message_recordings select 'acme', 'dev-other' || n, $1 from generate_series(1, 20) n`, [
    new Date(now().getTime() + 60_000),
  ])
  assert.equal((await record(true)).status, 409)
  await deleteOldMessagesAcrossResellers(database.systemPool, new Date(now().getTime() + 1), 5_000)
  assert.deepEqual((await messagesOf(SOUTHERN)).messages, [])
})
