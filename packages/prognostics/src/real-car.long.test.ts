// The same as real-car.test.ts over every recording of two cars, at several rates of reporting. Prints what it counted.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { Observation } from './observation.ts'
import { predict } from './predict.ts'
import { carobd, findRecordings, seatLeon } from './testing/recordings.ts'

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

function withoutRunTime(observation: Observation): Observation {
  const { engineRunTimeS: _, ...signals } = observation.signals
  return { ...observation, signals }
}
