import assert from 'node:assert/strict'
import { pbkdf2, pbkdf2Sync } from 'node:crypto'
import { after, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'
import { untilTaken } from '../test-support.ts'
import { deleteExpiredRegistrationsAcrossResellers } from './registrations.sql.ts'

const fleet = await openFleetApp({ after }, ['acme', 'rival', 'pager'])
const acme = fleet.as('acme')
for (const name of ['north', 'south', 'frozen']) await acme('POST', '/sub-clients', { name })

let imeis = 0
const newImei = () => String(356_000_000_000_000 + ++imeis)
const registerAtOnce = (bodies: object[]) => Promise.all(bodies.map((body) => untilTaken(() => acme('POST', '/devices', body))))
const full = (imei: string) => ({
  name: 'Truck 1',
  imei,
  device_type: 'obd_dongle',
  sim_number: '8944500102198304826',
  connection_method: 'mqtt',
  sub_client_id: 'north',
  vehicle: { mode: 'create', make: 'Toyota', model: 'Etios', year: 2014, license_plate: 'KA-01' },
})

test('a registration answers with the fields of the contract and credentials that fit each other', async () => {
  for (const chosen of [{ device_id: 'dev-chosenbyme' }, { mqtt_password: 'mine' }, { id: 'x' }]) {
    assert.equal((await acme('POST', '/devices', { ...full(newImei()), ...chosen })).status, 400)
  }
  const { status, body } = await acme('POST', '/devices', full(newImei()))
  assert.equal(status, 200)
  const { device_id, mqtt_password, mqtt_password_hash, vehicle_id, ...rest } = body
  assert.match(device_id, /^dev-[a-z0-9]{20}$/)
  assert.deepEqual(rest, {
    success: true,
    status: 'active',
    mqtt_broker: 'mqtt.example.com:1883',
    mqtt_username: `acme/${device_id}`,
    mqtt_topic: `fleet/acme/devices/${device_id}/telemetry`,
    sub_client_id: 'north',
  })
  assert.match(mqtt_password, /^[0-9A-Za-z]{32}$/)
  const [, seven, iterations, salt = '', key = ''] = mqtt_password_hash.split('$')
  assert.deepEqual([seven, iterations], ['7', '1000'])
  assert.equal(Buffer.from(salt, 'base64').length, 12)
  assert.equal(pbkdf2Sync(mqtt_password, Buffer.from(salt, 'base64'), 1_000, 64, 'sha512').toString('base64'), key)
  const { vehicle } = (await acme('GET', `/vehicles/${vehicle_id}`)).body
  assert.deepEqual([vehicle.make, vehicle.year, vehicle.sub_client_id, vehicle.device_id], ['Toyota', 2014, 'north', device_id])
})

test('a device record holds exactly its fields and never a secret, by id and by IMEI', async () => {
  const imei = newImei()
  const { device_id, vehicle_id } = (await acme('POST', '/devices', full(imei))).body
  const { status, body } = await acme('GET', `/devices/${device_id}`)
  const at = fleet.clock.now.toISOString()
  assert.deepEqual(
    [status, body.device],
    [
      200,
      {
        id: device_id,
        device_id,
        name: 'Truck 1',
        imei,
        device_type: 'obd_dongle',
        connection_method: 'mqtt',
        sim_number: '8944500102198304826',
        status: 'active',
        online: false,
        last_seen_at: null,
        sub_client_id: 'north',
        vehicle_id,
        mqtt_username: `acme/${device_id}`,
        mqtt_topic: `fleet/acme/devices/${device_id}/telemetry`,
        created_at: at,
        updated_at: at,
      },
    ],
  )
  assert.deepEqual((await acme('GET', `/devices/${imei}`)).body, body)
})

test('the password is stored nowhere in the clear', async () => {
  const { mqtt_password } = (await acme('POST', '/devices', full(newImei()))).body
  const rows = await fleet.query(
    `select (select string_agg(d::text, '') from devices d) || (select string_agg(encode(r.answer, 'escape'), '') from device_registrations r) as dump`,
  )
  const dump = String(rows[0]?.['dump'])
  assert.ok(dump.includes('Truck 1'))
  assert.ok(!dump.includes(mqtt_password) && !dump.includes(Buffer.from(mqtt_password).toString('hex')))
})

test('the same registration within a day gets the first answer, another body or a later one is refused', async () => {
  const body = full(newImei())
  const first = await acme('POST', '/devices', body)
  const reordered = Object.fromEntries(Object.entries(body).reverse())
  assert.deepEqual(await acme('POST', '/devices', reordered), first)
  const other = await acme('POST', '/devices', { ...body, name: 'Truck 2' })
  assert.deepEqual([other.status, other.body.error.code], [409, 'device_exists'])
  const start = fleet.clock.now
  fleet.clock.now = new Date(start.getTime() + 24 * 3_600_000 - 1)
  assert.deepEqual(await acme('POST', '/devices', body), first)
  fleet.clock.now = new Date(start.getTime() + 24 * 3_600_000)
  assert.equal((await acme('POST', '/devices', body)).status, 409)
  fleet.clock.now = start
})

test('twenty equal registrations at once make one device and one vehicle, and all get its credentials', async () => {
  const body = full(newImei())
  body.vehicle.license_plate = 'RACE 20'
  const answers = await registerAtOnce(Array.from({ length: 20 }, () => body))
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal(answers[0]?.status, 200)
  assert.equal((await acme('GET', '/vehicles?license_plate=RACE%2020')).body.total, 1)
})

test('of different registrations of one IMEI at once exactly one wins', async () => {
  const imei = newImei()
  const answers = await registerAtOnce(Array.from({ length: 12 }, (_, i) => ({ imei, name: `Device ${i}` })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status, body }) => status === 409 && body.error.code === 'device_exists').length, 11)
})

test('an IMEI is free again after decommission, and then names the new device only', async () => {
  const body = full(newImei())
  const first = (await acme('POST', '/devices', body)).body
  const gone = await acme('POST', `/devices/${body.imei}/decommission`)
  assert.deepEqual(
    [gone.status, gone.body],
    [200, { success: true, device_id: first.device_id, status: 'decommissioned', decommissioned_at: fleet.clock.now.toISOString() }],
  )
  assert.equal((await acme('GET', `/devices/${body.imei}`)).status, 404)
  assert.deepEqual(await acme('POST', `/devices/${body.imei}/decommission`), gone)
  const second = (await acme('POST', '/devices', body)).body
  assert.notEqual(second.device_id, first.device_id)
  assert.notEqual(second.mqtt_password, first.mqtt_password)
  assert.equal((await acme('GET', `/devices/${body.imei}`)).body.device.id, second.device_id)
  const then = fleet.clock.now
  fleet.clock.now = new Date(then.getTime() + 60_000)
  assert.deepEqual(await acme('POST', `/devices/${first.device_id}/decommission`), gone)
  assert.equal((await acme('GET', `/devices/${first.device_id}`)).body.device.status, 'decommissioned')
  for (const [method, path, change] of [
    ['PUT', '', { name: 'Back' }],
    ['POST', '/credentials/rotate', {}],
  ] as const) {
    const { status, body: refused } = await acme(method, `/devices/${first.device_id}${path}`, change)
    assert.deepEqual([status, refused.error.code], [409, 'device_decommissioned'])
  }
  const [row] = await fleet.query('select mqtt_secret_sha256, mqtt_password_hash from devices where device_id = $1', first.device_id)
  assert.deepEqual(row, { mqtt_secret_sha256: null, mqtt_password_hash: null })
})

// Goal: no transaction waits for a password to be hashed. Method: every thread that hashes is busy, and PostgreSQL lists which sessions are in a transaction.
test('no transaction is open while the password of a registration or rotation is hashed', async () => {
  const { device_id: id } = (await acme('POST', '/devices', full(newImei()))).body
  let busyCount = 8
  for (let i = busyCount; i > 0; i--) pbkdf2('busy', 'salt', 400_000, 64, 'sha512', () => busyCount--)
  const [rotation, registration] = [acme('POST', `/devices/${id}/credentials/rotate`, {}), acme('POST', '/devices', full(newImei()))]
  while (busyCount > 4) {
    const { rows } = await fleet.database.systemPool.query<{ n: number }>(
      `select count(*)::int as n from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a using (pid)
        where c.relname = 'devices' and a.datname = current_database() and a.backend_type = 'client backend'`,
    )
    assert.deepEqual(rows, [{ n: 0 }])
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual([(await rotation).status, (await registration).status], [200, 200])
})

test('rotation shows a new password, and the registration that showed the old one is not replayed', async () => {
  const body = full(newImei())
  const first = (await acme('POST', '/devices', body)).body
  const rotated = await acme('POST', `/devices/${body.imei}/credentials/rotate`, { grace_seconds: 60 })
  assert.equal(rotated.status, 200)
  assert.deepEqual([rotated.body.device_id, rotated.body.mqtt_username], [first.device_id, first.mqtt_username])
  assert.notEqual(rotated.body.mqtt_password, first.mqtt_password)
  assert.equal(rotated.body.previous_valid_until, new Date(fleet.clock.now.getTime() + 60_000).toISOString())
  assert.equal((await acme('POST', '/devices', body)).status, 409)
  assert.equal((await acme('POST', `/devices/${body.imei}/credentials/rotate`)).body.previous_valid_until, null)
  for (const grace_seconds of [-1, 86_401, 1.5, '60']) {
    assert.equal((await acme('POST', `/devices/${body.imei}/credentials/rotate`, { grace_seconds })).status, 400)
  }
})

test('an inline vehicle with a known VIN is linked, not made or changed; link finds by id and VIN; none links nothing', async () => {
  const known = (await acme('POST', '/vehicles', { vin: 'KNOWN1', make: 'MAN', external_ref: 'my truck', sub_client_id: 'north' })).body
    .vehicle_id
  const linked = async (vehicle: object) => (await acme('POST', '/devices', { imei: newImei(), vehicle })).body.vehicle_id
  assert.equal(await linked({ mode: 'create', vin: 'known1', make: 'Other' }), known)
  assert.equal(await linked({ mode: 'link', vehicle_id: known }), known)
  assert.equal(await linked({ mode: 'link', vehicle_id: 'my truck' }), known)
  assert.equal(await linked({ mode: 'link', vin: 'known1' }), known)
  assert.equal(await linked({ mode: 'none', vin: 'KNOWN1' }), null)
  assert.equal((await acme('GET', `/vehicles/${known}`)).body.vehicle.make, 'MAN')
  for (const [vehicle, status] of [
    [{ mode: 'link' }, 400],
    [{ mode: 'link', vin: 'NOTTHERE' }, 404],
    [{ mode: 'link', vehicle_id: 'veh-notthere' }, 404],
    [{ mode: 'steal' }, 400],
    [{ mode: 'create', year: 1800 }, 400],
  ] as const) {
    const imei = newImei()
    assert.equal((await acme('POST', '/devices', { imei, vehicle })).status, status, JSON.stringify(vehicle))
    assert.equal((await acme('GET', `/devices/${imei}`)).status, 404)
  }
})

test('ten devices registered at once with one new VIN share one vehicle', async () => {
  const answers = await registerAtOnce(Array.from({ length: 10 }, () => ({ imei: newImei(), vehicle: { mode: 'create', vin: 'SHARED1' } })))
  assert.equal(new Set(answers.map(({ body }) => body.vehicle_id)).size, 1)
  assert.equal((await acme('GET', '/vehicles?vin=SHARED1')).body.total, 1)
})

test('bad fields are refused by name and register nothing', async () => {
  const bad: Record<string, unknown[]> = {
    imei: ['1234567890123', '12345678901234567', '35600000000000x', ' 356000000000000', 356000000000000, ''],
    name: ['', 'x'.repeat(201), 5],
    device_type: ['toaster', null],
    connection_method: ['pigeon'],
    status: ['suspended', 'decommissioned'],
    sim_number: ['x'.repeat(33)],
    sub_client_id: ['North'],
    vehicle: ['create', []],
  }
  const before = await fleet.query('select count(*) from devices')
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const { status, body } = await acme('POST', '/devices', { name: 'Bad', imei: newImei(), [field]: value })
      assert.deepEqual([status, body.error.code, body.error.details?.['field']], [400, 'invalid_request', field], JSON.stringify(value))
    }
  }
  assert.equal((await acme('POST', '/devices', {})).status, 400)
  assert.deepEqual(await fleet.query('select count(*) from devices'), before)
})

test('a device with a name only, or provisioned as pending, is fine', async () => {
  const named = (await acme('POST', '/devices', { name: 'Phone of Ada', device_type: 'mobile_app', connection_method: 'osmand' })).body
  assert.deepEqual([named.status, named.vehicle_id, named.sub_client_id], ['active', null, null])
  const pending = (await acme('POST', '/devices', { imei: newImei(), status: 'pending' })).body
  assert.equal(pending.status, 'pending')
  assert.equal((await acme('PUT', `/devices/${pending.device_id}`, { status: 'active' })).body.device.status, 'active')
})

test('an update changes what it names, null clears, and the rest stays', async () => {
  const { device_id, vehicle_id } = (await acme('POST', '/devices', full(newImei()))).body
  const put = async (change: object) => (await acme('PUT', `/devices/${device_id}`, change)).body.device
  for (const fixed of [{ imei: newImei() }, { id: 'x' }, { created_at: '2026-01-31T08:15:00.000Z' }, { mqtt_username: 'x' }]) {
    assert.equal((await acme('PUT', `/devices/${device_id}`, fixed)).status, 400)
  }
  const moved = await put({ sub_client_id: 'south' })
  assert.deepEqual([moved.sub_client_id, moved.name, moved.id], ['south', 'Truck 1', device_id])
  const cleared = await put({ name: null, sim_number: null, vehicle_id: null, sub_client_id: null })
  assert.deepEqual([cleared.name, cleared.sim_number, cleared.vehicle_id, cleared.sub_client_id], [null, null, null, null])
  const changed = await put({ device_type: 'dashcam', connection_method: 'tcp', status: 'suspended', name: 'Cam', vehicle_id })
  assert.deepEqual(
    [changed.device_type, changed.connection_method, changed.status, changed.vehicle_id],
    ['dashcam', 'tcp', 'suspended', vehicle_id],
  )
  assert.equal((await acme('PUT', `/devices/${device_id}`, { status: 'decommissioned' })).status, 400)
})

test('into a suspended sub-client nothing can be registered or moved, and of it nothing changed, but a device can leave', async () => {
  const body = { ...full(newImei()), sub_client_id: 'frozen' }
  const { device_id } = (await acme('POST', '/devices', body)).body
  const outside = (await acme('POST', '/devices', full(newImei()))).body.device_id
  for (const status of ['suspended', 'deactivated']) {
    await fleet.query(`update sub_clients set status = $1 where sub_client_id = 'frozen'`, status)
    const refused = [
      await acme('POST', '/devices', { ...full(newImei()), sub_client_id: 'frozen' }),
      await acme('PUT', `/devices/${outside}`, { sub_client_id: 'frozen' }),
      await acme('PUT', `/devices/${device_id}`, { name: 'Changed' }),
      await acme('POST', `/devices/${device_id}/credentials/rotate`, {}),
      await acme('POST', '/vehicles', { vin: 'FROZEN1', device_id }),
    ]
    for (const answer of refused) assert.deepEqual([answer.status, answer.body.error.code], [403, 'sub_client_suspended'])
    assert.equal((await acme('GET', `/devices/${device_id}`)).status, 200)
  }
  assert.equal((await acme('PUT', `/devices/${device_id}`, { sub_client_id: 'north' })).body.device.sub_client_id, 'north')
})

test('the list filters, counts, and shows who is online by when it was last heard', async () => {
  const pager = fleet.as('pager')
  await pager('POST', '/sub-clients', { name: 'fleet' })
  const ids: string[] = []
  for (let i = 0; i < 12; i++) {
    const sub_client_id = i % 2 === 0 ? 'fleet' : null
    ids.push(
      (await pager('POST', '/devices', { imei: newImei(), sub_client_id, status: i % 3 === 0 ? 'pending' : 'active' })).body.device_id,
    )
  }
  const count = async (filter: string) => (await pager('GET', `/devices?${filter}`)).body.total
  assert.deepEqual(
    [await count(''), await count('sub_client_id=fleet'), await count('status=pending'), await count('sub_client_id=fleet&status=pending')],
    [12, 6, 4, 2],
  )
  assert.equal(await count('sub_client_id=%00'), 0)
  const hear = (id = '', secondsAgo: number) => {
    const at = new Date(fleet.clock.now.getTime() - secondsAgo * 1_000)
    return fleet.hear('pager', id, { signals: { vehicleSpeedKmh: 3 } }, at)
  }
  await hear(ids[0], 300)
  await hear(ids[1], 301)
  const { devices } = (await pager('GET', '/devices')).body
  assert.deepEqual(
    devices.filter(({ online }) => online).map(({ id }) => id),
    [ids[0]],
  )
  // Whose connection is closed at that moment is not online for what it sent before.
  await pager('PUT', `/devices/${ids[0]}`, { status: 'suspended' })
  assert.equal((await pager('GET', `/devices/${ids[0]}`)).body.device.online, false)
})

test('another reseller and a pinned key can neither read nor change a device by id or IMEI, and get the same answer as for a missing one', async () => {
  const imei = newImei()
  const { device_id, vehicle_id } = (await acme('POST', '/devices', full(imei))).body
  const state = () => fleet.query('select * from devices where device_id = $1', device_id)
  const before = await state()
  for (const stranger of [fleet.as('rival'), fleet.as('acme', 'south')]) {
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'Stolen', sub_client_id: null }],
      ['PUT', '', { name: 'Stolen' }],
      ['POST', '/decommission'],
      ['POST', '/credentials/rotate', {}],
      ['GET', '/location'],
    ] as const) {
      const unknown = await stranger(method, `/devices/dev-neverwasone${path}`, body)
      for (const reference of [device_id, imei]) {
        assert.deepEqual(await stranger(method, `/devices/${reference}${path}`, body), unknown, `${method} ${path}`)
      }
    }
    assert.equal((await stranger('GET', '/devices?sub_client_id=north')).body.total, 0)
    const own = (await stranger('POST', '/devices', { imei: newImei() })).body.device_id
    for (const [field, foreign, unknown] of [
      ['sub_client_id', 'north', 'never-was'],
      ['vehicle_id', vehicle_id, 'veh-neverwas'],
    ]) {
      const refused = await stranger('PUT', `/devices/${own}`, { [String(field)]: foreign })
      assert.deepEqual(refused, await stranger('PUT', `/devices/${own}`, { [String(field)]: unknown }))
      assert.equal(refused.status, 404)
    }
    const inline = await stranger('POST', '/devices', { imei: newImei(), vehicle: { mode: 'link', vehicle_id } })
    assert.deepEqual(inline, await stranger('POST', '/devices', { imei: newImei(), vehicle: { mode: 'link', vehicle_id: 'veh-neverwas' } }))
    const into = await stranger('POST', '/devices', { imei: newImei(), sub_client_id: 'north' })
    assert.deepEqual(into, await stranger('POST', '/devices', { imei: newImei(), sub_client_id: 'never-was' }))
  }
  assert.deepEqual(await state(), before)
})

test('two resellers register the same IMEI without learning of each other', async () => {
  const imei = newImei()
  const ours = await acme('POST', '/devices', { imei })
  const theirs = await fleet.as('rival')('POST', '/devices', { imei })
  assert.deepEqual([ours.status, theirs.status], [200, 200])
  assert.equal((await fleet.as('rival')('GET', `/devices/${imei}`)).body.device.id, theirs.body.device_id)
})

test('a pinned key registers into its own sub-client, lists only that, and takes nothing out of it', async () => {
  const south = fleet.as('acme', 'south')
  const { body } = await south('POST', '/devices', { imei: newImei() })
  assert.equal(body.sub_client_id, 'south')
  const { devices } = (await south('GET', '/devices')).body
  assert.ok(devices.length > 0 && devices.every(({ sub_client_id }) => sub_client_id === 'south'))
  assert.equal((await south('PUT', `/devices/${body.device_id}`, { sub_client_id: null })).status, 400)
  const taken = full(newImei())
  await acme('POST', '/devices', taken)
  assert.equal((await south('POST', '/devices', taken)).status, 409)
})

test('what can never be a device is not found, whatever it is', async () => {
  for (const id of ['%00', 'DEV-ABC', "'", '..%2F..', '%F0%9F%9A%9A', '0', '1'.repeat(90)]) {
    const { status, body } = await acme('GET', `/devices/${id}`)
    assert.deepEqual([status, body.error.code], [404, 'device_not_found'], id)
  }
})

test('every change is notified, so that this process forgets what it held', async () => {
  const { device_id } = (await acme('POST', '/devices', { imei: newImei() })).body
  for (const [method, path, body] of [
    ['PUT', `/devices/${device_id}`, { name: 'x' }],
    ['POST', '/vehicles', { vin: 'TOLD1' }],
    ['PUT', '/sub-clients/north', { name: 'North' }],
    ['POST', `/devices/${device_id}/credentials/rotate`, {}],
    ['POST', `/devices/${device_id}/decommission`],
  ] as const) {
    const before = fleet.changed.length
    assert.equal((await acme(method, path, body)).status, 200)
    assert.deepEqual(fleet.changed.slice(before), ['acme'], path)
  }
})

test('an answer kept with its password is deleted when it can no longer be replayed', async () => {
  const body = full(newImei())
  const { device_id } = (await acme('POST', '/devices', body)).body
  const kept = () => fleet.query('select device_id from device_registrations where device_id = $1', device_id)
  await deleteExpiredRegistrationsAcrossResellers(fleet.database.systemPool, fleet.clock.now)
  assert.equal((await kept()).length, 1)
  await deleteExpiredRegistrationsAcrossResellers(fleet.database.systemPool, new Date(fleet.clock.now.getTime() + 1))
  assert.equal((await kept()).length, 0)
  assert.equal((await acme('POST', '/devices', body)).status, 409)
})
