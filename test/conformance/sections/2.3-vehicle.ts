import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertKeys, assertTime, ok, type Row, refused, type Service } from '../../support/service.ts'

const FIELDS = [
  ...['make', 'model', 'year', 'vin', 'license_plate', 'sub_client_id', 'device_id', 'vehicle_id', 'health_score'],
  // Added.
  ...['external_ref', 'registered', 'created_at', 'updated_at', 'status', 'retired_at'],
  ...['name', 'vehicle_class', 'fuel_type', 'drivetrain', 'battery_nominal_v'],
]

type Upserted = { success: true; vehicle_id: string; created: boolean; vehicle: Row }
type List = { total: number; vehicles: Row[]; pagination: Row }

export function vehicleSection(service: Service): void {
  suite('2.3 Vehicle', () => {
    test('it has exactly the fields of the contract; the score is null until the vehicle was judged', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'acme' } }))
      const { device_id: deviceId } = ok<{ device_id: string }>(
        await tenant.external('POST', '/devices', { body: { name: 'd', sub_client_id: 'acme' } }),
      )
      const given = {
        make: 'Toyota',
        model: 'Etios',
        year: 2014,
        vin: 'MBJ11JV4007512345',
        license_plate: 'KA-01',
        sub_client_id: 'acme',
        device_id: deviceId,
      }
      const body = ok<Upserted>(await tenant.external('POST', '/vehicles', { body: given }))
      assertKeys(body, ['success', 'vehicle_id', 'created', 'vehicle'])
      assert.deepEqual([body.success, body.created, body.vehicle['vehicle_id']], [true, true, body.vehicle_id])
      assertKeys(body.vehicle, FIELDS)
      for (const [key, value] of Object.entries(given)) assert.equal(body.vehicle[key], value, key)
      assert.equal(body.vehicle['health_score'], null)
      assert.equal(body.vehicle['registered'], true)
      assertTime(body.vehicle['created_at'])
      assertTime(body.vehicle['updated_at'])
      assert.deepEqual(ok(await tenant.external('GET', `/vehicles/${body.vehicle_id}`)), { success: true, vehicle: body.vehicle })
      const list = ok<List>(await tenant.external('GET', '/vehicles'))
      assertKeys(list, ['total', 'vehicles', 'pagination'])
      assert.deepEqual(list.vehicles, [body.vehicle])
      refused(await tenant.external('GET', '/vehicles/veh-unknown'), 404, 'not_found')
    })

    test('it is upserted by VIN, else by plate within the sub-client, else new', async () => {
      const tenant = await service.newTenant()
      for (const name of ['one', 'two']) ok(await tenant.external('POST', '/sub-clients', { body: { name } }))
      const upsert = async (body: Row) => ok<Upserted>(await tenant.external('POST', '/vehicles', { body }))
      const first = await upsert({ vin: 'VIN0000000000001A', make: 'A', year: 2010 })
      const again = await upsert({ vin: 'vin0000000000001a', model: 'M' })
      assert.deepEqual([again.vehicle_id, again.created], [first.vehicle_id, false])
      const { make, model, year, vin } = again.vehicle
      assert.deepEqual([make, model, year, vin], ['A', 'M', 2010, 'VIN0000000000001A'])
      const plated = await upsert({ license_plate: 'KA-01', sub_client_id: 'one' })
      assert.deepEqual((await upsert({ license_plate: 'KA-01', sub_client_id: 'one', make: 'B' })).vehicle_id, plated.vehicle_id)
      assert.notEqual((await upsert({ license_plate: 'KA-01', sub_client_id: 'two' })).vehicle_id, plated.vehicle_id)
      assert.notEqual((await upsert({ make: 'A' })).vehicle_id, (await upsert({ make: 'A' })).vehicle_id)
      assert.equal(ok<List>(await tenant.external('GET', '/vehicles')).total, 5)
    })

    test('the list filters by sub-client; fields of a wrong type and unknown references are refused', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'one' } }))
      const { vehicle_id: mine } = ok<Upserted>(await tenant.external('POST', '/vehicles', { body: { sub_client_id: 'one' } }))
      ok(await tenant.external('POST', '/vehicles', { body: { make: 'unowned' } }))
      const ids = async (query: string) =>
        ok<List>(await tenant.external('GET', `/vehicles${query}`)).vehicles.map((each) => each['vehicle_id'])
      assert.deepEqual(await ids('?sub_client_id=one'), [mine])
      assert.deepEqual(await ids('?sub_client_id=unknown'), [])
      assert.equal((await ids('')).length, 2)
      for (const body of [
        { year: '2014' },
        { year: 2014.5 },
        { vin: 'TOO-LONG-OR-ODD-123' },
        { make: 7 },
        { license_plate: '' },
        { sub_client_id: 'NO' },
      ]) {
        refused(await tenant.external('POST', '/vehicles', { body }), 400, 'invalid_request')
      }
      refused(await tenant.external('POST', '/vehicles', { body: { sub_client_id: 'unknown' } }), 404, 'not_found')
      refused(await tenant.external('POST', '/vehicles', { body: { make: 'A', device_id: 'dev-unknown' } }), 404, 'device_not_found')
      assert.equal((await ids('')).length, 2)
    })
  })
}
