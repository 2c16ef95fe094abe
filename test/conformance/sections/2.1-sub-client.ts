import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertKeys, assertTime, ok, type Row, refused, type Service } from '../../support/service.ts'

/** Those of the specification, and `updated_at` and `limits` (added). */
const FIELDS = [
  ...['sub_client_id', 'name', 'contact_email', 'contact_phone', 'metadata', 'status', 'device_count', 'vehicle_count', 'created_at'],
  ...['updated_at', 'limits'],
]

type One = { success: true; sub_client: Row }
type List = { total: number; sub_clients: Row[]; pagination: Row }

export function subClientSection(service: Service): void {
  suite('2.1 Sub-client', () => {
    test('it has exactly the fields of the contract, of the types of the contract, and starts active with counts of 0', async () => {
      const tenant = await service.newTenant()
      const given = {
        name: 'Acme Logistics',
        sub_client_id: 'acme-1',
        contact_email: 'fleet@acme.example',
        contact_phone: '+1-555-0100',
        metadata: { region: 'west', sites: [1, 2], nested: { deep: true }, nothing: null },
      }
      const body = ok<One>(await tenant.external('POST', '/sub-clients', { body: given }))
      assertKeys(body, ['success', 'sub_client'])
      assert.equal(body.success, true)
      const { created_at: createdAt, updated_at: updatedAt, ...rest } = body.sub_client
      assertTime(createdAt)
      assertTime(updatedAt)
      assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000)
      const limits = { devices: null, readings_per_month: null, predictions_per_month: null }
      assert.deepEqual(rest, { ...given, status: 'active', device_count: 0, vehicle_count: 0, limits })
      assertKeys(body.sub_client, FIELDS)
      const read = ok<One>(await tenant.external('GET', '/sub-clients/acme-1'))
      assert.deepEqual(read, body)
      const minimal = ok<One>(await tenant.external('POST', '/sub-clients', { body: { name: 'M' } })).sub_client
      assertKeys(minimal, FIELDS)
      assert.deepEqual([minimal['contact_email'], minimal['contact_phone'], minimal['metadata']], [null, null, {}])
    })

    test('the slug is made from the name, URL-safe, and a second one of the name gets -2', async () => {
      const tenant = await service.newTenant()
      const slugOf = async (name: string) =>
        ok<One>(await tenant.external('POST', '/sub-clients', { body: { name } })).sub_client['sub_client_id']
      assert.equal(await slugOf('Acme Logistics'), 'acme-logistics')
      assert.equal(await slugOf('Acme Logistics'), 'acme-logistics-2')
      assert.equal(await slugOf('ACME, logistics!'), 'acme-logistics-3')
      assert.equal(await slugOf('  Société Générale  '), 'societe-generale')
      for (const name of ['運輸', '🚚', '...', 'x'.repeat(200), 'Ærøskøbing Ltd.', '-']) {
        const slug = String(await slugOf(name))
        assert.match(slug, /^[a-z0-9-]{1,64}$/)
        assert.equal(ok<One>(await tenant.external('GET', `/sub-clients/${slug}`)).sub_client['name'], name.trim())
      }
    })

    test('an explicit slug is kept; a taken one is 409, a malformed one 400', async () => {
      const tenant = await service.newTenant()
      const create = (id: unknown) => tenant.external('POST', '/sub-clients', { body: { name: 'A', sub_client_id: id } })
      assert.equal(ok<One>(await create('my-own')).sub_client['sub_client_id'], 'my-own')
      refused(await create('my-own'), 409, 'already_exists')
      for (const id of ['', 'UPPER', 'a b', 'a/b', 'ümlaut', 'a_b', 'a'.repeat(65), 7, {}, ['a']])
        refused(await create(id), 400, 'invalid_request')
      assert.equal(ok<List>(await tenant.external('GET', '/sub-clients')).total, 1)
    })

    test('a name is required, and fields of a wrong type are refused by their name', async () => {
      const tenant = await service.newTenant()
      for (const [body, field] of [
        [{}, 'name'],
        [{ name: '' }, 'name'],
        [{ name: '   ' }, 'name'],
        [{ name: null }, 'name'],
        [{ name: 7 }, 'name'],
        [{ name: 'x'.repeat(201) }, 'name'],
        [{ name: 'A', contact_email: 'not an address' }, 'contact_email'],
        [{ name: 'A', contact_phone: 5550100 }, 'contact_phone'],
        [{ name: 'A', metadata: 'text' }, 'metadata'],
        [{ name: 'A', metadata: ['list'] }, 'metadata'],
      ] as const) {
        const error = refused(await tenant.external('POST', '/sub-clients', { body }), 400, 'invalid_request')
        assert.equal((error['details'] as Row)['field'], field, JSON.stringify(body))
      }
    })

    test('device_count and vehicle_count are those of the sub-client, and a decommissioned device no longer counts', async () => {
      const tenant = await service.newTenant()
      for (const name of ['one', 'two']) ok(await tenant.external('POST', '/sub-clients', { body: { name } }))
      const counts = async (id: string) => {
        const { sub_client: subClient } = ok<One>(await tenant.external('GET', `/sub-clients/${id}`))
        return [subClient['device_count'], subClient['vehicle_count']]
      }
      const device = { name: 'd', sub_client_id: 'one', vehicle: { mode: 'create', make: 'Tata' } }
      const { device_id: first } = ok<{ device_id: string }>(await tenant.external('POST', '/devices', { body: device }))
      ok(await tenant.external('POST', '/devices', { body: { name: 'e', sub_client_id: 'one' } }))
      ok(await tenant.external('POST', '/vehicles', { body: { make: 'Volvo', sub_client_id: 'two' } }))
      assert.deepEqual(await counts('one'), [2, 1])
      assert.deepEqual(await counts('two'), [0, 1])
      ok(await tenant.external('PUT', `/devices/${first}`, { body: { sub_client_id: 'two' } }))
      assert.deepEqual((await counts('one'))[0], 1)
      assert.deepEqual((await counts('two'))[0], 1)
      ok(await tenant.external('POST', `/devices/${first}/decommission`))
      assert.deepEqual((await counts('two'))[0], 0)
      const { sub_clients: listed } = ok<List>(await tenant.external('GET', '/sub-clients'))
      assert.deepEqual(
        listed.map((each) => each['device_count']),
        [1, 0],
      )
    })

    test('the list has a total, filters by status, and refuses a status that there is not', async () => {
      const tenant = await service.newTenant()
      for (const name of ['a', 'b', 'c']) ok(await tenant.external('POST', '/sub-clients', { body: { name } }))
      ok(await tenant.external('PUT', '/sub-clients/b', { body: { status: 'suspended' } }))
      const list = async (query: string) => {
        const body = ok<List>(await tenant.external('GET', `/sub-clients${query}`))
        assertKeys(body, ['total', 'sub_clients', 'pagination'])
        assertKeys(body.pagination, ['endCursor', 'hasNextPage'])
        assert.equal(body.total, body.sub_clients.length)
        for (const each of body.sub_clients) assertKeys(each, FIELDS)
        return body.sub_clients.map((each) => each['sub_client_id'])
      }
      assert.deepEqual(await list(''), ['a', 'b', 'c'])
      assert.deepEqual(await list('?status=active'), ['a', 'c'])
      assert.deepEqual(await list('?status=suspended'), ['b'])
      assert.deepEqual(await list('?status=deactivated'), [])
      refused(await tenant.external('GET', '/sub-clients?status=gone'), 400, 'invalid_request')
    })

    test('PUT changes what is given and leaves the rest; the id never changes; an unknown one is 404', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Old', contact_phone: '1', metadata: { a: 1 } } }))
      const put = (body: Row) => tenant.external('PUT', '/sub-clients/old', { body })
      const renamed = ok<One>(await put({ name: 'New' })).sub_client
      assert.deepEqual(
        [renamed['sub_client_id'], renamed['name'], renamed['contact_phone'], renamed['metadata']],
        ['old', 'New', '1', { a: 1 }],
      )
      assert.equal(ok<One>(await put({ contact_phone: null })).sub_client['contact_phone'], null)
      for (const body of [{ status: 'gone' }, { name: '' }, { status: null }]) refused(await put(body), 400, 'invalid_request')
      refused(await tenant.external('PUT', '/sub-clients/unknown', { body: { name: 'x' } }), 404, 'not_found')
      refused(await tenant.external('GET', '/sub-clients/unknown'), 404, 'not_found')
      refused(await tenant.external('DELETE', '/sub-clients/unknown'), 404, 'not_found')
    })
  })
}
