// Goal: an odometer goes forward only, by what can have been driven; hours are what the engine ran, however a vehicle reports it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { advanceMeter, type Meter, newMeter, odometerAt, odometerRange } from './meter.ts'

const START_MS = Date.parse('2026-05-04T10:00:00.000Z')
const HOUR_MS = 3_600_000
const at = (hours: number) => new Date(START_MS + hours * HOUR_MS)

/** Plays readings `[hours, km]`; what was driven, and the meter after them. */
function drive(readings: readonly (readonly [hours: number, km: number])[], from: Meter = newMeter) {
  let meter = from
  let drivenKm = 0
  for (const [hours, km] of readings) {
    const step = advanceMeter(meter, { odometer: { km, at: at(hours) }, runTime: undefined })
    meter = step?.meter ?? meter
    drivenKm += step?.drivenKm ?? 0
  }
  return { odometerKm: meter.odometerKm, drivenKm }
}

/** Plays readings `[hours, run time in s]`. */
function run(readings: readonly (readonly [hours: number, s: number])[]) {
  let meter = newMeter
  let ranHours = 0
  for (const [hours, s] of readings) {
    const step = advanceMeter(meter, { odometer: undefined, runTime: { s, at: at(hours) } })
    meter = step?.meter ?? meter
    ranHours += step?.ranHours ?? 0
  }
  return { engineHours: Math.round((meter.engineHours ?? 0) * 100) / 100, ranHours: Math.round(ranHours * 100) / 100 }
}

test('an odometer follows what the vehicle reports, and what was driven adds up', () => {
  const readings = [
    [0, 80_000],
    [1, 80_060],
    [2, 80_060.4],
    [3, 80_120],
  ] as const
  assert.deepEqual(drive(readings), { odometerKm: 80_120, drivenKm: 120 })
})

test('a reading that falls back, jumps, is 0 at first, or is older is not taken', () => {
  assert.deepEqual(drive([[0, 0]]), { odometerKm: undefined, drivenKm: 0 })
  const known = [0, 80_000] as const
  for (const wrong of [
    [1, 79_999],
    [1, 12],
    [1, 80_206],
    [1, 800_000],
    [-1, 80_001],
  ] as const) {
    assert.deepEqual(drive([known, wrong]), { odometerKm: 80_000, drivenKm: 0 }, String(wrong))
    assert.deepEqual(drive([known, wrong, [2, 80_100]]), { odometerKm: 80_100, drivenKm: 100 }, String(wrong))
  }
  assert.deepEqual(drive([known, [1, 80_204]]), { odometerKm: 80_204, drivenKm: 204 })
})

test('whatever is reported, an odometer never runs backwards', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -10, max: 500 }), fc.double({ min: 0, max: 1e6, noNaN: true }))), (readings) => {
      let meter = newMeter
      for (const [hours, km] of readings) {
        const before = meter.odometerKm ?? 0
        meter = advanceMeter(meter, { odometer: { km, at: at(hours) }, runTime: undefined })?.meter ?? meter
        assert.ok((meter.odometerKm ?? 0) >= before)
      }
    }),
  )
})

test('after a correction what the vehicle reports counts on from there', () => {
  const corrected: Meter = { ...newMeter, odometerKm: 184_200, odometerAt: at(0), odometerOffsetKm: 184_188, correctedAt: at(0) }
  const readings = [
    [1, 40],
    [2, 112],
  ] as const
  assert.deepEqual(drive(readings, corrected), { odometerKm: 184_300, drivenKm: 100 })
})

test('run time since each start adds up over the starts; an hour meter counts what it grows by', () => {
  const starts = [
    [0, 1800],
    [1, 5400],
    [9, 600],
    [10, 4200],
  ] as const
  assert.deepEqual(run(starts), { engineHours: 2.67, ranHours: 2.17 })
  const hourMeter = [
    [0, 3_600_000],
    [5, 3_614_400],
    [6, 3_614_400],
  ] as const
  assert.deepEqual(run(hourMeter), { engineHours: 1004, ranHours: 4 })
})

test('an engine does not run longer than time passes', () => {
  const jumped = run([
    [0, 100],
    [1, 60_000],
  ])
  assert.equal(jumped.ranHours, 1.02)
})

test('what an odometer showed between two readings lies between them', () => {
  const around = { before: { km: 1000, at: at(0) }, after: { km: 1300, at: at(30) } }
  assert.equal(odometerAt(at(10), around), 1100)
  assert.equal(odometerAt(at(10), { before: around.before, after: undefined }), 1000)
  assert.equal(odometerAt(at(-1), { before: undefined, after: around.after }), undefined)
  assert.deepEqual(odometerRange(at(10), around), { minKm: 890, maxKm: 1413 })
  assert.deepEqual(odometerRange(at(10), { before: around.before, after: undefined }), { minKm: 890, maxKm: 3110 })
  assert.deepEqual(odometerRange(at(10), { before: undefined, after: undefined }), { minKm: 0, maxKm: Number.POSITIVE_INFINITY })
})
