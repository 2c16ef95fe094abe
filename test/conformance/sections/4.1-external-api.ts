// What holds for the routes of the External API together; what each does is in the sections of its resources.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { documentFile, readOpenApi, routesOf } from '../../support/open-api.ts'
import { callerAt, ok, type Row, refused, type Service } from '../../support/service.ts'

const ROUTES = [
  ...['POST /sub-clients', 'GET /sub-clients', 'GET /sub-clients/{sub_client_id}', 'PUT /sub-clients/{sub_client_id}'],
  ...['DELETE /sub-clients/{sub_client_id}', 'POST /devices', 'PUT /devices/{device_id}', 'POST /devices/{device_id}/decommission'],
  ...['GET /devices', 'GET /devices/locations', 'GET /devices/{device_id}/location', 'POST /vehicles', 'GET /vehicles', 'GET /predictions'],
  ...['POST /telemetry', 'POST /track', 'POST /track/batch', 'GET /health'],
  // Paths that the specification does not show (DECISIONS).
  ...[
    'POST /telemetry/batch',
    'GET /telemetry/{id}',
    'GET /usage',
    'POST /predict',
    'GET /devices/{device_id}',
    'GET /vehicles/{vehicle_id}',
    'PUT /vehicles/{vehicle_id}',
    'DELETE /vehicles/{vehicle_id}',
  ],
  'POST /devices/{device_id}/credentials/rotate',
  // What phones, trackers and who forwards them call, in formats of their own (ADR 0044).
  ...['GET /ingest/osmand', 'POST /ingest/osmand', 'GET /ingest/torque/{token}', 'POST /ingest/traccar', 'POST /ingest/flespi'],
  'GET /ingest/freematics/{token}/push',
  ...['POST /ingest/freematics/{token}/post/{device}', 'GET /ingest/freematics/{token}/notify/{device}'],
]

type List = { total: number; pagination: { endCursor: string | null; hasNextPage: boolean } } & Readonly<Record<string, unknown>>

export function externalApiSection(service: Service): void {
  suite('4.1 External API', () => {
    test('its routes are those of the specification, of DECISIONS, and what phones and trackers call', () => {
      const described = routesOf(readOpenApi('external')).map(({ method, path }) => `${method} ${path.replace('/api/external', '')}`)
      assert.deepEqual(described.sort(), [...ROUTES].sort())
    })

    test('every list pages by limit and after, each item once and in a stable order, while others are added', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'sc-0' } }))
      const add = async (i: number) => {
        ok(await tenant.external('POST', '/sub-clients', { body: { name: `n${i}` } }))
        const { device_id: id } = ok<Row>(
          await tenant.external('POST', '/devices', { body: { name: `d${i}`, vehicle: { mode: 'create', make: 'A' } } }),
        )
        ok(await tenant.external('POST', '/track', { body: { device_id: id, lat: 1, lon: i } }))
      }
      for (let i = 0; i < 7; i++) await add(i)
      for (const [path, key, id] of [
        ['/sub-clients', 'sub_clients', 'sub_client_id'],
        ['/devices', 'devices', 'id'],
        ['/devices/locations', 'locations', 'device_id'],
        ['/vehicles', 'vehicles', 'vehicle_id'],
      ] as const) {
        const all = ok<List>(await tenant.external('GET', path))
        const expected = (all[key] as Row[]).map((each) => each[id])
        assert.equal(all.total, expected.length)
        assert.equal(all.pagination.hasNextPage, false)
        const seen: unknown[] = []
        let after = ''
        for (let page = 0; page < 20; page++) {
          const list = ok<List>(await tenant.external('GET', `${path}?limit=3${after}`))
          const items = list[key] as Row[]
          seen.push(...items.map((each) => each[id]))
          if (page === 1) await add(100 + seen.length)
          if (!list.pagination.hasNextPage) break
          assert.equal(items.length, 3)
          after = `&after=${encodeURIComponent(list.pagination.endCursor ?? '')}`
        }
        assert.deepEqual(seen.slice(0, expected.length), expected, path)
        assert.equal(new Set(seen).size, seen.length, path)
        assert.equal(seen.length, expected.length + 1, path)
        for (const query of ['limit=0', 'limit=501', 'limit=x', 'after=x'])
          refused(await tenant.external('GET', `${path}?${query}`), 400, 'invalid_request')
        ok(await tenant.external('GET', `${path}?limit=500`))
      }
    })

    test('a POST repeated with its Idempotency-Key is carried out once; with another body it is 422', async () => {
      const tenant = await service.newTenant()
      const key = randomUUID()
      const create = (body: Row, idempotencyKey = key) =>
        tenant.external('POST', '/vehicles', { body, headers: { 'idempotency-key': idempotencyKey } })
      const first = ok<Row>(await create({ make: 'A' }))
      assert.deepEqual(ok(await create({ make: 'A' })), first)
      refused(await create({ make: 'B' }), 422, 'idempotency_conflict')
      assert.notEqual(ok<Row>(await create({ make: 'A' }, randomUUID()))['vehicle_id'], first['vehicle_id'])
      assert.equal(ok<List>(await tenant.external('GET', '/vehicles')).total, 2)
      const other = await service.newTenant()
      const theirs = ok<Row>(await other.external('POST', '/vehicles', { body: { make: 'A' }, headers: { 'idempotency-key': key } }))
      assert.notEqual(theirs['vehicle_id'], first['vehicle_id'])
    })

    test('lists are filtered by sub-client', async () => {
      const tenant = await service.newTenant()
      for (const name of ['one', 'two']) {
        ok(await tenant.external('POST', '/sub-clients', { body: { name } }))
        const body = { name, sub_client_id: name, vehicle: { mode: 'create', make: name } }
        const { device_id: id } = ok<Row>(await tenant.external('POST', '/devices', { body }))
        ok(await tenant.external('POST', '/track', { body: { device_id: id, lat: 1, lon: 1 } }))
      }
      for (const path of ['/devices', '/devices/locations', '/vehicles']) {
        assert.equal(ok<List>(await tenant.external('GET', path)).total, 2, path)
        assert.equal(ok<List>(await tenant.external('GET', `${path}?sub_client_id=one`)).total, 1, path)
        assert.equal(ok<List>(await tenant.external('GET', `${path}?sub_client_id=three`)).total, 0, path)
      }
      assert.equal(ok<List>(await tenant.external('GET', '/predictions?sub_client_id=three')).total, 0)
    })

    test('its interactive description is at /docs, the document at /openapi/external.json, and equal to the committed one', async () => {
      assert.match((await fetch(`${service.baseUrl}/docs`)).headers.get('content-type') ?? '', /^text\/html/)
      assert.match((await fetch(`${service.baseUrl}/api/v1/docs`)).headers.get('content-type') ?? '', /^text\/html/)
      const open = callerAt(service.baseUrl, null)
      assert.deepEqual(ok(await open('GET', '/openapi/external.json')), readOpenApi('external'))
      assert.deepEqual(ok(await open('GET', '/openapi/platform-v1.json')), readOpenApi('platform-v1'))
      assert.deepEqual(ok(await open('GET', '/openapi/asyncapi.json')), JSON.parse(readFileSync(documentFile('asyncapi.json'), 'utf8')))
    })
  })
}
