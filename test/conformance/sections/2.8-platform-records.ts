// With §4.2, which is the routes of these records.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilTaken } from '@roadworthy/platform/test-support'
import { assertKeys, assertTime, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

const SCORED_WITHIN_MS = 180_000
const VEHICLE = [
  ...['id', 'vin', 'make', 'model', 'healthScore'],
  ...['year', 'licensePlate', 'externalRef', 'subClientId', 'registered', 'healthStatus', 'riskLevel', 'scoredAt', 'lastReadingAt'],
  ...['openAlerts', 'online', 'location', 'createdAt', 'updatedAt'],
  ...['name', 'vehicleClass', 'fuelType', 'drivetrain', 'batteryNominalV', 'status'],
]
const HEALTH = [
  ...['vehicleId', 'healthScore', 'components', 'alerts'],
  ...['healthStatus', 'riskLevel', 'maintenanceNeeded', 'maintenanceProbability', 'anomalyScore', 'anomalyDetected', 'confidence'],
  ...['insights', 'recommendations', 'scoredAt', 'advice', 'anomalyBasis', 'componentConfidence'],
]
const PREDICTION = [
  ...['vehicleId', 'component', 'issue', 'rul_days', 'confidence', 'severity'],
  ...['id', 'interval', 'healthScore', 'subClientId', 'createdAt', 'updatedAt'],
]
const ALERT = [
  ...['id', 'vehicleId', 'deviceId', 'severity', 'message', 'timestamp'],
  ...['status', 'type', 'component', 'description', 'urgency', 'code', 'evidence', 'occurrences', 'lastSeenAt', 'acknowledgedAt'],
  ...['resolvedAt', 'resolvedBy', 'source', 'scheduleId', 'updatedAt', 'incidentId'],
]
const INCIDENT = [
  ...['id', 'vehicleId', 'component', 'severity', 'status', 'title', 'recommendation', 'advice', 'evidence', 'alertIds', 'occurrences'],
  ...['openedAt', 'updatedAt', 'acknowledgedBy', 'assignee', 'snoozedUntil', 'resolvedAt', 'resolution'],
  ...['deviceId', 'flapping', 'source', 'cause', 'acknowledgedAt', 'resolvedBy', 'actBy'],
]

type Vehicles = { vehicles: Row[]; total: number; pagination: Row }
type Predictions = { predictions: Row[]; total: number; pagination: Row }
type Alerts = { alerts: Row[]; total: number; pagination: Row }
type Incidents = { incidents: (Row & { evidence: Row[]; alertIds: string[] })[]; total: number; pagination: Row }

/** A vehicle with a red stop lamp, and how the platform shows it once it was scored. */
async function openSickVehicle(tenant: Tenant): Promise<{ vehicleId: string; alerts: Row[] }> {
  const body = { vehicleId: 'sick', engine_speed: 900, coolant: 92, battery_voltage: 13.9, red_stop_lamp: 'LAMP_ON', dtc_codes: ['P0217'] }
  const { vehicleId } = ok<{ vehicleId: string }>(await tenant.platform('POST', '/telemetry', { body }))
  for (const startedAtMs = performance.now(); performance.now() - startedAtMs < SCORED_WITHIN_MS; await sleep(100)) {
    const { alerts } = ok<Alerts>(await tenant.platform('GET', '/alerts'))
    if (alerts.length > 0) return { vehicleId, alerts }
  }
  return assert.fail('the vehicle was not scored in time')
}

export function platformRecordsSection(service: Service): void {
  suite('2.8 Platform REST API records, with 4.2', () => {
    test('telemetry in the field names of the specification is stored and answered with its id', async () => {
      const tenant = await service.newTenant()
      const timestamp = new Date(Date.now() - 1000).toISOString()
      const body = { vehicleId: 'truck-17', timestamp, engine_speed: 1850, coolant: 92, battery_voltage: 13.9, vehicleSpeed: 72 }
      const answer = ok<Row>(await tenant.platform('POST', '/telemetry', { body }))
      assertKeys(answer, ['success', 'telemetryId', 'vehicleId', 'receivedAt', 'duplicate'])
      assert.deepEqual([answer['success'], answer['duplicate']], [true, false])
      assertTime(answer['receivedAt'])
      assert.equal(ok<Row>(await tenant.platform('POST', '/telemetry', { body }))['duplicate'], true)
      const { readings } = ok<{ readings: Row[] }>(await tenant.platform('GET', `/vehicles/${answer['vehicleId']}/readings`))
      assert.deepEqual(
        readings.map(({ id, recordedAt }) => [id, recordedAt]),
        [[answer['telemetryId'], timestamp]],
      )
      for (const bad of [{}, { vehicleId: '' }, { vehicleId: 7 }, { ...body, coolant: 'hot' }, { ...body, timestamp: 'noon' }, [], null]) {
        refused(await tenant.platform('POST', '/telemetry', { body: bad }), 400, 'invalid_request', 'platform')
      }
      const long = await tenant.platform('POST', '/telemetry', { body: { ...body, vehicleId: 'x'.repeat(129) } })
      assert.match(String(refused(long, 400, 'invalid_request', 'platform')['message']), /^"vehicleId" must be/)
    })

    test('a vehicle has exactly its fields, in the list and alone, and null for a score before there is one', async () => {
      const tenant = await service.newTenant()
      const { vehicle_id: id } = ok<Row>(
        await tenant.external('POST', '/vehicles', { body: { make: 'Toyota', model: 'Etios', vin: 'VIN0000000000001A' } }),
      )
      const list = ok<Vehicles>(await tenant.platform('GET', '/vehicles'))
      assertKeys(list, ['vehicles', 'total', 'pagination'])
      const [vehicle = {}] = list.vehicles
      assertKeys(vehicle, VEHICLE)
      assert.deepEqual(
        [vehicle['id'], vehicle['make'], vehicle['model'], vehicle['vin'], vehicle['healthScore']],
        [id, 'Toyota', 'Etios', 'VIN0000000000001A', null],
      )
      assertTime(vehicle['createdAt'])
      assert.deepEqual(ok(await tenant.platform('GET', `/vehicles/${id}`)), vehicle)
      refused(await tenant.platform('GET', '/vehicles/veh-unknown'), 404, 'not_found', 'platform')
    })

    test('health of a vehicle that never reported is an answer with next to no confidence; of an unknown one 404', async () => {
      const tenant = await service.newTenant()
      const { vehicle_id: id } = ok<Row>(await tenant.external('POST', '/vehicles', { body: { make: 'Toyota' } }))
      const health = ok<Row>(await tenant.platform('GET', `/vehicles/${id}/health`))
      assertKeys(health, HEALTH)
      assert.deepEqual([health['vehicleId'], health['alerts'], health['scoredAt']], [id, [], null])
      assert.ok(Number(health['confidence']) < 0.3)
      refused(await tenant.platform('GET', '/vehicles/veh-unknown/health'), 404, 'not_found', 'platform')
    })

    test('a vehicle in distress shows in its health, its alerts, its predictions and its record', async () => {
      const tenant = await service.newTenant()
      const { vehicleId, alerts } = await openSickVehicle(tenant)
      for (const alert of alerts) {
        assertKeys(alert, ALERT)
        assert.equal(alert['vehicleId'], vehicleId)
        assert.equal(alert['deviceId'], null)
        assertTime(alert['timestamp'])
      }
      assert.equal(
        alerts.some(({ severity }) => severity === 'critical'),
        true,
      )
      const health = ok<Row & { components: Row; alerts: Row[] }>(await tenant.platform('GET', `/vehicles/${vehicleId}/health`))
      assertKeys(health, HEALTH)
      assert.deepEqual([health['healthStatus'], health['riskLevel']], ['critical', 'high'])
      assert.ok(Number(health['healthScore']) < 40)
      for (const component of ['engine', 'transmission', 'brakes']) assert.equal(typeof health.components[component], 'number', component)
      assert.equal(health.alerts.length, alerts.length)
      assertTime(health['scoredAt'])
      const vehicle = ok<Row>(await tenant.platform('GET', `/vehicles/${vehicleId}`))
      assert.deepEqual([vehicle['healthScore'], vehicle['openAlerts']], [health['healthScore'], alerts.length])
      const { predictions } = ok<Predictions>(await tenant.platform('GET', `/predictions?vehicleId=${vehicleId}`))
      assert.ok(predictions.length > 0)
      for (const prediction of predictions) {
        assertKeys(prediction, PREDICTION)
        assert.ok(
          Number.isInteger(prediction['rul_days']) && Number(prediction['confidence']) >= 0 && Number(prediction['confidence']) <= 1,
        )
      }
      assert.equal(ok<Predictions>(await tenant.platform('GET', '/predictions?vehicleId=unknown')).total, 0)
      const external = ok<{ predictions: Row[] }>(await tenant.external('GET', '/predictions?vehicle_id=sick'))
      assert.deepEqual(
        external.predictions.map((each) => each['prediction_id']),
        predictions.map((each) => each['id']),
      )
      assertKeys(external.predictions[0] ?? {}, [
        ...['prediction_id', 'vehicle_id', 'sub_client_id', 'component', 'issue', 'rul_days', 'interval', 'confidence', 'severity'],
        ...['health_score', 'created_at', 'updated_at'],
      ])
      const { history } = ok<{ history: Row[] }>(await tenant.platform('GET', `/vehicles/${vehicleId}/health/history`))
      assertKeys(history[0] ?? {}, ['scoredAt', 'healthScore', 'healthStatus', 'components'])
    })

    test('alerts filter by severity and are acknowledged and resolved by PATCH', async () => {
      const tenant = await service.newTenant()
      const { alerts } = await openSickVehicle(tenant)
      const of = async (query: string) => ok<Alerts>(await tenant.platform('GET', `/alerts?${query}`)).alerts
      for (const severity of ['info', 'low', 'medium', 'high', 'critical']) {
        assert.equal((await of(`severity=${severity}`)).length, alerts.filter((alert) => alert['severity'] === severity).length, severity)
      }
      refused(await tenant.platform('GET', '/alerts?severity=terrible'), 400, 'invalid_request', 'platform')
      const id = String(alerts[0]?.['id'])
      const patch = (status: string) => tenant.platform('PATCH', `/alerts/${id}`, { body: { status } })
      const acknowledged = ok<Row>(await patch('acknowledged'))
      assertKeys(acknowledged, ALERT)
      assertTime(acknowledged['acknowledgedAt'])
      const resolved = ok<Row>(await patch('resolved'))
      assertTime(resolved['resolvedAt'])
      assert.deepEqual([resolved['status'], resolved['resolvedBy']], ['resolved', 'user'])
      ok(await patch('resolved'))
      refused(await patch('acknowledged'), 409, 'conflict', 'platform')
      refused(await patch('open'), 400, 'invalid_request', 'platform')
      refused(await tenant.platform('PATCH', '/alerts/alr-unknown', { body: { status: 'resolved' } }), 404, 'not_found', 'platform')
      assert.ok((await of('status=open')).every((alert) => alert['id'] !== id))
    })

    test('every alert is in an incident, which is acknowledged, snoozed and resolved by PATCH, and resolves its alerts', async () => {
      const tenant = await service.newTenant()
      const { vehicleId, alerts } = await openSickVehicle(tenant)
      const list = ok<Incidents>(await tenant.platform('GET', `/incidents?vehicleId=${vehicleId}`))
      assertKeys(list, ['incidents', 'total', 'pagination'])
      for (const incident of list.incidents) {
        assertKeys(incident, INCIDENT)
        assertTime(incident['openedAt'])
        assert.deepEqual(ok(await tenant.platform('GET', `/incidents/${incident['id']}`)), incident)
        assert.equal(incident.evidence.length, incident.alertIds.length)
      }
      assert.deepEqual(
        list.incidents.flatMap(({ id, alertIds }) => alertIds.map((alertId) => [alertId, id])).sort(),
        alerts.map(({ id, incidentId }) => [id, incidentId]).sort(),
      )
      const [first] = list.incidents
      const patch = (body: Row) => tenant.platform('PATCH', `/incidents/${first?.['id']}`, { body })
      assertTime(ok<Row>(await patch({ status: 'acknowledged' }))['acknowledgedAt'])
      const snoozedUntil = new Date(Date.now() + 60_000).toISOString()
      assert.equal(ok<Row>(await patch({ status: 'snoozed', snoozedUntil }))['snoozedUntil'], snoozedUntil)
      const resolved = ok<Row>(await patch({ status: 'resolved', resolution: { reason: 'other', note: 'Sold' } }))
      assert.deepEqual([resolved['status'], resolved['resolution']], ['resolved', { reason: 'other', note: 'Sold', maintenanceId: null }])
      refused(await patch({ status: 'acknowledged' }), 409, 'invalid_transition', 'platform')
      for (const id of first?.alertIds ?? []) assert.equal(ok<Row>(await tenant.platform('GET', `/alerts/${id}`))['status'], 'resolved')
      const own = [...list.incidents.filter(({ id }) => id !== first?.['id'])].length
      assert.equal(ok<Incidents>(await tenant.platform('GET', '/incidents?status=open')).total, own)
      refused(await tenant.platform('GET', '/incidents/inc-unknown'), 404, 'not_found', 'platform')
      for (const query of ['status=asleep', 'severity=terrible', 'limit=0'])
        refused(await tenant.platform('GET', `/incidents?${query}`), 400, 'invalid_request', 'platform')
    })

    test('readings of a vehicle are a half-open range, with optional downsampling', async () => {
      const tenant = await service.newTenant()
      const baseMs = Math.floor(Date.now() / 60_000) * 60_000 - 600_000
      const at = (seconds: number) => new Date(baseMs + seconds * 1000).toISOString()
      const records = [0, 30, 60, 90].map((seconds) => ({
        vehicle_id: 'truck',
        timestamp: at(seconds),
        sensor_data: { rpm: 900 + seconds },
      }))
      ok(await tenant.external('POST', '/telemetry/batch', { body: { records } }))
      const read = async (query: string) =>
        ok<Row & { readings: Row[]; buckets: Row[] }>(await tenant.platform('GET', `/vehicles/truck/readings?${query}`))
      const page = await read(`from=${at(0)}&to=${at(90)}`)
      assertKeys(page, ['vehicleId', 'from', 'to', 'readings', 'total', 'pagination'])
      assert.deepEqual(
        page.readings.map(({ recordedAt }) => recordedAt),
        [at(0), at(30), at(60)],
      )
      const { buckets } = await read(`from=${at(0)}&to=${at(120)}&downsample=1m`)
      assert.deepEqual(
        buckets.map(({ start, signals }) => [start, (signals as Record<string, Row>)['engine_speed']]),
        [
          [at(0), { min: 900, avg: 915, max: 930, count: 2 }],
          [at(60), { min: 960, avg: 975, max: 990, count: 2 }],
        ],
      )
      for (const query of ['downsample=1', 'downsample=0m', 'from=noon', `from=${at(90)}&to=${at(0)}`, 'signals=unheard']) {
        refused(await tenant.platform('GET', `/vehicles/truck/readings?${query}`), 400, 'invalid_request', 'platform')
      }
    })

    test('API keys are made, shown once, listed without their secret, and revoked', async () => {
      const tenant = await service.newTenant()
      const made = ok<{ secret: string; apiKey: Row }>(
        await tenant.platform('POST', '/api-keys', { body: { name: 'gateway', scopes: ['devices:read'] } }),
      )
      assertKeys(made, ['secret', 'apiKey'])
      assert.match(made.secret, /^rw_live_[A-Za-z0-9]{36}$/)
      const fields = [
        'id',
        'name',
        'prefix',
        'last4',
        'scopes',
        'subClientId',
        'perMinute',
        'perDay',
        'expiresAt',
        'revokedAt',
        'lastUsedAt',
        'createdAt',
      ]
      assertKeys(made.apiKey, fields)
      const list = await tenant.platform('GET', '/api-keys')
      const { apiKeys } = ok<{ apiKeys: Row[] }>(list)
      for (const key of apiKeys) assertKeys(key, fields)
      assert.ok(!JSON.stringify(list.body).includes(made.secret.slice(8, -4)))
      const { apiKey } = ok<{ apiKey: Row }>(await tenant.platform('DELETE', `/api-keys/${made.apiKey['id']}`))
      assertTime(apiKey['revokedAt'])
      assert.deepEqual(ok(await tenant.platform('DELETE', `/api-keys/${made.apiKey['id']}`)), { apiKey })
      for (const body of [
        {},
        { name: 'x' },
        { name: 'x', scopes: [] },
        { name: 'x', scopes: ['everything'] },
        { name: 'x', scopes: ['*'], expiresAt: '2020-01-01T00:00:00Z' },
      ]) {
        refused(await tenant.platform('POST', '/api-keys', { body }), 400, 'invalid_request', 'platform')
      }
      refused(await tenant.platform('DELETE', '/api-keys/key-unknown'), 404, 'not_found', 'platform')
    })

    test('a prediction call of the External API answers the second shape of 2.7, with the first one under predictions', async () => {
      const tenant = await service.newTenant()
      const { vehicle_id: id } = ok<Row>(await tenant.external('POST', '/vehicles', { body: { external_ref: 'truck', make: 'A' } }))
      const predict = (body: unknown) => untilTaken(() => tenant.external('POST', '/predict', { body }))
      const answer = ok<Row & { predictions: Row; maintenance_alerts: Row[] }>(
        await predict({ vehicle_id: 'truck', sensor_data: { rpm: 1850, coolant_temp: 118 } }),
      )
      for (const key of [
        'vehicleId',
        'health_score',
        'health_status',
        'risk_level',
        'maintenance_alerts',
        'recommendations',
        'processed_at',
        'components',
      ])
        assert.ok(key in answer, key)
      assert.equal(answer['vehicleId'], id)
      assertTime(answer['processed_at'])
      assert.equal(answer['health_status'], 'critical')
      for (const key of [
        'healthScore',
        'maintenanceNeeded',
        'maintenanceProbability',
        'remainingUsefulLife',
        'anomalyScore',
        'anomalyDetected',
      ])
        assert.ok(key in answer.predictions, key)
      for (const alert of answer.maintenance_alerts)
        for (const key of ['type', 'description', 'urgency']) assert.equal(typeof alert[key], 'string', key)
      refused(await predict({ vehicle_id: 'unknown', sensor_data: {} }), 404, 'not_found')
      for (const body of [
        {},
        { vehicle_id: 'truck' },
        { vehicle_id: 'truck', sensor_data: [] },
        { vehicle_id: 'truck', sensor_data: { rpm: 'x' } },
      ]) {
        refused(await predict(body), 400, 'invalid_request')
      }
    })
  })
}
