import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'
import { untilTaken } from '../test-support.ts'

const fleet = await openFleetApp({ after }, ['acme', 'rival', 'pager'])
const acme = fleet.as('acme')
for (const name of ['north', 'south', 'frozen']) await acme('POST', '/sub-clients', { name })

test('a new vehicle has the fields it was given and no health score yet', async () => {
  const given = { make: 'Toyota', model: 'Etios', year: 2014, vin: 'mbj11jv4007512345', license_plate: ' KA-01 ', sub_client_id: 'north' }
  for (const chosen of [{ health_score: 12 }, { registered: false }, { vehicle_id: 'veh-mine' }, { id: 'x' }]) {
    assert.equal((await acme('POST', '/vehicles', { ...given, ...chosen })).status, 400)
  }
  const { status, body } = await acme('POST', '/vehicles', given)
  assert.equal(status, 200)
  assert.deepEqual([body.success, body.created], [true, true])
  assert.match(body.vehicle_id, /^veh-[a-z0-9]{20}$/)
  const { created_at, updated_at, ...rest } = body.vehicle
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    ...given,
    vin: 'MBJ11JV4007512345',
    license_plate: 'KA-01',
    vehicle_id: body.vehicle_id,
    external_ref: null,
    name: null,
    vehicle_class: null,
    fuel_type: null,
    drivetrain: null,
    battery_nominal_v: null,
    status: 'active',
    retired_at: null,
    device_id: null,
    health_score: null,
    registered: true,
  })
  assert.deepEqual((await acme('GET', `/vehicles/${body.vehicle_id}`)).body.vehicle, body.vehicle)
})

test('the same VIN in any case is the same vehicle, whose other fields stay unless given', async () => {
  const first = await acme('POST', '/vehicles', { vin: 'ABC1', make: 'MAN', sub_client_id: 'north' })
  const second = await acme('POST', '/vehicles', { vin: 'abc1', model: 'TGX', make: null, sub_client_id: 'south' })
  assert.equal(second.body.created, false)
  assert.equal(second.body.vehicle_id, first.body.vehicle_id)
  const { make, model, sub_client_id } = second.body.vehicle
  assert.deepEqual([make, model, sub_client_id], ['MAN', 'TGX', 'south'])
})

test('a plate names a vehicle within its sub-client, and never a vehicle with another VIN', async () => {
  const upsert = async (body: object) => (await acme('POST', '/vehicles', body)).body
  const north = await upsert({ license_plate: 'P 1', sub_client_id: 'north' })
  const south = await upsert({ license_plate: 'P 1', sub_client_id: 'south' })
  const nobody = await upsert({ license_plate: 'P 1' })
  assert.equal(new Set([north, south, nobody].map(({ vehicle_id }) => vehicle_id)).size, 3)
  const again = await upsert({ license_plate: 'P 1', sub_client_id: 'north', make: 'DAF' })
  assert.deepEqual([again.vehicle_id, again.created], [north.vehicle_id, false])
  const identified = await upsert({ license_plate: 'P 1', sub_client_id: 'north', vin: 'PLATE1' })
  assert.deepEqual([identified.vehicle_id, identified.vehicle.vin], [north.vehicle_id, 'PLATE1'])
  const other = await upsert({ license_plate: 'P 1', sub_client_id: 'north', vin: 'PLATE2' })
  assert.deepEqual([other.created, other.vehicle.vin], [true, 'PLATE2'])
})

test('twenty upserts of one VIN, plate or reference at once make one vehicle', async () => {
  for (const body of [{ vin: 'RACE1' }, { license_plate: 'RACE 1', sub_client_id: 'north' }, { external_ref: 'race' }]) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => untilTaken(() => acme('POST', '/vehicles', body))))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map((answer) => answer.body.vehicle_id)).size, 1)
    assert.equal(answers.filter((answer) => answer.body.created).length, 1)
  }
})

test('upserts that name two vehicles crosswise at once neither hang nor merge them', async () => {
  await acme('POST', '/vehicles', { vin: 'CROSS1', license_plate: 'C 1' })
  await acme('POST', '/vehicles', { vin: 'CROSS2', license_plate: 'C 2' })
  const bodies = Array.from({ length: 20 }, (_, i) =>
    i % 2 === 0 ? { vin: 'CROSS1', license_plate: 'C 2' } : { vin: 'CROSS2', license_plate: 'C 1' },
  )
  const answers = await Promise.all(bodies.map((body) => untilTaken(() => acme('POST', '/vehicles', body))))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await acme('GET', '/vehicles?vin=cross1')).body.total, 1)
})

test('a vehicle that a reading made is completed through its reference', async () => {
  await fleet.query(
    `insert into vehicles (reseller_id, vehicle_id, external_ref, registered) values ('acme', 'veh-heard', 'truck 17', false)`,
  )
  assert.equal((await acme('GET', '/vehicles/truck%2017')).body.vehicle.registered, false)
  const { body } = await acme('POST', '/vehicles', { external_ref: 'truck 17', vin: 'HEARD1', make: 'Volvo' })
  assert.deepEqual([body.vehicle_id, body.created, body.vehicle.registered], ['veh-heard', false, true])
  const clash = await acme('POST', '/vehicles', { vin: 'ABC1', external_ref: 'truck 17' })
  assert.deepEqual([clash.status, clash.body.error.code], [409, 'conflict'])
})

test('a device is linked by id or IMEI, the last one linked is shown, and every link is remembered as a source', async () => {
  const ids: string[] = []
  for (const imei of ['35100000000001', '35100000000002']) ids.push((await acme('POST', '/devices', { imei })).body.device_id)
  const first = await acme('POST', '/vehicles', { vin: 'LINK1', device_id: '35100000000002' })
  assert.equal(first.body.vehicle.device_id, ids[1])
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 1_000)
  const second = await acme('POST', '/vehicles', { vin: 'LINK1', device_id: ids[0] })
  assert.equal(second.body.vehicle.device_id, ids[0])
  assert.equal((await acme('GET', `/devices/${ids[0]}`)).body.device.vehicle_id, second.body.vehicle_id)
  await acme('POST', `/devices/${ids[0]}/decommission`)
  assert.equal((await acme('GET', `/vehicles/${second.body.vehicle_id}`)).body.vehicle.device_id, ids[1])
  const sources = await fleet.query(
    'select source_id from vehicle_sources where vehicle_id = $1 order by source_id',
    second.body.vehicle_id,
  )
  assert.deepEqual(
    sources.map(({ source_id }) => source_id),
    [...ids].sort(),
  )
  const gone = await acme('POST', '/vehicles', { vin: 'LINK1', device_id: ids[0] })
  assert.deepEqual([gone.status, gone.body.error.code], [409, 'device_decommissioned'])
})

test('an upsert that is refused for its device leaves no vehicle behind', async () => {
  const { status, body } = await acme('POST', '/vehicles', { vin: 'ORPHAN', device_id: 'dev-neverwasone' })
  assert.deepEqual([status, body.error.code], [404, 'device_not_found'])
  assert.equal((await acme('GET', '/vehicles?vin=ORPHAN')).body.total, 0)
})

test('bad fields are refused by name', async () => {
  const bad: Record<string, unknown[]> = {
    vin: ['', 'x'.repeat(18), 'A B', 7, 'Ä'],
    year: [1899, 2101, 2014.5, '2014'],
    license_plate: ['', ' ', 'x'.repeat(33)],
    external_ref: ['', ' ', 'x'.repeat(129)],
    make: ['', 'x'.repeat(201), {}],
    sub_client_id: ['UPPER', ''],
  }
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const { status, body } = await acme('POST', '/vehicles', { [field]: value })
      assert.deepEqual([status, body.error.code, body.error.details?.['field']], [400, 'invalid_request', field], JSON.stringify(value))
    }
  }
})

test('nothing of a suspended sub-client can be changed, but a vehicle can be moved out of it', async () => {
  await acme('POST', '/vehicles', { vin: 'COLD1', sub_client_id: 'frozen' })
  await acme('PUT', '/sub-clients/frozen', { status: 'suspended' })
  for (const body of [
    { vin: 'COLD1', make: 'X' },
    { vin: 'COLD2', sub_client_id: 'frozen' },
    { vin: 'COLD1', sub_client_id: 'frozen' },
  ]) {
    const { status, body: answer } = await acme('POST', '/vehicles', body)
    assert.deepEqual([status, answer.error.code], [403, 'sub_client_suspended'])
  }
  assert.equal((await acme('GET', '/vehicles?sub_client_id=frozen')).body.total, 1)
  assert.equal((await acme('POST', '/vehicles', { vin: 'COLD1', sub_client_id: 'north' })).body.vehicle.sub_client_id, 'north')
})

test('the list shows health scores, and filters by sub-client, VIN and plate', async () => {
  const { vehicle_id } = (await acme('POST', '/vehicles', { vin: 'SCORED', sub_client_id: 'south', license_plate: 'S 1' })).body
  await fleet.query(`insert into vehicle_health values ('acme', $1, 81.5, 'healthy', 'none', 0.01, 0.1, 0.9, '{}', now())`, vehicle_id)
  for (const filter of ['vin=scored', 'license_plate=S%201', 'sub_client_id=south&vin=SCORED']) {
    const { body } = await acme('GET', `/vehicles?${filter}`)
    assert.deepEqual([body.total, body.vehicles[0]?.health_score], [1, 81.5], filter)
  }
  for (const filter of ['sub_client_id=north&vin=SCORED', 'sub_client_id=NOT%00A-SLUG', 'vin=%00', 'sub_client_id=unknown']) {
    const { body } = await acme('GET', `/vehicles?${filter}`)
    assert.deepEqual([body.total, body.vehicles, body.pagination], [0, [], { endCursor: null, hasNextPage: false }], filter)
  }
})

test('pages hold every vehicle once though others are added and changed between them', async () => {
  const pager = fleet.as('pager')
  for (let i = 0; i < 12; i++) await pager('POST', '/vehicles', { vin: `PAGE${i}` })
  const seen: (string | null)[] = []
  let after = ''
  for (let page = 0; page < 20; page++) {
    const { body } = await pager('GET', `/vehicles?limit=5${after}`)
    seen.push(...body.vehicles.map(({ vin }) => vin))
    fleet.clock.now = new Date(fleet.clock.now.getTime() + 1)
    await pager('POST', '/vehicles', { vin: 'PAGE0', make: `page ${page}` })
    await pager('POST', '/vehicles', { vin: `NEW${page}` })
    if (page === 3 || !body.pagination.hasNextPage) break
    after = `&after=${body.pagination.endCursor}`
  }
  const old = seen.filter((vin) => vin?.startsWith('PAGE'))
  assert.deepEqual([old.length, new Set(old).size], [12, 12])
})

test('another reseller and a pinned key see exactly what does not exist, and link nothing of it', async () => {
  const { vehicle_id } = (await acme('POST', '/vehicles', { vin: 'SECRET1', external_ref: 'secret ref', sub_client_id: 'north' })).body
  const { device_id } = (await acme('POST', '/devices', { imei: '35200000000001', sub_client_id: 'north' })).body
  const before = await fleet.query('select * from vehicles where vehicle_id = $1', vehicle_id)
  for (const stranger of [fleet.as('rival'), fleet.as('acme', 'south')]) {
    const unknown = await stranger('GET', '/vehicles/veh-neverwas')
    assert.equal(unknown.status, 404)
    for (const id of [vehicle_id, 'secret%20ref']) assert.deepEqual(await stranger('GET', `/vehicles/${id}`), unknown)
    assert.equal((await stranger('GET', '/vehicles?vin=SECRET1')).body.total, 0)
    assert.equal((await stranger('GET', '/vehicles?sub_client_id=north')).body.total, 0)
    for (const reference of [device_id, '35200000000001']) {
      const theirs = await stranger('POST', '/vehicles', { vin: 'THEIRS', device_id: reference })
      assert.deepEqual(theirs, await stranger('POST', '/vehicles', { vin: 'THEIRS', device_id: 'dev-neverwasone' }))
    }
    const into = await stranger('POST', '/vehicles', { vin: 'THEIRS', sub_client_id: 'north' })
    assert.deepEqual(into, await stranger('POST', '/vehicles', { vin: 'THEIRS', sub_client_id: 'never-was' }))
    assert.equal(into.status, 404)
  }
  assert.equal((await fleet.as('rival')('POST', '/vehicles', { vin: 'SECRET1' })).body.created, true)
  const taken = await fleet.as('acme', 'south')('POST', '/vehicles', { vin: 'SECRET1', make: 'Mine' })
  assert.deepEqual([taken.status, taken.body.error.code], [409, 'conflict'])
  assert.deepEqual(await fleet.query('select * from vehicles where vehicle_id = $1', vehicle_id), before)
})

test('a pinned key makes vehicles in its own sub-client', async () => {
  const { body } = await fleet.as('acme', 'south')('POST', '/vehicles', { vin: 'PINNED1' })
  assert.equal(body.vehicle.sub_client_id, 'south')
})
