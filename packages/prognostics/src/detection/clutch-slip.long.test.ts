// Goal: over every recording of two cars with manual gearboxes no clutch is found to slip, also where gears or speeds arrive late; and how many of those that
// are made to slip are found. Prints what it counted.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { Finding } from '../finding.ts'
import type { Observation } from '../inputs/observation.ts'
import { buildTimeline } from '../inputs/timeline.ts'
import { etiosRpmPerKmh, leonRpmPerKmh, withInferredGears, withLateSpeed } from '../testing/inferred-gears.ts'
import { carobd, findRecordings, seatLeon } from '../testing/recordings.ts'
import { withConverter } from '../testing/torque-converter.ts'
import { findClutchSlip } from './clutch-slip.ts'

const dataDir = process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../../shared/data')
const MS_PER_HOUR = 3_600_000
const WINDOW = 120
/** A slip stays within 120 readings for as long: every one is in eight windows that are judged. */
const JUDGED_EVERY = 15

// Both thinned to two readings a second.
const cars = [
  { car: 'Toyota Etios', set: carobd, rpmPerKmh: etiosRpmPerKmh, thinned: 1, leastFound: 0.45 },
  { car: 'Seat Leon', set: seatLeon, rpmPerKmh: leonRpmPerKmh, thinned: 5, leastFound: 0.7 },
] as const
const delays = [
  { gearLateMs: 0, speedLateMs: 0 },
  { gearLateMs: 2_500, speedLateMs: 0 },
  { gearLateMs: 0, speedLateMs: 2_000 },
]

function slipAt(observations: readonly Observation[], index: number): Finding | undefined {
  const history = observations.slice(Math.max(0, index - WINDOW), index)
  return findClutchSlip(buildTimeline({ ...(observations[index] as Observation), history, ageDays: undefined, previousStatus: undefined }))
}

for (const { car, set, rpmPerKmh, thinned, leastFound } of cars) {
  const recordings = findRecordings(dataDir, set)
  const skip = recordings === undefined ? 'recordings of a real car are not here (set ROADWORTHY_DATA)' : false
  let read: Observation[][] | undefined
  const readTrips = () =>
    (read ??= (recordings?.trips ?? []).map((trip) => recordings?.read(trip).filter((_, row) => row % thinned === 0) ?? []))
  const every = (observations: readonly Observation[], keepOneIn: number) => observations.filter((_, row) => row % keepOneIn === 0)

  for (const { gearLateMs, speedLateMs } of delays) {
    test(`no sound ${car} is found to slip: gears ${gearLateMs} ms and speeds ${speedLateMs} ms late`, { skip }, (t) => {
      const trips = readTrips().map((trip) => withLateSpeed(withInferredGears(trip, rpmPerKmh, gearLateMs), speedLateMs))
      const found: string[] = []
      let judgedCount = 0
      let engineHours = 0
      for (const trip of trips) {
        engineHours += ((trip.at(-1)?.recordedAtMs ?? 0) - (trip[0]?.recordedAtMs ?? 0)) / MS_PER_HOUR
        for (const keepOneIn of [1, 2, 4, 10, 20]) {
          const observations = every(trip, keepOneIn)
          for (let index = 0; index < observations.length; index += JUDGED_EVERY) {
            judgedCount++
            const finding = slipAt(observations, index)
            if (finding !== undefined) found.push(`one in ${keepOneIn}, ${index}: ${finding.message}`)
          }
        }
      }
      t.diagnostic(`${car}: ${found.length} found in ${judgedCount} windows of ${engineHours.toFixed(1)} engine hours`)
      assert.deepEqual(found, [])
      assert.ok(judgedCount > 1000)
    })
  }

  test(`a clutch of the ${car} that slips by a quarter for 20 s is found within that time, where the gear was driven in before`, {
    skip,
  }, (t) => {
    const trips = readTrips().map((trip) => withInferredGears(trip, rpmPerKmh))
    for (const keepOneIn of [1, 2, 4, 10]) {
      let placeCount = 0
      let foundCount = 0
      for (const observations of trips.map((trip) => every(trip, keepOneIn))) {
        for (const [from, to] of pullsOf(observations)) {
          placeCount++
          const slipping = withSlip(observations, from)
          const rows = Array.from({ length: to - from + 1 }, (_, index) => from + index)
          if (rows.some((row) => slipAt(slipping, row) !== undefined)) foundCount++
        }
      }
      t.diagnostic(`${car}, one reading in ${keepOneIn / 2} s: ${foundCount} of ${placeCount} found`)
      // At one reading in 0.5 s a window is a minute, and at one in 5 s a gear is seldom in for ten readings.
      if (keepOneIn === 2 || keepOneIn === 4) assert.ok(foundCount >= leastFound * placeCount, `${foundCount} of ${placeCount}`)
    }
  })
}

const etios = findRecordings(dataDir, carobd)
test('a torque converter that is not locked is never more than a notice', {
  skip: etios === undefined ? 'recordings of a real car are not here (set ROADWORTHY_DATA)' : false,
}, (t) => {
  const trips = (etios?.trips ?? []).map((trip) => withInferredGears(etios?.read(trip) ?? [], etiosRpmPerKmh))
  for (const [stallRpm, unlockedBelowKmh] of [
    [2200, 55],
    [2200, 80],
    [2800, 80],
    [2800, 300],
  ] as const) {
    const faults: string[] = []
    let noticeCount = 0
    let windowCount = 0
    for (const trip of trips) {
      const observations = withConverter(trip, stallRpm, unlockedBelowKmh).filter((_, row) => row % 2 === 0)
      for (let index = 0; index < observations.length; index += JUDGED_EVERY) {
        windowCount++
        const finding = slipAt(observations, index)
        if (finding?.severity === 'info') noticeCount++
        else if (finding !== undefined) faults.push(finding.message)
      }
    }
    t.diagnostic(`stall at ${stallRpm} rpm, unlocked below ${unlockedBelowKmh} km/h: notices in ${noticeCount} of ${windowCount} windows`)
    assert.deepEqual(faults, [])
    assert.ok(windowCount > 1000)
  }
})

const SLIPS_FOR_MS = 20_000
const SLIPS_BY = 0.25
const SLIPS_FULLY_AFTER_MS = 3_000
const APART_MS = 60_000

/** First and last row of 20 s in one gear from the third on, in which the vehicle does not slow down; a minute or more apart. */
function pullsOf(observations: readonly Observation[]): [number, number][] {
  const pulls: [number, number][] = []
  let nextMs = 0
  observations.forEach((first, from) => {
    const { recordedAtMs: startMs, signals } = first
    const { currentGear = 0, vehicleSpeedKmh = 0 } = signals
    if (startMs < nextMs || currentGear < 3 || vehicleSpeedKmh < 30) return
    let to = from
    while ((observations[to + 1]?.recordedAtMs ?? Number.POSITIVE_INFINITY) - startMs <= SLIPS_FOR_MS) to++
    const all = observations.slice(from, to + 1)
    const lastedMs = (all.at(-1)?.recordedAtMs ?? 0) - startMs
    const isPull = all.every(
      (each) =>
        each.signals.currentGear === currentGear &&
        (each.signals.vehicleSpeedKmh ?? 0) >= Math.max(30, 0.98 * vehicleSpeedKmh) &&
        (each.signals.engineSpeedRpm ?? 0) >= 1200,
    )
    if (!isPull || lastedMs < 0.85 * SLIPS_FOR_MS) return
    pulls.push([from, to])
    nextMs = startMs + APART_MS
  })
  return pulls
}

function withSlip(observations: readonly Observation[], from: number): Observation[] {
  const startMs = observations[from]?.recordedAtMs ?? 0
  return observations.map((observation, row) => {
    const { engineSpeedRpm } = observation.signals
    if (row < from || engineSpeedRpm === undefined) return observation
    const share = SLIPS_BY * Math.min(1, (observation.recordedAtMs - startMs) / SLIPS_FULLY_AFTER_MS)
    return { ...observation, signals: { ...observation.signals, engineSpeedRpm: engineSpeedRpm * (1 + share) } }
  })
}
