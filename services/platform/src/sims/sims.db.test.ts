// Goal: a SIM is found by whatever is printed on it, belongs to the sub-client of the device it is in, and its history holds every change. Method: the
// routes of SIMs, devices and sub-clients over a real database, and the background work that follows them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { luhnDigit } from './iccid.ts'
import { openSimDesk } from './test-sim-desk.ts'

const desk = await openSimDesk({ after })
const { call } = desk
const rival = await desk.as('rival')
const connectionId = await desk.newConnection()
const DEVICES = '/api/external/devices'
let count = 0
const iccid = () => `89910009000000${String(10_000 + count++)}`
const newSim = (given: object = {}) => desk.newSim({ connection_id: connectionId, iccid: iccid(), ...given })
const simOf = async (id: string) => (await call('GET', `/sims/${id}`)).body.sim
async function newDevice(given: object = {}): Promise<string> {
  const answer = await call('POST', DEVICES, { name: 'Device', ...given })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.device_id
}
for (const id of ['north', 'south']) await call('POST', '/api/external/sub-clients', { name: id, sub_client_id: id })

test('a SIM is found by its id, its ICCID with and without the check digit, and its number', async () => {
  const given = '8991000900000000019'
  const sim = await newSim({ iccid: `${given}${luhnDigit(given)}`, msisdn: '5754123456789', imsi: '404100000000019' })
  assert.equal(sim.status, 'inventory')
  assert.deepEqual([sim.data_usage_mb, sim.operator, sim.pending_action], [0, 'cisco', null])
  for (const reference of [sim.id, given, `${given}${luhnDigit(given)}`, '5754123456789', '5754-1234-56789']) {
    assert.equal((await simOf(reference)).id, sim.id, reference)
  }
  for (const reference of [`${given}${(luhnDigit(given) + 1) % 10}`, 'sim-00000000000000000000', '1', 'x']) {
    assert.equal((await call('GET', `/sims/${reference}`)).status, 404, reference)
  }
  for (const search of ['000019', '5754123', '40410000000001']) {
    assert.deepEqual(
      (await call('GET', `/sims?search=${search}`)).body.sims.map(({ id }) => id),
      [sim.id],
      search,
    )
  }
  const again = await call('POST', '/sims', { connection_id: connectionId, iccid: given })
  assert.deepEqual([again.status, again.body.error.code], [409, 'already_exists'])
  const wrong = await call('POST', '/sims', { connection_id: connectionId, iccid: `${given}${(luhnDigit(given) + 1) % 10}` })
  assert.deepEqual([wrong.status, wrong.body.error.details?.['field']], [400, 'iccid'])
})

test('a list is filtered and comes page by page', async () => {
  const made = [
    await newSim({ sub_client_id: 'south' }),
    await newSim({ sub_client_id: 'south' }),
    await newSim({ sub_client_id: 'south' }),
  ]
  const first = (await call('GET', '/sims?sub_client_id=south&limit=2')).body
  const second = (await call('GET', `/sims?sub_client_id=south&limit=2&after=${first.pagination.endCursor}`)).body
  assert.equal(first.total, 3)
  assert.deepEqual([...first.sims, ...second.sims].map(({ id }) => id).sort(), made.map(({ id }) => id).sort())
  assert.deepEqual([first.pagination.hasNextPage, second.pagination.hasNextPage], [true, false])
  assert.equal((await call('GET', '/sims?status=active')).body.total, 0)
  assert.equal((await call('GET', '/sims?connection_id=opc-none')).body.total, 0)
})

test('a SIM has the name of its device, alone and in a list', async () => {
  const deviceId = await newDevice({ name: 'Tracker of truck 12' })
  const nameless = await newSim()
  const sim = await newSim({ device_id: deviceId })
  assert.deepEqual([sim.device_name, nameless.device_name], ['Tracker of truck 12', null])
  await call('PUT', `${DEVICES}/${deviceId}`, { name: 'Tracker of truck 13' })
  assert.deepEqual(
    (await call('GET', `/sims?device_id=${deviceId}`)).body.sims.map(({ device_name: name }) => name),
    ['Tracker of truck 13'],
  )
  assert.equal((await simOf(sim.id)).device_name, 'Tracker of truck 13')
})

test('another reseller’s SIM is none, and another sub-client’s neither', async () => {
  const sim = await newSim({ sub_client_id: 'north', msisdn: '5754000000001' })
  const pinned = await desk.as('acme', 'south')
  for (const other of [rival, pinned]) {
    for (const reference of [sim.id, sim.iccid, '5754000000001']) {
      for (const [method, suffix, body] of [
        ['GET', '', undefined],
        ['GET', '/history', undefined],
        ['GET', '/usage', undefined],
        ['PUT', '', { metadata: {} }],
      ] as const) {
        const answer = await other(method, `/sims/${reference}${suffix}`, body)
        assert.deepEqual([answer.status, answer.body.error.code], [404, 'not_found'], `${method} ${suffix}`)
      }
    }
  }
  const own = await desk.as('acme', 'north')
  assert.equal((await own('PUT', `/sims/${sim.id}`, { metadata: { mine: true } })).status, 200)
  assert.equal((await own('PUT', `/sims/${sim.id}`, { data_limit_mb: 5 })).body.error.code, 'missing_scope')
  assert.equal((await own('PUT', `/sims/${sim.id}`, { sub_client_id: null })).status, 400)
  assert.equal((await own('PUT', `/sims/${sim.id}`, { sub_client_id: 'south' })).status, 404)
  assert.equal((await own('POST', '/sims', { connection_id: connectionId, iccid: iccid() })).status, 404)
})

test('a SIM and its device are of one sub-client, and a device has one SIM', async () => {
  const device = await newDevice({ sub_client_id: 'north' })
  const [first, second] = [await newSim(), await newSim()]
  const put = (id: string, body: object) => call('PUT', `/sims/${id}`, body)
  const adopted = await put(first.id, { device_id: device })
  assert.deepEqual([adopted.body.sim.device_id, adopted.body.sim.sub_client_id], [device, 'north'])
  const taken = await put(second.id, { device_id: device })
  assert.deepEqual([taken.status, taken.body.error.code], [409, 'conflict'])
  for (const body of [{ sub_client_id: 'south' }, { sub_client_id: null }]) assert.equal((await put(first.id, body)).status, 409)
  assert.equal((await put(second.id, { sub_client_id: 'south' })).status, 200)
  const elsewhere = await newDevice({ sub_client_id: 'north' })
  assert.equal((await put(second.id, { device_id: elsewhere })).status, 409)
  assert.equal((await put(second.id, { device_id: elsewhere, sub_client_id: 'north' })).status, 200)
  assert.equal((await put(first.id, { device_id: null, sub_client_id: null })).body.sim.sub_client_id, null)
  assert.equal((await put(first.id, { device_id: 'dev-00000000000000000000' })).body.error.code, 'device_not_found')
  assert.equal((await put(first.id, { plan_id: 'no-such-plan' })).status, 404)
})

test('what changed, by whom and why, is in the history, newest first; what changes nothing is not', async () => {
  const sim = await newSim()
  await call('PUT', `/sims/${sim.id}`, { sub_client_id: 'north', data_limit_mb: 10 })
  await call('PUT', `/sims/${sim.id}`, { sub_client_id: 'north', data_limit_mb: 10 })
  await call('PUT', `/sims/${sim.id}`, { data_limit_mb: null })
  const { history, total } = (await call('GET', `/sims/${sim.id}/history`)).body
  assert.deepEqual(
    history.map(({ seq, change, sub_client_id: owner, source }) => [seq, change, owner, source]),
    [
      [3, 'details', 'north', 'request'],
      [2, 'allocation', 'north', 'request'],
      [1, 'created', null, 'request'],
    ],
  )
  assert.equal(total, 3)
  assert.equal(history[0]?.actor_type, 'key')
  const page = (await call('GET', `/sims/${sim.id}/history?limit=2`)).body
  const rest = (await call('GET', `/sims/${sim.id}/history?limit=2&after=${page.pagination.endCursor}`)).body
  assert.deepEqual(
    rest.history.map(({ seq }) => seq),
    [1],
  )
  const cursor = Buffer.from(JSON.stringify(['sim history', 0, "1'; drop"])).toString('base64url')
  assert.equal((await call('GET', `/sims/${sim.id}/history?after=${cursor}`)).status, 400)
})

test('a device and the SIM whose number it has find each other, whichever is known first', async () => {
  const numbered = await newSim({ msisdn: '5754111111111' })
  const device = await newDevice({ sim_number: '57-5411 1111-111', sub_client_id: 'north' })
  await desk.runJobs()
  assert.deepEqual([(await simOf(numbered.id)).device_id, (await simOf(numbered.id)).sub_client_id], [device, 'north'])

  const later = iccid()
  const waiting = await newDevice({ sim_number: `${later}${luhnDigit(later)}` })
  await desk.runJobs()
  const known = await newSim({ iccid: later })
  await desk.runJobs()
  assert.equal((await simOf(known.id)).device_id, waiting)

  // Another SIM was put into the first device.
  await call('PUT', `${DEVICES}/${waiting}`, { sim_number: null })
  await call('PUT', `/sims/${known.id}`, { device_id: null })
  await call('PUT', `${DEVICES}/${device}`, { sim_number: later })
  await desk.runJobs()
  assert.equal((await simOf(known.id)).device_id, device)
  assert.equal((await simOf(numbered.id)).device_id, null)
  const [entry] = (await call('GET', `/sims/${known.id}/history`)).body.history
  assert.deepEqual([entry?.source, entry?.actor_type, entry?.reason], ['system', 'system', 'The device has its number.'])
})

test('a SIM of one sub-client is not taken by a device of another that writes its number', async () => {
  const sim = await newSim({ sub_client_id: 'north', msisdn: '5754222222222' })
  await newDevice({ sim_number: '5754222222222', sub_client_id: 'south' })
  await desk.runJobs()
  assert.deepEqual([(await simOf(sim.id)).device_id, (await simOf(sim.id)).sub_client_id], [null, 'north'])
})

test('a SIM goes where its device goes, and is let go by one that is decommissioned', async () => {
  const device = await newDevice({ sub_client_id: 'north' })
  const sim = await newSim()
  await call('PUT', `/sims/${sim.id}`, { device_id: device })
  await call('PUT', `${DEVICES}/${device}`, { sub_client_id: 'south' })
  await desk.runJobs()
  assert.equal((await simOf(sim.id)).sub_client_id, 'south')
  await call('POST', `${DEVICES}/${device}/decommission`)
  await desk.runJobs()
  assert.deepEqual([(await simOf(sim.id)).device_id, (await simOf(sim.id)).sub_client_id], [null, 'south'])
  assert.equal((await call('PUT', `/sims/${sim.id}`, { device_id: device })).body.error.code, 'device_decommissioned')
})

test('a sub-client that is deactivated lets go of its SIMs, however many', async () => {
  await call('POST', '/api/external/sub-clients', { name: 'Gone', sub_client_id: 'gone' })
  const device = await newDevice({ sub_client_id: 'gone' })
  const inDevice = await newSim()
  await call('PUT', `/sims/${inDevice.id}`, { device_id: device })
  for (let nth = 0; nth < 105; nth++) await newSim({ sub_client_id: 'gone' })
  await call('DELETE', '/api/external/sub-clients/gone')
  await desk.runJobs()
  assert.equal((await call('GET', '/sims?sub_client_id=gone')).body.total, 0)
  assert.deepEqual([(await simOf(inDevice.id)).sub_client_id, (await simOf(inDevice.id)).device_id], [null, device])
})

test('the use of a SIM is by days of the reseller, and bounded', async () => {
  const sim = await newSim()
  const usage = (await call('GET', `/sims/${sim.id}/usage?from=2026-11-18&to=2026-11-20`)).body
  assert.deepEqual(
    usage.daily.map(({ date, data_usage_bytes: bytes }) => [date, bytes]),
    [
      ['2026-11-18', 0],
      ['2026-11-19', 0],
      ['2026-11-20', 0],
    ],
  )
  assert.equal((await call('GET', `/sims/${sim.id}/usage`)).body.daily.length, 31)
  for (const query of ['from=2026-02-30', 'from=2026-11-21', 'from=2020-01-01', 'to=0001-01-01&from=9999-01-01', 'to=0100-01-01']) {
    assert.equal((await call('GET', `/sims/${sim.id}/usage?${query}`)).status, 400, query)
  }
})
