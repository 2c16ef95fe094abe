// The same as real-car.test.ts over every recording there is, each reading judged, at several rates of reporting. Prints what it counted.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { Observation } from './observation.ts'
import { predict } from './predict.ts'
import { findRecordings, listTrips, readTrip } from './testing/carobd-recordings.ts'

const folder = findRecordings(process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../shared/data'))
const skip = folder === undefined ? 'recordings of a real car are not here (set ROADWORTHY_DATA)' : false
const MS_PER_HOUR = 3_600_000

// Every reading, one in 2.5 s, one in 10 s, one in a minute; with and without the engine's own run time.
const reportings = [
  { keepOneIn: 1, window: 120, hasRunTime: true },
  { keepOneIn: 5, window: 60, hasRunTime: false },
  { keepOneIn: 20, window: 120, hasRunTime: false },
  { keepOneIn: 120, window: 20, hasRunTime: true },
]
for (const { keepOneIn, window, hasRunTime } of reportings) {
  const how = `one reading in ${keepOneIn}, a window of ${window}, ${hasRunTime ? 'with' : 'without'} run time`
  test(`no recording of the sound car raises an alert above info or leaves the healthy band: ${how}`, { skip }, (t) => {
    const alarms: string[] = []
    let judgedCount = 0
    let engineHours = 0
    const trips = listTrips(folder ?? '')
    for (const trip of trips) {
      const observations = readTrip(folder ?? '', trip)
        .filter((_, row) => row % keepOneIn === 0)
        .map((observation) => (hasRunTime ? observation : withoutRunTime(observation)))
      engineHours += (observations.at(-1)?.recordedAtMs ?? 0) / MS_PER_HOUR
      observations.forEach((observation, index) => {
        judgedCount++
        const history = observations.slice(Math.max(0, index - window), index)
        const { alerts, healthStatus } = predict({ ...observation, history, ageDays: undefined, previousStatus: undefined })
        for (const { severity, message } of alerts) if (severity !== 'info') alarms.push(`${trip} ${index} ${severity}: ${message}`)
        if (healthStatus !== 'healthy') alarms.push(`${trip} ${index}: ${healthStatus}`)
      })
    }
    t.diagnostic(
      `${alarms.length} false alarms in ${judgedCount} judged readings, ${trips.length} trips, ${engineHours.toFixed(1)} engine hours`,
    )
    assert.deepEqual(alarms, [])
    assert.ok(judgedCount > 1000)
  })
}

function withoutRunTime(observation: Observation): Observation {
  const { engineRunTimeS: _, ...signals } = observation.signals
  return { ...observation, signals }
}
