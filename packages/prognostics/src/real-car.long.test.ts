// The same as real-car.test.ts over every recording of two cars, at several rates of reporting. Prints what it counted.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { Observation } from './inputs/observation.ts'
import { predict } from './predict.ts'
import { asOneLife, carobd, findRecordings, seatLeon } from './testing/recordings.ts'

const dataDir = process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../shared/data')
const MS_PER_HOUR = 3_600_000

// The Etios speaks twice a second, the Leon ten times: from every reading to one in a minute, with and without the engine's own run time.
const reportings = [
  { car: 'Toyota Etios', set: carobd, keepOneIn: 1, window: 120, hasRunTime: true },
  { car: 'Toyota Etios', set: carobd, keepOneIn: 5, window: 60, hasRunTime: false },
  { car: 'Toyota Etios', set: carobd, keepOneIn: 20, window: 120, hasRunTime: false },
  { car: 'Toyota Etios', set: carobd, keepOneIn: 120, window: 20, hasRunTime: true },
  { car: 'Seat Leon', set: seatLeon, keepOneIn: 10, window: 60, hasRunTime: false },
  { car: 'Seat Leon', set: seatLeon, keepOneIn: 100, window: 120, hasRunTime: false },
]
for (const { car, set, keepOneIn, window, hasRunTime } of reportings) {
  const recordings = findRecordings(dataDir, set)
  const skip = recordings === undefined ? 'recordings of a real car are not here (set ROADWORTHY_DATA)' : false
  const how = `one reading in ${keepOneIn}, a window of ${window}, ${hasRunTime ? 'with' : 'without'} run time`
  test(`no recording of a sound ${car} raises an alert above info or leaves the healthy band: ${how}`, { skip }, (t) => {
    const alarms: string[] = []
    let judgedCount = 0
    let engineHours = 0
    const { trips, read } = recordings ?? { trips: [], read: () => [] }
    for (const trip of trips) {
      const observations = read(trip)
        .filter((_, row) => row % keepOneIn === 0)
        .map((observation) => (hasRunTime ? observation : withoutRunTime(observation)))
      engineHours += ((observations.at(-1)?.recordedAtMs ?? 0) - (observations[0]?.recordedAtMs ?? 0)) / MS_PER_HOUR
      observations.forEach((observation, index) => {
        judgedCount++
        const history = observations.slice(Math.max(0, index - window), index)
        const { alerts, healthStatus } = predict({ ...observation, history, ageDays: undefined, previousStatus: undefined })
        for (const { severity, message } of alerts) if (severity !== 'info') alarms.push(`${trip} ${index} ${severity}: ${message}`)
        if (healthStatus !== 'healthy') alarms.push(`${trip} ${index}: ${healthStatus}`)
      })
    }
    t.diagnostic(
      `${car}: ${alarms.length} false alarms in ${judgedCount} judged readings, ${trips.length} trips, ${engineHours.toFixed(1)} engine hours`,
    )
    assert.deepEqual(alarms, [])
    assert.ok(judgedCount > 1000)
  })
}

// Trackers that report rarely, over all the trips of a car as one life.
for (const [car, set] of [
  ['Toyota Etios', carobd],
  ['Seat Leon', seatLeon],
] as const) {
  const recordings = findRecordings(dataDir, set)
  const skip = recordings === undefined ? 'recordings of a real car are not here (set ROADWORTHY_DATA)' : false
  test(`no life of a sound ${car} raises an alert above info at one report in 1, 10 or 60 minutes`, { skip }, (t) => {
    const trips = (recordings?.trips ?? []).map((trip) => recordings?.read(trip).map(withoutRunTime) ?? [])
    for (const everyMs of [60_000, 600_000, MS_PER_HOUR]) {
      for (const parkedMs of [MS_PER_HOUR / 3, 8 * MS_PER_HOUR]) {
        const life = asOneLife(trips, everyMs, parkedMs)
        const alarms = life.flatMap((observation, index) => {
          const history = life.slice(Math.max(0, index - 120), index)
          const { alerts } = predict({ ...observation, history, ageDays: undefined, previousStatus: undefined })
          return alerts.filter(({ severity }) => severity !== 'info').map(({ message }) => `${index}: ${message}`)
        })
        const how = `every ${everyMs / 1000} s, parked for ${parkedMs / 60_000} min`
        t.diagnostic(`${car}: ${alarms.length} false alarms in ${life.length} judged readings ${how}`)
        assert.deepEqual(alarms, [], how)
        assert.ok(life.length >= trips.length)
      }
    }
  })
}

function withoutRunTime(observation: Observation): Observation {
  const { engineRunTimeS: _, ...signals } = observation.signals
  return { ...observation, signals }
}
