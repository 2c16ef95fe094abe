// Goal: no false alarm on recordings of a sound car, and the right alarm in time when a fault is injected into the same recordings.
// Method: slide a window of 60 readings (half a minute) over trips, as a platform does, and judge every third reading.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { Component } from './components.ts'
import type { Observation } from './inputs/observation.ts'
import { type Prediction, predict } from './predict.ts'
import { asOneLife, carobd, findRecordings } from './testing/recordings.ts'

const recordings = findRecordings(process.env['ROADWORTHY_DATA'] ?? resolve(import.meta.dirname, '../../../../shared/data'), carobd)
const skip = recordings === undefined ? 'recordings of a real car are not here (set ROADWORTHY_DATA)' : false

const read = (trip: string): Observation[] => recordings?.read(trip) ?? []

/** Cold starts (idle1, live1, live12, drive5), warm ones, town, motorway, and the trip that ends on low voltage (live6). */
const trips = ['idle1', 'idle18', 'idle21', 'idle43', 'drive5', 'drive9', 'drive13', 'live1', 'live6', 'live12'] as const
const WINDOW = 60
const STRIDE = 3
const FAULT_FROM_MS = 120_000
const IN_TIME_MS = 120_000

function* judge(observations: readonly Observation[]): Generator<{ atMs: number; prediction: Prediction }> {
  for (let index = 0; index < observations.length; index += STRIDE) {
    const observation = observations[index] as Observation
    const window = observations.slice(Math.max(0, index - WINDOW), index)
    yield {
      atMs: observation.recordedAtMs,
      prediction: predict({ ...observation, history: window, ageDays: undefined, previousStatus: undefined }),
    }
  }
}

for (const trip of trips) {
  test(`the real trip ${trip} is healthy throughout and raises nothing above info`, { skip }, () => {
    let judgedCount = 0
    for (const { atMs, prediction } of judge(read(trip))) {
      judgedCount++
      assert.equal(prediction.healthStatus, 'healthy', `at ${atMs} ms`)
      assert.deepEqual(
        prediction.alerts.filter(({ severity }) => severity !== 'info'),
        [],
        `at ${atMs} ms`,
      )
    }
    assert.ok(judgedCount > 100)
  })
}

type Fault = {
  readonly inject: (observation: Observation, sinceMs: number) => Observation['signals']
  readonly crossesAfterMs: number
  readonly component: Component
}
const faults: Readonly<Record<string, Fault>> = {
  'a coolant ramp to 118 °C': {
    inject: ({ signals }, sinceMs) => ({
      ...signals,
      coolantTempC: Math.max(signals.coolantTempC ?? 0, Math.min(118, 88 + sinceMs / 4000)),
    }),
    crossesAfterMs: (107 - 88) * 4000,
    component: 'cooling',
  },
  'a dead alternator': {
    inject: ({ signals }, sinceMs) => ({
      ...signals,
      batteryVoltageV: Math.min(signals.batteryVoltageV ?? 0, Math.max(11.8, 12.4 - sinceMs / 200_000)),
    }),
    crossesAfterMs: 0,
    component: 'charging',
  },
}
for (const [what, { inject, crossesAfterMs, component }] of Object.entries(faults)) {
  test(`${what} injected into each of the trips is found within 120 s by the right component`, { skip }, () => {
    for (const trip of trips) {
      const faulty = read(trip).map((observation) => {
        const sinceMs = observation.recordedAtMs - FAULT_FROM_MS
        return sinceMs < 0 ? observation : { ...observation, signals: inject(observation, sinceMs) }
      })
      const crossedAtMs = FAULT_FROM_MS + crossesAfterMs
      const isFound = ({ prediction }: { prediction: Prediction }) =>
        prediction.alerts.some((alert) => alert.component === component && alert.severity !== 'info' && alert.severity !== 'low')
      const found = judge(faulty).find(isFound)
      assert.ok(found !== undefined && found.atMs >= FAULT_FROM_MS && found.atMs <= crossedAtMs + IN_TIME_MS, `${trip}: ${found?.atMs}`)
      if (component !== 'cooling') continue
      const severe = judge(faulty).find(({ prediction }) => prediction.alerts.some(({ severity }) => severity === 'critical'))
      assert.ok(severe !== undefined && severe.atMs <= crossedAtMs + IN_TIME_MS, `${trip}: critical at ${severe?.atMs}`)
    }
  })
}

for (const everyMs of [60_000, 600_000]) {
  test(`reported once in ${everyMs / 60_000} min, the same trips raise nothing above info, and hot coolant from half of them on is found by its second report`, {
    skip,
  }, () => {
    const sound = asOneLife(trips.map(read), everyMs, 8 * 3_600_000)
    const alarmsIn = (life: readonly Observation[]) =>
      life.map((observation, index) => {
        const history = life.slice(Math.max(0, index - WINDOW), index)
        const { alerts } = predict({ ...observation, history, ageDays: undefined, previousStatus: undefined })
        return alerts.filter(({ severity }) => severity !== 'info').map(({ component, severity }) => `${component} ${severity}`)
      })
    assert.deepEqual(alarmsIn(sound).flat(), [])
    const from = sound.findIndex(
      ({ recordedAtMs }, index) => index > sound.length / 2 && recordedAtMs - (sound[index - 1]?.recordedAtMs ?? 0) < 2 * everyMs,
    )
    const overheating = sound.map((observation, index) =>
      index < from ? observation : { ...observation, signals: { ...observation.signals, coolantTempC: 118 } },
    )
    const [first, second] = alarmsIn(overheating).slice(from)
    assert.deepEqual([first, second], [[], ['cooling critical']])
  })
}
