import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isPlausible, signalsByWireKey } from '@roadworthy/signals/registry'
import { advanceFleet, createFleet, type Fleet, groundTruth, resumeFleet, snapshotFleet } from './fleet.ts'
import { createProfile, MAX_FLEET_VEHICLES } from './profile.ts'
import type { WireRecord } from './reading.ts'
import { isValidVin } from './vin.ts'

const WINTER_MONDAY = Date.parse('2026-01-12T04:00:00Z')
const SUMMER_MONDAY = Date.parse('2026-07-13T04:00:00Z')
const HOUR_MS = 3_600_000

function run(fleet: Fleet, hours: number): WireRecord[] {
  const records: WireRecord[] = []
  advanceFleet(fleet, fleet.settings.startAtMs + hours * HOUR_MS, (record) => records.push(record))
  return records
}

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
const small = (seed: number, vehicleCount = 4) => createFleet({ seed, vehicleCount, startAtMs: SUMMER_MONDAY, wearFactor: 500 })

test('the same seed gives the same readings and the same truth, byte for byte', () => {
  const [one, two] = [small(7), small(7)]
  assert.equal(digest(run(one, 6)), digest(run(two, 6)))
  assert.equal(digest(groundTruth(one)), digest(groundTruth(two)))
  assert.notEqual(digest(run(small(8), 6)), digest(run(small(7), 6)))
})

test('readings do not depend on how the time is cut into calls', () => {
  const whole = run(small(7, 1), 5)
  const cut = small(7, 1)
  const pieces: WireRecord[] = []
  for (let atMs = SUMMER_MONDAY; atMs <= SUMMER_MONDAY + 5 * HOUR_MS; atMs += 700) advanceFleet(cut, atMs, (record) => pieces.push(record))
  advanceFleet(cut, SUMMER_MONDAY + 5 * HOUR_MS, (record) => pieces.push(record))
  assert.equal(digest(pieces), digest(whole))
})

test('a vehicle is the same in a fleet of any size', () => {
  assert.deepEqual(
    run(small(7, 1), 3),
    run(small(7, 3), 3).filter((record) => record.device_id === small(7, 1).vehicles[0]?.profile.imei),
  )
})

test('every vehicle has its own IMEI, plate and valid VIN', () => {
  const profiles = createFleet({ seed: 3, vehicleCount: 300, startAtMs: SUMMER_MONDAY }).vehicles.map(({ profile }) => profile)
  assert.ok(profiles.every(({ vin }) => isValidVin(vin)))
  assert.ok(profiles.every(({ imei }) => /^\d{15}$/.test(imei)))
  for (const identity of ['imei', 'vin', 'licensePlate'] as const)
    assert.equal(new Set(profiles.map((p) => p[identity])).size, 300, identity)
})

test('the largest fleet there may be has no identity twice, and shares none with the fleet of the next seed', () => {
  const profilesOf = (seed: number, count: number) =>
    Array.from({ length: count }, (_, index) => createProfile(seed, index, 'continuous', SUMMER_MONDAY))
  const [fleet, neighbours] = [profilesOf(4, MAX_FLEET_VEHICLES), profilesOf(5, 2_000)]
  assert.ok(fleet.every(({ vin, imei }) => isValidVin(vin) && /^\d{15}$/.test(imei)))
  for (const identity of ['imei', 'vin', 'licensePlate'] as const)
    assert.equal(new Set(fleet.map((p) => p[identity])).size, MAX_FLEET_VEHICLES, identity)
  for (const identity of ['imei', 'vin'] as const) {
    const taken = new Set(fleet.map((p) => p[identity]))
    assert.deepEqual(
      neighbours.map((p) => p[identity]).filter((each) => taken.has(each)),
      [],
      identity,
    )
  }
})

// Goal: nothing a sound vehicle reports would be gated. Method: two working days in winter and in summer, two seeds, every model.
test('every value of a sound fleet is inside its documented range, and no code is set', () => {
  for (const [seed, startAtMs] of [
    [1, WINTER_MONDAY],
    [2, SUMMER_MONDAY],
  ] as const) {
    const fleet = createFleet({ seed, vehicleCount: 8, startAtMs, wearFactor: 0, intervalS: 7 })
    let values = 0
    advanceFleet(fleet, startAtMs + 48 * HOUR_MS, (record) => {
      for (const [key, value] of Object.entries(record)) {
        const signal = signalsByWireKey.get(key)
        if (!signal) continue
        values++
        assert.ok(typeof value === 'number' && isPlausible(signal.name, value * signal.scale), `${key} ${value} at ${record.timestamp}`)
      }
      assert.deepEqual(record['dtc_codes'] ?? [], [])
    })
    assert.ok(values > 100_000)
  }
})

test('odometers never run backwards and times always go on, also over a stored and resumed fleet', () => {
  const first = createFleet({ seed: 5, vehicleCount: 2, startAtMs: SUMMER_MONDAY, schedule: 'continuous' })
  const before = run(first, 2)
  const second = createFleet({ seed: 5, vehicleCount: 2, startAtMs: SUMMER_MONDAY + 8 * HOUR_MS, schedule: 'continuous' })
  assert.ok(resumeFleet(second, JSON.parse(JSON.stringify(snapshotFleet(first)))))
  const after = run(second, 2)
  for (const { profile } of first.vehicles) {
    const readings = [...before, ...after].filter((record) => record.device_id === profile.imei)
    const odometers = readings.flatMap((record) => (typeof record['odometer'] === 'number' ? [record['odometer']] : []))
    assert.ok(odometers.length > 200)
    assert.ok(odometers.every((km, i) => i === 0 || km >= (odometers[i - 1] ?? 0)))
    assert.ok(readings.every((record, i) => i === 0 || record.timestamp >= (readings[i - 1]?.timestamp ?? '')))
  }
})

test('a fleet resumed without a pause goes on exactly as if it had never stopped', () => {
  const whole = run(small(9, 2), 4)
  const first = small(9, 2)
  const records = run(first, 2)
  const second = small(9, 2)
  assert.ok(resumeFleet(second, JSON.parse(JSON.stringify(snapshotFleet(first)))))
  const perVehicle = (list: WireRecord[]) =>
    second.vehicles.map(({ profile }) => list.filter((record) => record.device_id === profile.imei))
  assert.equal(digest(perVehicle([...records, ...run(second, 4)])), digest(perVehicle(whole)))
})

test('a snapshot of another seed or size is refused', () => {
  assert.equal(resumeFleet(small(1), snapshotFleet(small(2))), false)
  assert.equal(resumeFleet(small(1, 3), snapshotFleet(small(1, 4))), false)
})
