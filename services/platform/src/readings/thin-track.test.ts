import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metresBetween } from './earth-distance.ts'
import { thinTrack } from './thin-track.ts'

type Point = { atMs: number; latitude: number; longitude: number }

const METRES_PER_DEGREE = 111_195

/** North along a meridian, a point each second at the given speed, then east, then standing. */
function drive(seconds: number): Point[] {
  return Array.from({ length: seconds }, (_, s) => {
    const [north, east] = s < seconds / 3 ? [s, 0] : [seconds / 3, Math.min(s, (seconds * 2) / 3) - seconds / 3]
    return { atMs: s * 1000, latitude: 49 + (north * 20) / METRES_PER_DEGREE, longitude: 8 + (east * 20) / METRES_PER_DEGREE }
  })
}

/** How far each point is from where the kept ones put the vehicle at its time, at most. */
function worstErrorM(points: readonly Point[], kept: readonly Point[]): number {
  return Math.max(
    ...points.map((point) => {
      const after = kept.findIndex(({ atMs }) => atMs >= point.atMs)
      const [a, b] = [kept[Math.max(0, after - 1)], kept[after]]
      assert.ok(a !== undefined && b !== undefined)
      const share = a === b ? 0 : (point.atMs - a.atMs) / (b.atMs - a.atMs)
      const latitude = a.latitude + (b.latitude - a.latitude) * share
      return metresBetween(point, { latitude, longitude: a.longitude + (b.longitude - a.longitude) * share })
    }),
  )
}

test('what there is room for stays as it is', () => {
  const points = drive(30)
  assert.deepEqual(thinTrack(points, [], 30), { points, toleranceM: 0 })
})

test('corners, and where the vehicle stood, are what a few points show', () => {
  const points = drive(900)
  const { points: kept, toleranceM = Number.NaN } = thinTrack(points, [], 4)
  assert.deepEqual(
    kept.map(({ atMs }) => atMs / 1000),
    [0, 300, 600, 899],
  )
  assert.ok(toleranceM < 1, String(toleranceM))
})

test('no point that is left out is farther off than the tolerance that is returned, whatever the track', () => {
  let seed = 42
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  let [latitude, longitude] = [49, 179.99]
  const points = Array.from({ length: 3_500 }, (_, s) => {
    latitude += (random() - 0.5) / 1000
    longitude += (random() - 0.4) / 1000
    return { atMs: s * 1000 + Math.floor(random() * 900), latitude, longitude }
  })
  for (const room of [20, 200, 2_000]) {
    const { points: kept, toleranceM = Number.NaN } = thinTrack(points, [], room)
    assert.ok(kept.length <= room && kept.length > room * 0.9, `${kept.length} of ${room}`)
    assert.ok(worstErrorM(points, kept) <= toleranceM + 0.001, `${worstErrorM(points, kept)} > ${toleranceM}`)
  }
})

test('points that must stay do, also in the middle of a straight line', () => {
  const points = drive(900)
  const times = thinTrack(points, [100, 101], 6).points.map(({ atMs }) => atMs / 1000)
  assert.ok(times.includes(100) && times.includes(101), times.join())
})

test('where not even those have room, points are taken evenly and nothing is promised', () => {
  const points = drive(900)
  const { points: kept, toleranceM } = thinTrack(points, [...points.keys()], 10)
  assert.deepEqual([kept.length, kept[0], kept.at(-1), toleranceM], [10, points[0], points.at(-1), undefined])
})
