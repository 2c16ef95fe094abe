import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advanceFleet, createFleet, foreseeFailures, groundTruth } from './fleet.ts'

const SUMMER_MONDAY = Date.parse('2026-07-13T04:00:00Z')
const HOUR_MS = 3_600_000

// Goal: the truth is true. Method: note the remaining life of every pad set, run on until it fails, compare. What is to come is driven on
// other roads than what has been, so half of the life is allowed for.
test('pads fail when foreseen to the second, and about when the present stress lets expect', () => {
  const all = createFleet({
    seed: 4,
    vehicleCount: 6,
    startAtMs: SUMMER_MONDAY,
    wearFactor: 20,
    schedule: 'continuous',
    repairAfterS: 1e9,
    intervalS: 3_600,
  })
  // Those whose pads outlast the first day and wear out in the next three.
  const fleet = { ...all, vehicles: all.vehicles.slice(3, 5) }
  const noteAtMs = SUMMER_MONDAY + 30 * HOUR_MS
  advanceFleet(fleet, noteAtMs, () => {})
  const noted = groundTruth(fleet)
  const foreseen = foreseeFailures(fleet, noteAtMs + 24 * HOUR_MS * 4)
  advanceFleet(fleet, noteAtMs + 24 * HOUR_MS * 4, () => {})
  const failures = groundTruth(fleet).map((vehicle) => vehicle.components.find(({ kind }) => kind === 'brakes')?.failedAt)
  const brakes = foreseen.filter(({ kind }) => kind === 'brakes')
  assert.deepEqual(
    brakes.map(({ failsAt }) => failsAt),
    failures,
  )
  assert.ok(brakes.every(({ remainingKm, remainingDays }) => remainingKm / remainingDays > 600 && remainingKm / remainingDays < 1_500))
  const errors = groundTruth(fleet).flatMap((vehicle, i) => {
    const before = noted[i]?.components.find(({ kind }) => kind === 'brakes')
    const after = vehicle.components.find(({ kind }) => kind === 'brakes')
    if (!before || before.failedAt !== null || !after || after.failedAt === null || before.remainingDays === null) return []
    const livedDays = (Date.parse(after.failedAt) - noteAtMs) / 86_400_000
    return [Math.abs(livedDays - before.remainingDays) / Math.max(livedDays, 0.2)]
  })
  assert.ok(errors.length >= 1, 'no pads failed in the time')
  assert.ok(
    errors.every((error) => error < 0.5),
    errors.join(' '),
  )
})
