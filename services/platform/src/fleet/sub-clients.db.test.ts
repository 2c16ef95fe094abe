import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFleetApp } from '../test-fleet-app.ts'
import { untilTaken } from '../test-support.ts'

const fleet = await openFleetApp({ after }, ['acme', 'rival', 'pager', 'racer', 'counter', 'limiter'])
const acme = fleet.as('acme')

test('a new sub-client is active, counts nothing, and is named by a slug of its name', async () => {
  const given = {
    name: 'Müller Transport',
    contact_email: 'fleet@mueller.example',
    contact_phone: '+49 30 1',
    metadata: { region: 'west', nested: { deep: [1, 2] } },
  }
  for (const chosen of [{ device_count: 7 }, { status: 'suspended' }, { reseller_id: 'rival' }]) {
    assert.equal((await acme('POST', '/sub-clients', { ...given, ...chosen })).status, 400)
  }
  const { status, body } = await acme('POST', '/sub-clients', given)
  assert.equal(status, 200)
  const { created_at, updated_at, ...rest } = body.sub_client
  assert.equal(body.success, true)
  assert.deepEqual(rest, {
    sub_client_id: 'muller-transport',
    name: 'Müller Transport',
    contact_email: 'fleet@mueller.example',
    contact_phone: '+49 30 1',
    metadata: { region: 'west', nested: { deep: [1, 2] } },
    status: 'active',
    device_count: 0,
    vehicle_count: 0,
    limits: { devices: null, readings_per_month: null, predictions_per_month: null },
  })
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(updated_at, created_at)
  assert.deepEqual(await acme('GET', '/sub-clients/muller-transport'), { status, body })
})

test('a name that is taken gets the next number, and an id that is taken is refused', async () => {
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await acme('POST', '/sub-clients', { name: 'Twin' })).body.sub_client.sub_client_id)
  assert.deepEqual(ids, ['twin', 'twin-2', 'twin-3'])
  const again = await acme('POST', '/sub-clients', { name: 'Other', sub_client_id: 'twin-2' })
  assert.deepEqual([again.status, again.body.error.code], [409, 'already_exists'])
  const elsewhere = await fleet.as('rival')('POST', '/sub-clients', { name: 'Other', sub_client_id: 'twin-2' })
  assert.equal(elsewhere.status, 200)
})

test('thirty sub-clients of one name at once get thirty slugs without a gap', async () => {
  const racer = fleet.as('racer')
  const create = () => untilTaken(() => racer('POST', '/sub-clients', { name: 'Race' }))
  const answers = await Promise.all(Array.from({ length: 30 }, create))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const ids = answers.map(({ body }) => body.sub_client.sub_client_id)
  assert.deepEqual(new Set(ids), new Set(['race', ...Array.from({ length: 29 }, (_, i) => `race-${i + 2}`)]))
})

test('bad bodies are refused by the name of the field and store nothing', async () => {
  const bad: [unknown, string | undefined][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'Bad', sub_client_id: 'Upper' }, 'sub_client_id'],
    [{ name: 'Bad', sub_client_id: 'a/b' }, 'sub_client_id'],
    [{ name: 'Bad', sub_client_id: 'x'.repeat(65) }, 'sub_client_id'],
    [{ name: 'Bad', contact_email: 'nobody' }, 'contact_email'],
    [{ name: 'Bad', contact_phone: 'x'.repeat(201) }, 'contact_phone'],
    [{ name: 'Bad', metadata: [] }, 'metadata'],
    [{ name: 'Bad', metadata: { a: 'x'.repeat(8_000), b: 'x'.repeat(8_000), c: 'x'.repeat(8_000) } }, 'metadata'],
    [[], undefined],
  ]
  for (const [body, field] of bad) {
    const answer = await acme('POST', '/sub-clients', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(answer.body.error.code, 'invalid_request')
    assert.equal(answer.body.error.details?.field, field, JSON.stringify(body))
  }
  assert.deepEqual(await fleet.query(`select from sub_clients where name = 'Bad'`), [])
})

test('an update changes what it names, leaves the rest, and clears what it sets to null', async () => {
  await acme('POST', '/sub-clients', { name: 'Change', contact_email: 'a@b.example', contact_phone: '1', metadata: { a: 1 } })
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 5_000)
  for (const fixed of [{ vehicle_count: 9 }, { sub_client_id: 'stolen' }]) {
    assert.equal((await acme('PUT', '/sub-clients/change', { name: 'Changed', ...fixed })).status, 400)
  }
  const { body } = await acme('PUT', '/sub-clients/change', { name: 'Changed', contact_email: null })
  const { sub_client_id, name, contact_email, contact_phone, metadata, vehicle_count, created_at, updated_at } = body.sub_client
  assert.deepEqual(
    [sub_client_id, name, contact_email, contact_phone, metadata, vehicle_count],
    ['change', 'Changed', null, '1', { a: 1 }, 0],
  )
  assert.equal(Date.parse(updated_at) - Date.parse(created_at), 5_000)
  for (const status of ['suspended', 'deactivated', 'active']) {
    assert.equal((await acme('PUT', '/sub-clients/change', { status })).body.sub_client.status, status)
  }
  assert.equal((await acme('PUT', '/sub-clients/change', { status: 'deleted' })).status, 400)
})

test('deactivating takes the devices out, keeps the record, and may be repeated', async () => {
  await acme('POST', '/sub-clients', { name: 'Leaving' })
  const devices = []
  for (const imei of ['35000000000011', '35000000000012', '35000000000013']) {
    devices.push(
      (await acme('POST', '/devices', { imei, sub_client_id: 'leaving', vehicle: { mode: 'create', make: 'MAN' } })).body.device_id,
    )
  }
  await acme('POST', `/devices/${devices[2]}/decommission`)
  const first = await acme('DELETE', '/sub-clients/leaving')
  assert.equal(first.status, 200)
  assert.equal(first.body.success, true)
  assert.equal(first.body.devices_unassigned, 2)
  assert.equal(first.body.sub_client.status, 'deactivated')
  assert.deepEqual([first.body.sub_client.device_count, first.body.sub_client.vehicle_count], [0, 3])
  assert.equal((await acme('GET', `/devices/${devices[0]}`)).body.device.sub_client_id, null)
  const second = await acme('DELETE', '/sub-clients/leaving')
  assert.deepEqual([second.status, second.body.devices_unassigned, second.body.sub_client.status], [200, 0, 'deactivated'])
  assert.equal((await acme('GET', '/sub-clients/leaving')).status, 200)
})

test('the list filters by status and counts what it filters', async () => {
  const { body } = await acme('GET', '/sub-clients?status=deactivated')
  assert.deepEqual(
    body.sub_clients.map((each) => each.sub_client_id),
    ['leaving'],
  )
  assert.equal(body.total, 1)
  assert.deepEqual(body.pagination.hasNextPage, false)
  assert.equal((await acme('GET', '/sub-clients?status=gone')).status, 400)
})

test('pages hold every sub-client once, in order, though others are added between them', async () => {
  const pager = fleet.as('pager')
  for (let i = 0; i < 23; i++) await pager('POST', '/sub-clients', { name: `Old ${i}` })
  const seen: string[] = []
  let after = ''
  for (let pages = 0; pages < 20; pages++) {
    const { body } = await pager('GET', `/sub-clients?limit=5${after}`)
    seen.push(...body.sub_clients.map((each) => each.name))
    // The clock stands still, so only the ids keep the order of these.
    await pager('POST', '/sub-clients', { name: 'zz added' })
    if (!body.pagination.hasNextPage) break
    after = `&after=${body.pagination.endCursor}`
  }
  assert.equal(new Set(seen.filter((name) => name.startsWith('Old'))).size, 23)
  assert.equal(seen.filter((name) => name.startsWith('Old')).length, 23)
  for (const bad of ['limit=0', 'limit=501', 'limit=x', 'after=%00', 'after=e30', 'limit=1&limit=2']) {
    assert.equal((await pager('GET', `/sub-clients?${bad}`)).status, 400, bad)
  }
})

test('another reseller and a pinned key see exactly what does not exist', async () => {
  await acme('POST', '/sub-clients', { name: 'Mine' })
  await acme('POST', '/sub-clients', { name: 'Sibling' })
  const before = await fleet.query(`select * from sub_clients where sub_client_id = 'mine'`)
  for (const stranger of [fleet.as('rival'), fleet.as('acme', 'sibling')]) {
    for (const [method, body] of [['GET'], ['PUT', { name: 'Taken', status: 'suspended' }], ['DELETE']] as const) {
      assert.deepEqual(await stranger(method, '/sub-clients/mine', body), await stranger(method, '/sub-clients/never-was', body))
    }
  }
  assert.deepEqual(await fleet.query(`select * from sub_clients where sub_client_id = 'mine'`), before)
  const pinned = await fleet.as('acme', 'sibling')('GET', '/sub-clients')
  assert.deepEqual([pinned.body.total, pinned.body.sub_clients[0]?.sub_client_id], [1, 'sibling'])
  assert.equal((await fleet.as('acme', 'sibling')('POST', '/sub-clients', { name: 'Own' })).status, 403)
})

test('ids that could not be stored are simply not found', async () => {
  for (const id of ['%00', 'A', 'a%2Fb', '%ED%A0%80', "'", 'x'.repeat(100)]) {
    const { status } = await acme('GET', `/sub-clients/${id}`)
    assert.ok(status === 404 || status === 400, `${id}: ${status}`)
  }
})

test('counts are right after every change of a device or vehicle', async () => {
  const counter = fleet.as('counter')
  for (const name of ['a', 'b']) await counter('POST', '/sub-clients', { name })
  const counts = async () => {
    const { body } = await counter('GET', '/sub-clients')
    return body.sub_clients.map((each) => `${each.device_count}/${each.vehicle_count}`).join(' ')
  }
  const register = async (imei: string, body: object) => (await counter('POST', '/devices', { imei, ...body })).body.device_id
  const inA = await register('35000000000021', { sub_client_id: 'a', vehicle: { mode: 'create' } })
  assert.equal(await counts(), '1/1 0/0')
  await register('35000000000021', { sub_client_id: 'a', vehicle: { mode: 'create' } })
  assert.equal(await counts(), '1/1 0/0')
  const pending = await register('35000000000022', { sub_client_id: 'a', status: 'pending' })
  assert.equal(await counts(), '2/1 0/0')
  await counter('PUT', `/devices/${pending}`, { status: 'suspended' })
  assert.equal(await counts(), '2/1 0/0')
  await counter('PUT', `/devices/${inA}`, { sub_client_id: 'b' })
  assert.equal(await counts(), '1/1 1/0')
  const { vehicle_id } = (await counter('POST', '/vehicles', { vin: 'VIN1', sub_client_id: 'b' })).body
  assert.equal(await counts(), '1/1 1/1')
  await counter('POST', '/vehicles', { vin: 'vin1', sub_client_id: 'a' })
  assert.equal(await counts(), '1/2 1/0')
  await counter('PUT', `/devices/${inA}`, { sub_client_id: null, vehicle_id })
  assert.equal(await counts(), '1/2 0/0')
  await counter('POST', `/devices/${pending}/decommission`)
  assert.equal(await counts(), '0/2 0/0')
  await counter('PUT', `/devices/${inA}`, { sub_client_id: 'a' })
  assert.equal(await counts(), '1/2 0/0')
  await counter('PUT', '/sub-clients/a', { status: 'suspended' })
  assert.equal(await counts(), '1/2 0/0')
  await counter('DELETE', '/sub-clients/a')
  assert.equal(await counts(), '0/2 0/0')
})

test('devices registered while their sub-client is deactivated never end up in it', async () => {
  const racer = fleet.as('racer')
  for (let round = 0; round < 5; round++) {
    const id = `closing-${round}`
    await racer('POST', '/sub-clients', { name: 'Closing', sub_client_id: id })
    const registrations = Array.from({ length: 6 }, (_, i) =>
      untilTaken(() => racer('POST', '/devices', { imei: `3600000000${round}${i}000`, sub_client_id: id })),
    )
    const answers = await Promise.all([untilTaken(() => racer('DELETE', `/sub-clients/${id}`)), ...registrations])
    for (const { status } of answers) assert.ok(status === 200 || status === 403, String(status))
    assert.equal((await racer('GET', `/sub-clients/${id}`)).body.sub_client.device_count, 0)
  }
})

test('limits are set, kept and removed one by one, and only by who is not limited by them', async () => {
  const limiter = fleet.as('limiter')
  await limiter('POST', '/sub-clients', { name: 'Small' })
  const put = async (limits: unknown) => limiter('PUT', '/sub-clients/small', { limits })
  const none = { devices: null, readings_per_month: null, predictions_per_month: null }
  assert.deepEqual((await put({ devices: 2, readings_per_month: 5_000_000_000 })).body.sub_client.limits, {
    ...none,
    devices: 2,
    readings_per_month: 5_000_000_000,
  })
  assert.deepEqual((await put({ predictions_per_month: 0, devices: null })).body.sub_client.limits, {
    ...none,
    readings_per_month: 5_000_000_000,
    predictions_per_month: 0,
  })
  for (const [limits, field] of [
    [{ devices: -1 }, 'limits.devices'],
    [{ readings_per_month: 1.5 }, 'limits.readings_per_month'],
    [{ readings_per_month: 1e13 }, 'limits.readings_per_month'],
    [null, 'limits'],
  ] as const) {
    const { status, body } = await put(limits)
    assert.deepEqual([status, body.error.details?.['field']], [400, field])
  }
  const pinned = fleet.as('limiter', 'small')
  const raised = await pinned('PUT', '/sub-clients/small', { limits: { readings_per_month: null } })
  assert.deepEqual([raised.status, raised.body.error.code], [403, 'missing_scope'])
  assert.equal((await pinned('PUT', '/sub-clients/small', { name: 'Renamed' })).status, 200)
  assert.equal((await pinned('GET', '/sub-clients/small')).body.sub_client.limits.readings_per_month, 5_000_000_000)
})

test('a key of one sub-client does not suspend or deactivate it: it could not undo that', async () => {
  const limiter = fleet.as('limiter')
  await limiter('POST', '/sub-clients', { name: 'Own', sub_client_id: 'own' })
  const pinned = fleet.as('limiter', 'own')
  for (const [method, body] of [['PUT', { status: 'suspended' }], ['PUT', { status: 'deactivated', name: 'Gone' }], ['DELETE']] as const) {
    const refused = await pinned(method, '/sub-clients/own', body)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'missing_scope'], `${method} ${JSON.stringify(body)}`)
  }
  const renamed = await pinned('PUT', '/sub-clients/own', { name: 'Owned', status: 'active' })
  assert.deepEqual([renamed.status, renamed.body.sub_client.name, renamed.body.sub_client.status], [200, 'Owned', 'active'])
  assert.equal((await limiter('DELETE', '/sub-clients/own')).status, 200)
})

test('a sub-client gets as many devices as its limit allows, registered or reassigned, and no more, however many come at once', async () => {
  const limiter = fleet.as('limiter')
  await limiter('POST', '/sub-clients', { name: 'Three', sub_client_id: 'three' })
  await limiter('PUT', '/sub-clients/three', { limits: { devices: 3 } })
  const register = (imei: string) => untilTaken(() => limiter('POST', '/devices', { imei, sub_client_id: 'three' }))
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => register(`3700000000000${i}`)))
  const made = answers.filter(({ status }) => status === 200)
  assert.equal(made.length, 3)
  for (const { status, body } of answers.filter((each) => each.status !== 200)) {
    assert.deepEqual([status, body.error.code, body.error.details], [403, 'quota_exceeded', { quota: 3 }])
  }
  const other = (await limiter('POST', '/devices', { imei: '37000000000099' })).body.device_id
  assert.equal((await limiter('PUT', `/devices/${other}`, { sub_client_id: 'three' })).body.error.code, 'quota_exceeded')
  // One that is in it already may be changed, and one that leaves makes room.
  const inIt = made[0]?.body.device_id
  assert.equal((await limiter('PUT', `/devices/${inIt}`, { sub_client_id: 'three', name: 'first' })).status, 200)
  await limiter('POST', `/devices/${inIt}/decommission`)
  assert.equal((await limiter('PUT', `/devices/${other}`, { sub_client_id: 'three' })).status, 200)
  assert.equal((await limiter('GET', '/sub-clients/three')).body.sub_client.device_count, 3)
})
