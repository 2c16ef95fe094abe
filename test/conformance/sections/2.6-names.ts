// Spec §2.5 and §2.6 give the same reading two spellings: the External API's and the engine's, which is the Platform API's too.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilTaken } from '@roadworthy/platform/test-support'
import { lampNames, signalNames, signals } from '@roadworthy/signals/registry'
import { ok, type Row, type Service, type Tenant } from '../../support/service.ts'

const IMEI = '356938035643809'
const SCORED_WITHIN_MS = 180_000

const wireKeys = new Set<string>(signalNames.map((name) => signals[name].engine.key))
const internalNames = [...signalNames.filter((name) => !wireKeys.has(name)), ...lampNames, 'dtcCodes', 'headingDeg', 'altitudeM']

function assertNoInternalName(answer: unknown): void {
  const text = JSON.stringify(answer)
  for (const name of internalNames) assert.ok(!text.includes(name), `${name} in ${text}`)
}

/** A device that reports everything wrong that can be reported, and the alerts of its vehicle. */
async function openHotVehicle(tenant: Tenant): Promise<{ vehicleId: string; readingId: string; alerts: Row[] }> {
  ok(await tenant.external('POST', '/devices', { body: { imei: IMEI, vehicle: { mode: 'create', make: 'Tata' } } }))
  const hot = { device_id: IMEI, rpm: 2000, speed: 60, coolant_temp: 125, oil_pressure: 2, red_stop_lamp: 'LAMP_ON', dtc_codes: ['P0217'] }
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString()
  const records = [240, 180, 120, 60, 30, 20, 10].map((secondsAgo) => ({ ...hot, timestamp: at(secondsAgo) }))
  ok(await tenant.external('POST', '/telemetry/batch', { body: { records } }))
  const odd = { heading: 400, altitude: 90_000, battery_voltage: 99, lat: 0, lon: 0, note: 'kept' }
  const sent = ok<Row>(await tenant.external('POST', '/telemetry', { body: { ...hot, ...odd, timestamp: at(1) } }))
  for (const startedAtMs = performance.now(); performance.now() - startedAtMs < SCORED_WITHIN_MS; await sleep(100)) {
    const { alerts } = ok<{ alerts: Row[] }>(await tenant.platform('GET', '/alerts'))
    if (alerts.length > 2 && alerts.some(({ evidence }) => (evidence as Row)['signal'] === 'coolant'))
      return { vehicleId: String(sent['vehicle_id']), readingId: String(sent['telemetry_id']), alerts }
  }
  return assert.fail('the vehicle was not scored in time')
}

export function namesSection(service: Service): void {
  suite('2.6 Names: each surface speaks its own and none shows what the service calls things inside', () => {
    test('readings, alerts, health and predictions on both surfaces', async () => {
      const tenant = await service.newTenant()
      const { vehicleId, readingId, alerts } = await openHotVehicle(tenant)
      const stored = ok<Row>(await tenant.external('GET', `/telemetry/${readingId}`))
      assertNoInternalName(stored)
      assert.deepEqual([...(stored['implausible'] as string[])].sort(), ['altitude', 'battery_voltage', 'heading', 'latitude', 'longitude'])
      const { readings } = ok<{ readings: Row[] }>(await tenant.platform('GET', `/vehicles/${vehicleId}/readings`))
      assertNoInternalName(readings)
      const shown = readings.at(-1)
      assert.deepEqual(shown?.['signals'], { engine_speed: 2000, coolant: 125, battery_voltage: 99, vehicleSpeed: 60, oil_pressure: 2 })
      const attributes = { heading: 400, altitude: 90_000, extra: { note: 'kept' }, red_stop_lamp: 'LAMP_ON', dtc_codes: ['P0217'] }
      assert.deepEqual(shown?.['attributes'], attributes)
      assertNoInternalName(alerts)
      const signalsNamed = alerts.map(({ evidence }) => (evidence as Row)['signal']).filter((signal) => signal !== undefined)
      assert.ok(signalsNamed.includes('coolant'), JSON.stringify(alerts))
      assert.ok(signalsNamed.every((signal) => wireKeys.has(String(signal))))
      for (const path of [`/vehicles/${vehicleId}`, `/vehicles/${vehicleId}/health`, '/predictions']) {
        assertNoInternalName(ok(await tenant.platform('GET', path)))
      }
      assertNoInternalName(ok(await tenant.platform('GET', `/vehicles/${vehicleId}/readings?downsample=1m`)))
    })

    test('a prediction on demand names sensors as they were sent: coolant_temp on the External API, coolant on the engine', async () => {
      const tenant = await service.newTenant()
      const { vehicle_id: vehicleId } = ok<Row>(await tenant.external('POST', '/vehicles', { body: { make: 'Tata' } }))
      const body = { vehicle_id: vehicleId, sensor_data: { rpm: 900, coolant_temp: 125, oil_pressure: 2, battery_voltage: 99 } }
      const external = ok<{ maintenance_alerts: Row[]; missing_fields: string[]; ignored_fields: string[] }>(
        await untilTaken(() => tenant.external('POST', '/predict', { body })),
      )
      assertNoInternalName(external)
      const named = external.maintenance_alerts.map(({ evidence }) => (evidence as Row)['signal'])
      assert.ok(named.includes('coolant_temp') && named.includes('oil_pressure') && !named.includes('coolant'), JSON.stringify(named))
      assert.ok(external.missing_fields.includes('speed') && !external.missing_fields.includes('vehicleSpeed'))
      assert.deepEqual(external.ignored_fields, ['battery_voltage'])
      const input = { vehicleId: 'v', engine_speed: 900, coolant: 125, oil_pressure: 2 }
      const engine = ok<{ alerts: Row[] }>(await service.engine('POST', '/v1/predict', { body: input }))
      assertNoInternalName(engine)
      const oil = engine.alerts.map(({ evidence }) => evidence as Row).find(({ signal }) => signal === 'oil_pressure')
      assert.deepEqual([oil?.['value'], oil?.['unit']], [2, 'PSI'])
    })
  })
}
