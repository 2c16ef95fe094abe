import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarizeTrack, type TrackPoint, withoutOutliers } from './track.ts'

const GAP_MS = 300_000
const MINUTE_MS = 60_000

const at = (minute: number, latitude: number, longitude = 8.4, speedKmh?: number): TrackPoint => ({
  ...{ atMs: minute * MINUTE_MS, latitude, longitude, speedKmh, headingDeg: undefined, ignition: undefined },
})
/** About 1.1 km. */
const STEP = 0.01

test('a track without points is empty', () => {
  assert.deepEqual(summarizeTrack([], GAP_MS), { stops: [], gaps: [], distanceM: 0, maxSpeedKmh: undefined })
})

test('the way is measured along the positions, and the highest speed is returned', () => {
  const { distanceM, stops, gaps, maxSpeedKmh } = summarizeTrack(
    [at(0, 49, 8.4, 30), at(1, 49 + STEP, 8.4, 80), at(2, 49 + 2 * STEP, 8.4)],
    GAP_MS,
  )
  assert.equal(Math.round(distanceM), 2224)
  assert.deepEqual([stops, gaps, maxSpeedKmh], [[], [], 80])
})

test('five minutes within a hundred metres are a stop, whose wandering is no way', () => {
  const jitter = [0, 0.0002, -0.0002, 0.0001, 0, 0.0003].map((off, i) => at(1 + i, 50 + off))
  const { stops, distanceM } = summarizeTrack([at(0, 50 - STEP), ...jitter, at(7, 50 + STEP)], GAP_MS)
  assert.deepEqual(
    stops.map(({ fromMs, toMs }) => [fromMs / MINUTE_MS, toMs / MINUTE_MS]),
    [[1, 6]],
  )
  assert.ok(Math.abs((stops[0]?.latitude ?? 0) - 50) < 0.0002)
  assert.ok(Math.abs(distanceM - 2 * 1112) < 50, String(distanceM))
})

test('four minutes are a traffic light', () => {
  assert.deepEqual(summarizeTrack([at(0, 50 - STEP), at(1, 50), at(5, 50), at(6, 50 + STEP)], GAP_MS).stops, [])
})

test('a vehicle that is heard again where it was, stood; elsewhere, nobody knows', () => {
  const stood = summarizeTrack([at(0, 50), at(120, 50.0003), at(121, 50 + STEP)], GAP_MS)
  assert.deepEqual([stood.gaps, stood.stops.length], [[], 1])
  const away = summarizeTrack([at(0, 50 - STEP), at(1, 50), at(121, 51), at(122, 51 + STEP)], GAP_MS)
  assert.deepEqual(away.gaps, [{ fromMs: MINUTE_MS, toMs: 121 * MINUTE_MS }])
  assert.ok(Math.abs(away.distanceM - 2 * 1112) < 10, 'what was driven in the gap is not guessed')
})

test('a stop on the antimeridian is on it', () => {
  const { stops } = summarizeTrack([at(0, 0, 179.9998), at(3, 0, -179.9998), at(6, 0, 179.9999)], GAP_MS)
  assert.ok(Math.abs(Math.abs(stops[0]?.longitude ?? 0) - 180) < 0.001, String(stops[0]?.longitude))
})

test('positions that no vehicle can have driven to are left out where those around them agree', () => {
  const drive = (...from: number[]) => from.map((minute) => at(minute, 50 + minute * STEP))
  const paris = (minute: number) => at(minute, 48.86, 2.35)
  assert.deepEqual(withoutOutliers([...drive(0, 1), paris(2), paris(2.1), ...drive(3, 4)]), drive(0, 1, 3, 4))
  for (const track of [
    // It stays there: a tracker that was switched off on its way.
    [...drive(0, 1), ...Array.from({ length: 20 }, (_, i) => paris(2 + i))],
    // 300 km/h, and what a receiver is off by within a second.
    [at(0, 50), at(1, 50.0449), at(2, 50)],
    [at(0, 50), at(0, 50.0015), at(0.01, 50)],
    // The other side of the antimeridian is near.
    [at(0, 0, 179.99), at(1, 0, -179.99), at(2, 0, 179.99)],
  ]) {
    assert.deepEqual(withoutOutliers(track), track)
  }
  assert.deepEqual(withoutOutliers([]), [])
})
