import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Inbound } from './inbound.ts'
import { judgeRecord } from './judge-record.ts'
import type { FleetDirectory } from './resolve.ts'

const window = { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 }

function refused(kind: Inbound['kind'], record: object): unknown {
  // A record that names nothing is refused before anybody is looked up.
  const judged = judgeRecord({ directory: {} as FleetDirectory, window }, { resellerId: 'acme', kind, record }, new Date())
  return judged instanceof Problem ? judged.message : judged
}

test('a record that names nothing is refused with the name that it has in place of the one that is read', () => {
  const either = '"device_id" or "vehicle_id" is required'
  assert.equal(refused('telemetry', { coolant_temp: 90, latitude: 48, longitude: 11 }), `${either}.`)
  assert.equal(refused('telemetry', { coolant_temp: 90, depth: 3, vehicleId: 'v' }), `${either}; "vehicleId" is not read as one.`)
  assert.equal(refused('telemetry', { 'Device-ID': 'd' }), `${either}; "Device-ID" is not read as one.`)
  assert.equal(refused('track', { latitude: 48, longitude: 11, deviceId: 'd' }), '"device_id" is required; "deviceId" is not read as one.')
  assert.equal(refused('track', { latitude: 48, longitude: 11, depth: 3 }), '"device_id" is required.')
})
