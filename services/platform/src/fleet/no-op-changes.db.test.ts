import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'

// Goal: `updated_at` is when something changed, not when somebody asked for what was so already. Method: the same change twice, a minute
// apart, and then another one.

const fleet = await openFleetApp({ after }, ['acme'])
const acme = fleet.as('acme')
await acme('POST', '/sub-clients', { name: 'north' })

const later = () => {
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 60_000)
  return fleet.clock.now.toISOString()
}
beforeEach(later)

test('a sub-client', async () => {
  const put = async (body: object) => (await acme('PUT', '/sub-clients/north', body)).body.sub_client.updated_at
  const changed = await put({ name: 'North', contact_phone: '+91', metadata: { a: 1, b: 2 } })
  assert.equal(changed, fleet.clock.now.toISOString())
  later()
  assert.equal(await put({ name: 'North', contact_phone: '+91', metadata: { b: 2, a: 1 }, status: 'active' }), changed)
  assert.equal(await put({ contact_phone: null }), fleet.clock.now.toISOString())
})

test('a device', async () => {
  const { device_id } = (await acme('POST', '/devices', { imei: '356938035643809', vehicle: { mode: 'create', make: 'MAN' } })).body
  const put = async (body: object) => (await acme('PUT', `/devices/${device_id}`, body)).body.device
  later()
  const { updated_at: changed, vehicle_id } = await put({ name: 'gateway', sub_client_id: 'north' })
  assert.equal(changed, fleet.clock.now.toISOString())
  later()
  assert.equal((await put({ name: 'gateway', sub_client_id: 'north', vehicle_id, status: 'active', sim_number: null })).updated_at, changed)
  assert.equal((await put({ sim_number: '1' })).updated_at, fleet.clock.now.toISOString())
})

test('a vehicle', async () => {
  const post = async (body: object) => (await acme('POST', '/vehicles', { vin: 'SAME1', ...body })).body.vehicle
  const { updated_at: created } = await post({ make: 'MAN' })
  later()
  assert.equal((await post({ make: 'MAN', year: null })).updated_at, created)
  assert.equal((await post({ make: 'DAF' })).updated_at, fleet.clock.now.toISOString())
})

test('linking a device again to where it is makes it the device of the vehicle, if another has been since', async () => {
  const device = async (imei: string) => (await acme('POST', '/devices', { imei })).body.device_id
  const [first, second] = [await device('356938035643817'), await device('356938035643825')]
  const link = async (device_id: string) => (await acme('POST', '/vehicles', { vin: 'TWO1', device_id })).body.vehicle.device_id
  for (const each of [first, second, first]) {
    later()
    assert.equal(await link(each), each)
  }
})
