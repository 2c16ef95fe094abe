// Goal: many devices are registered at once or not at all, each refused row has its reason, and a dry run foresees what the real one does. Method:
// the route as `npm start` registers it, with keys of the whole reseller and of one sub-client; what is kept is read back through the API.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createKey } from '../keys/keys.ts'
import { createReseller } from '../resellers/resellers.ts'
import { openWholeApi } from './test-whole-api.ts'

const { app, database } = await openWholeApi({ after })
await createReseller(database, { slug: 'acme', name: 'Acme' }, new Date())

async function callerOf(scopes: string[], subClientId?: string) {
  const limits = { perMinute: 0, perDay: 0, ...(subClientId === undefined ? {} : { subClientId }) }
  const { apiKey } = await createKey(database, 'acme', { name: 'test', scopes, ...limits }, new Date())
  return async (method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}) => {
    const url = `/api/v1${path}`
    const answer = await app.inject({
      method,
      url,
      headers: { 'x-api-key': apiKey, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: answer.statusCode, text: answer.payload, headers: answer.headers, body: () => answer.json() }
  }
}

const all = await callerOf(['*'])
for (const name of ['North', 'South']) await all('POST', '/sub-clients', { name })
const north = await callerOf(['*'], 'north')
const reader = await callerOf(['devices:read'])

let imeis = 0
const newImei = () => String(356_200_000_000_000 + ++imeis)
const countOf = async (search: string): Promise<number> => (await all('GET', `/devices?search=${search}`)).body().total
const statusesOf = (body: { rows: { status: string }[] }) => body.rows.map(({ status }) => status)

test('a list is registered in one transaction: pending, with their vehicles and credentials, and a line of the audit log for each', async () => {
  const devices = [
    { imei: newImei(), name: 'One', subClientId: 'north', vehicle: { mode: 'create', licensePlate: 'IM-01' } },
    { imei: newImei(), status: 'active' },
  ]
  const answer = (await all('POST', '/devices/import', { devices })).body()
  assert.deepEqual([answer.dryRun, answer.registeredCount, answer.refusedCount], [false, 2, 0])
  const [one, two] = answer.rows
  assert.deepEqual([one.row, one.status, one.device.status, one.device.subClientId, one.error], [1, 'registered', 'pending', 'north', null])
  assert.equal(two.device.status, 'active')
  assert.notEqual(one.device.mqttPassword, two.device.mqttPassword)
  const kept = (await all('GET', `/devices/${devices[0]?.imei}`)).body()
  assert.deepEqual([kept.id, kept.vehicle.licensePlate, kept.subClientId], [one.device.id, 'IM-01', 'north'])
  const log = (await all('GET', '/audit?limit=100')).body()
  const logged = log.entries.filter((entry: { action: string }) => entry.action === 'device.registered')
  assert.equal(logged.length, 2)
})

test('one wrong row keeps the others out, and every wrong row is named with its field', async () => {
  const taken = newImei()
  await all('POST', '/devices', { imei: taken })
  const same = newImei()
  const devices = [
    { name: 'Kept out 1', imei: newImei() },
    { imei: '12' },
    { imei: taken },
    { name: 'Kept out 2', imei: same },
    { imei: same },
    {},
    { name: 'Elsewhere', subClientId: 'nowhere' },
    { name: 'Misspelt', simNo: '1' },
    'no device',
  ]
  const refused = await all('POST', '/devices/import', { devices })
  assert.equal(refused.status, 400)
  const { error } = refused.body()
  assert.match(error.message, /^7 rows cannot be registered, so none was/)
  assert.deepEqual(
    error.details.rows.map(({ row, error: { code, field } }: { row: number; error: { code: string; field: string } }) => [
      row,
      code,
      field,
    ]),
    [
      [2, 'invalid_request', 'imei'],
      [3, 'device_exists', 'imei'],
      [5, 'invalid_request', 'imei'],
      [6, 'invalid_request', 'imei'],
      [7, 'not_found', null],
      [8, 'invalid_request', 'simNo'],
      [9, 'invalid_request', null],
    ],
  )
  assert.equal(await countOf('Kept%20out'), 0)

  const skipped = (await all('POST', '/devices/import', { devices, skipInvalid: true })).body()
  assert.deepEqual([skipped.registeredCount, skipped.refusedCount], [2, 7])
  assert.equal(await countOf('Kept%20out'), 2)
})

test('a dry run reports what would happen, shows no credentials and keeps nothing', async () => {
  const devices = [{ name: 'Tried', imei: newImei(), vehicle: { mode: 'create', licensePlate: 'DRY-1' } }, { imei: 'x' }]
  const tried = (await all('POST', '/devices/import', { devices, dryRun: true })).body()
  assert.deepEqual(statusesOf(tried), ['valid', 'refused'])
  assert.deepEqual([tried.dryRun, tried.registeredCount, tried.refusedCount, tried.rows[0].device], [true, 1, 1, null])
  assert.equal(await countOf('Tried'), 0)
  assert.ok(!(await all('GET', '/vehicles?limit=500')).text.includes('DRY-1'))
})

test('an import that is sent again shows the same credentials, and one under an Idempotency-Key is not carried out twice', async () => {
  const devices = [{ imei: newImei(), name: 'Again' }]
  const first = (await all('POST', '/devices/import', { devices })).body()
  const second = (await all('POST', '/devices/import', { devices })).body()
  assert.deepEqual(statusesOf(second), ['repeated'])
  assert.equal(second.rows[0].device.mqttPassword, first.rows[0].device.mqttPassword)

  const nameless = { devices: [{ name: 'Without an IMEI' }] }
  const once = await all('POST', '/devices/import', nameless, { 'idempotency-key': 'import-1' })
  const twice = await all('POST', '/devices/import', nameless, { 'idempotency-key': 'import-1' })
  assert.equal(twice.headers['idempotency-replayed'], 'true')
  assert.deepEqual(twice.body(), once.body())
  assert.equal(await countOf('Without%20an'), 1)
})

test('as CSV, names cannot become formulas of a spreadsheet', async () => {
  const devices = [{ name: '=HYPERLINK("http://x","y")', imei: newImei() }, { imei: 'x' }, 17]
  const { text, headers } = await all('POST', '/devices/import', { devices, skipInvalid: true, format: 'csv' })
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  const [header, one, two, three] = text.split('\r\n')
  assert.equal(header, 'row,status,name,imei,device_id,mqtt_broker,mqtt_username,mqtt_password,mqtt_topic,tracker_token,error')
  assert.match(one ?? '', /^1,registered,"'=HYPERLINK\(""http:\/\/x"",""y""\)",3562\d+,dev-/)
  assert.match(two ?? '', /^2,refused,,x,,,,,,.*imei/)
  assert.match(three ?? '', /^3,refused,/)
})

test('as CSV, what is refused is shown as it was sent, also where it is no text', async () => {
  const devices = [{ imei: newImei() }, { name: { toString: 1 }, imei: ['x'] }]
  const { status, text } = await all('POST', '/devices/import', { devices, skipInvalid: true, format: 'csv' })
  assert.equal(status, 200, text)
  const [, one, two] = text.split('\r\n')
  assert.match(one ?? '', /^1,registered,/)
  assert.match(two ?? '', /^2,refused,"\{""toString"":1\}","\[""x""\]",/)
})

test('a key of a sub-client registers into it only, and a key that may only read registers nothing', async () => {
  const own = (await north('POST', '/devices/import', { devices: [{ imei: newImei() }] })).body()
  assert.equal(own.rows[0].device.subClientId, 'north')
  const foreign = await north('POST', '/devices/import', { devices: [{ imei: newImei(), subClientId: 'south' }] })
  assert.equal(foreign.status, 400)
  assert.equal(foreign.body().error.details.rows[0].error.code, 'not_found')
  assert.equal((await reader('POST', '/devices/import', { devices: [{ imei: newImei() }] })).status, 403)
})

test('a thousand rows are taken and one more is not; a body that is no list is refused as a whole', async () => {
  const rows = (count: number) => Array.from({ length: count }, () => ({ imei: newImei() }))
  const thousand = (await all('POST', '/devices/import', { devices: rows(1_000) })).body()
  assert.deepEqual(
    [thousand.registeredCount, new Set(thousand.rows.map((row: ReturnType<typeof JSON.parse>) => row.device.id)).size],
    [1_000, 1_000],
  )
  for (const body of [{ devices: rows(1_001) }, { devices: [] }, {}, [], { devices: rows(1), dryrun: true }]) {
    assert.equal((await all('POST', '/devices/import', body)).status, 400)
  }
})
