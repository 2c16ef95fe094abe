// Goal: the health of vehicles is shown as scoring stored it, to its owner and to nobody else.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { START_MS, startBench } from './test-bench.ts'
import { judgedFleet, vehicleRoutesOf } from './test-judged-fleet.ts'
import { errorOf, startTestSurface } from './test-surface.ts'

const { database } = await openTestDatabase({ after }, new Date(START_MS))
await insertReseller(database, 'stranger')

test('health has the numbers of spec §2.8, with what drives them and the alerts that stand', async (t) => {
  const { platform, hot } = await judgedFleet(t, database)
  const { status, body } = await platform.get<{ alerts: Record<string, unknown>[] } & Record<string, unknown>>(`/vehicles/${hot}/health`)
  assert.equal(status, 200)
  const { alerts, scoredAt, ...rest } = body
  assert.deepEqual(rest, {
    vehicleId: hot,
    healthScore: 40,
    components: { cooling: 40, brakes: 90 },
    advice: {},
    healthStatus: 'warning',
    riskLevel: 'high',
    maintenanceNeeded: true,
    maintenanceProbability: 0.7,
    anomalyScore: 0.999,
    anomalyDetected: true,
    anomalyBasis: null,
    confidence: 0.8,
    componentConfidence: {},
    insights: ['Coolant 110 °C is above 105 °C'],
    recommendations: ['Check the coolant'],
  })
  assert.equal(scoredAt, new Date(START_MS + 1000).toISOString())
  assert.equal(alerts.length, 1)
  assert.deepEqual([alerts[0]?.['vehicleId'], alerts[0]?.['severity']], [hot, 'high'])
  assert.equal((await platform.get('/vehicles/truck-1/health')).body['vehicleId'], hot)
})

test('what an anomaly score was judged by, and how well each life is known, are shown as the engine reports them', async (t) => {
  const { bench, platform } = await judgedFleet(t, database)
  const more = { anomalyBasis: ['coolant'], componentConfidence: { cooling: 0.4, brakes: 0.1 } }
  bench.engine.reshape = (answer) => ({ ...answer, predictions: { ...answer.predictions, ...more } })
  const { body } = await platform.get(`/vehicles/${await bench.addVehicle()}/health`)
  assert.deepEqual([body['anomalyBasis'], body['componentConfidence']], [more.anomalyBasis, more.componentConfidence])
})

test('before its first score a vehicle’s health is asked of the engine with what is known; away, it is 503', async (t) => {
  const { bench, platform } = await judgedFleet(t, database)
  const silent = await bench.addVehicle()
  const fresh = await bench.addVehicle()
  await bench.report(fresh, { signals: { coolantTempC: 100 } })
  const ofSilent = await platform.get(`/vehicles/${silent}/health`)
  assert.deepEqual([ofSilent.status, ofSilent.body['healthScore'], ofSilent.body['scoredAt']], [200, 100, null])
  const ofFresh = await platform.get(`/vehicles/${fresh}/health`)
  assert.deepEqual([ofFresh.body['healthScore'], ofFresh.body['scoredAt']], [70, null])
  const list = (await platform.get<{ vehicles: { id: string; healthScore: number | null }[] }>('/vehicles')).body
  assert.equal(list.vehicles.find(({ id }) => id === silent)?.healthScore, null)
  bench.engine.fault = () => ({ status: 503 })
  const away = await platform.get(`/vehicles/${silent}/health`)
  assert.equal(away.status, 503)
  assert.equal(errorOf(away)['code'], 'unavailable')
})

test('vehicles are listed with their health, by sub-client and by status, page by page', async (t) => {
  const { bench, platform, hot, cool } = await judgedFleet(t, database)
  const { status, body } = await platform.get<{ vehicles: Record<string, unknown>[] }>('/vehicles')
  assert.equal(status, 200)
  assert.deepEqual(
    body.vehicles.map(({ id, healthScore, healthStatus, openAlerts, subClientId }) => [
      id,
      healthScore,
      healthStatus,
      openAlerts,
      subClientId,
    ]),
    [
      [hot, 40, 'warning', 1, 'north'],
      [cool, 100, 'healthy', 0, 'south'],
    ],
  )
  const idsOf = async (query: string) =>
    (await platform.get<{ vehicles: { id: string }[] }>(`/vehicles${query}`)).body.vehicles.map(({ id }) => id)
  assert.deepEqual(await idsOf('?healthStatus=warning'), [hot])
  assert.deepEqual(await idsOf('?subClientId=south'), [cool])
  assert.deepEqual(await idsOf('?subClientId=%00'), [])
  const first = await platform.get<{ pagination: { endCursor: string; hasNextPage: boolean } }>('/vehicles?limit=1')
  const { pagination } = first.body
  assert.equal(pagination.hasNextPage, true)
  bench.clock.nowMs += 1
  await bench.addVehicle()
  assert.deepEqual(await idsOf(`?limit=1&after=${pagination.endCursor}`), [cool])
})

test('the last reading of a suspended device keeps its vehicle online in no list', async (t) => {
  const { bench, platform } = await judgedFleet(t, database)
  const vehicleId = await bench.addVehicle()
  const deviceId = `dev-${vehicleId.slice(4)}`
  await bench.report(vehicleId, { signals: { vehicleSpeedKmh: 3 } }, { sourceId: deviceId })
  await database.systemPool.query(
    "insert into devices (reseller_id, device_id, device_type, connection_method, status) values ($1, $2, 'obd_dongle', 'http', 'active')",
    [bench.resellerId, deviceId],
  )
  const shown = async () => [
    (await platform.get(`/vehicles/${vehicleId}`)).body['online'],
    (await platform.get<{ vehicles: { id: string }[] }>('/vehicles?presence=online')).body.vehicles.some(({ id }) => id === vehicleId),
  ]
  assert.deepEqual(await shown(), [true, true])
  await database.systemPool.query("update devices set status = 'suspended' where reseller_id = $1 and device_id = $2", [
    bench.resellerId,
    deviceId,
  ])
  assert.deepEqual(await shown(), [false, false])
})

test('a vehicle is at its newest position, and online while something was heard of it in the last five minutes', async (t) => {
  const { bench, platform, hot, cool } = await judgedFleet(t, database)
  const at = (latitude: number) => ({ position: { latitude, longitude: 8.4 } })
  const recordedAtMs = bench.clock.nowMs - 30_000
  const driving = { attributes: { headingDeg: 270, ignition: true }, signals: { vehicleSpeedKmh: 42 } }
  await bench.report(hot, { ...at(49), recordedAtMs, ...driving })
  // In a message of its own, as many devices send it.
  await bench.report(hot, { recordedAtMs: recordedAtMs - 500, signals: { batteryVoltageV: 27.9 } })
  await bench.report(hot, { ...at(48), recordedAtMs: recordedAtMs - 1 }, { sourceId: 'dev-old0tracker0' })
  const shown = async (id: string) => {
    const { location, online } = (await platform.get(`/vehicles/${id}`)).body
    return { location, online }
  }
  const timestamp = new Date(recordedAtMs).toISOString()
  const location = { latitude: 49, longitude: 8.4, heading: 270, speed: 42, ignition: true, batteryVoltage: 27.9, timestamp }
  assert.deepEqual(await shown(hot), { location, online: true })
  assert.deepEqual(await shown(cool), { location: null, online: true })
  bench.clock.nowMs += 300_000
  assert.equal((await shown(hot)).online, true)
  bench.clock.nowMs += 1
  const { vehicles } = (await platform.get<{ vehicles: Record<string, unknown>[] }>('/vehicles')).body
  assert.deepEqual(vehicles.find(({ id }) => id === hot)?.['location'], location)
  assert.deepEqual(
    vehicles.map(({ online }) => online),
    [false, false],
  )
})

test('health history is a half-open range of time, page by page', async (t) => {
  const { bench, platform, hot } = await judgedFleet(t, database)
  for (const coolantTempC of [100, 90]) {
    bench.clock.nowMs += 60_000
    await bench.report(hot, { signals: { coolantTempC } })
    assert.equal(await bench.score(), 1)
  }
  bench.clock.nowMs += 1
  const url = `/vehicles/${hot}/health/history`
  const scoresOf = async (query: string) =>
    (await platform.get<{ history: { healthScore: number }[] }>(url + query)).body.history.map((each) => each.healthScore)
  assert.deepEqual(await scoresOf(''), [40, 70, 100])
  const { history } = (await platform.get<{ history: { components: object | null }[] }>(url)).body
  assert.deepEqual(
    history.map(({ components }) => components),
    [40, 70, 100].map((cooling) => ({ cooling, brakes: 90 })),
  )
  await database.systemPool.query('update health_history set components = null where reseller_id = $1', [bench.resellerId])
  assert.equal((await platform.get<{ history: { components: object | null }[] }>(url)).body.history[0]?.components, null)
  const at = (ms: number) => new Date(START_MS + ms).toISOString()
  assert.deepEqual(await scoresOf(`?from=${at(1000)}&to=${at(121_000)}`), [40, 70])
  const first = (await platform.get<{ total: number; pagination: { endCursor: string } }>(`${url}?limit=2`)).body
  assert.equal(first.total, 3)
  assert.deepEqual(await scoresOf(`?limit=2&after=${first.pagination.endCursor}`), [100])
  assert.equal((await platform.get(`${url}?from=2026-02-30T00:00:00Z`)).status, 400)
  assert.equal((await platform.get(`${url}?from=${at(2)}&to=${at(1)}`)).status, 400)
})

test('tenant matrix: a stranger and another sub-client’s key find nothing and get what an unknown id gets', async (t) => {
  const { platform, stranger, pinned, hot, cool } = await judgedFleet(t, database)
  const outsiders = [stranger, pinned('south')]
  for (const outsider of outsiders) {
    for (const path of ['', '/health', '/health/history']) {
      const answer = await outsider.platform.get(`/vehicles/${hot}${path}`)
      const unknown = await outsider.platform.get(`/vehicles/veh-none${path}`)
      const shown = (each: typeof answer) => [each.status, { ...errorOf(each), request_id: '' }]
      assert.deepEqual(shown(answer), shown(unknown))
      assert.equal(answer.status, 404)
    }
    for (const reference of [hot, 'truck-1']) {
      assert.equal((await outsider.platform.get(`/predictions?vehicleId=${reference}`)).body['total'], 0)
      assert.equal((await outsider.external.get(`/predictions?vehicle_id=${reference}`)).body['total'], 0)
      assert.equal((await outsider.external.post('/predict', { vehicle_id: reference, sensor_data: {} })).status, 404)
    }
    assert.equal((await outsider.external.get('/predictions?sub_client_id=north')).body['total'], 0)
  }
  assert.equal((await stranger.platform.get('/vehicles')).body['total'], 0)
  const own = (await pinned('south').platform.get<{ total: number; vehicles: { id: string }[] }>('/vehicles')).body
  assert.deepEqual([own.total, own.vehicles.map(({ id }) => id)], [1, [cool]])
  assert.equal((await pinned('south').external.get('/predictions')).body['total'], 2)
  assert.equal((await platform.get('/vehicles')).body['total'], 2)
})

test('a retired vehicle is not scored nor listed unless asked for; what was found of it stays', async (t) => {
  const b = await startBench(t, database)
  const surface = await startTestSurface(t, platformSurface, [vehicleRoutesOf(database, b.deps.now)])
  const api = surface.as({ resellerId: b.resellerId })
  const vehicleId = await b.addVehicle()
  await b.report(vehicleId, { signals: { coolantTempC: 90 } })
  assert.equal(await b.score(), 1)
  const run = (sql: string) => database.systemPool.query(sql, [b.resellerId])
  await run(`insert into devices (reseller_id, device_id, name, device_type, connection_method, status, vehicle_id)
             select reseller_id, 'dev-' || substr(md5(reseller_id), 1, 20), 'Dongle 7', 'other', 'mqtt', 'active', vehicle_id
               from vehicles where reseller_id = $1`)
  const listed = async (query: string) => (await api.get<{ total: number; vehicles: Record<string, unknown>[] }>(`/vehicles${query}`)).body
  // In the list it goes by its device, having neither name nor plate.
  assert.deepEqual(
    (await listed('')).vehicles.map(({ name, status }) => [name, status]),
    [['Dongle 7', 'active']],
  )
  await run(`update vehicles set status = 'retired', license_plate = 'B-RW 1' where reseller_id = $1`)
  await b.report(vehicleId, { recordedAtMs: b.clock.nowMs + 1_000, signals: { coolantTempC: 140 } })
  b.clock.nowMs += 120_000
  assert.equal(await b.score(), 0)
  assert.deepEqual([(await listed('')).total, (await listed('?status=retired')).total], [0, 1])
  const { status, body } = await api.get(`/vehicles/${vehicleId}`)
  assert.deepEqual([status, body['status'], body['name'], body['openAlerts']], [200, 'retired', null, 0])
  assert.notEqual(body['healthScore'], null)
})
