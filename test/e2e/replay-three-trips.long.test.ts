// Goal: a real car's trip, sent by the real command line through either receiver, is stored whole and found healthy; the same trip with a
// fault put into it raises the right alert within 120 s of the vehicle's own time.
// Method: whole trips go at full speed. For the time of an alert the trip goes in pieces: each piece is sent, scoring is waited for until
// nothing is due any more, and the alerts are read. An alert first seen after the piece that ends at second b was opened on readings
// before b, so the vehicle's time is known to a piece's length and does not depend on how fast the machine is.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Bench,
  proveCoolantRampIsFound,
  proveDeadAlternatorIsFound,
  proveHealthyTrip,
  provePiecesAreQuiet,
  replayTrip,
  skip,
  startBench,
} from './replayed-trip.ts'

/** An idle and a live trip from cold (28 °C), and a drive that begins warm. */
const trips = ['idle1', 'drive1', 'live5'] as const

let bench: Bench
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  if (skip === false) bench = await startBench({ after: (cleanUp) => cleanUps.push(cleanUp) })
})

after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

for (const [index, trip] of trips.entries()) {
  for (const via of ['rest', 'mqtt'] as const) {
    test(`the real trip ${trip} over ${via} is stored whole, read back right, healthy, and raises nothing above info`, { skip }, () =>
      proveHealthyTrip(bench, trip, via, `3569380356438${via === 'rest' ? '1' : '2'}${index}`),
    )
  }
}

test('the same trip sent again is known already, over both receivers', { skip }, async () => {
  const flags = ['--start', new Date(Date.now() - 3_600_000).toISOString(), '--to', '60']
  for (const [via, imei] of [
    ['rest', '356938035643830'],
    ['mqtt', '356938035643831'],
  ] as const) {
    const first = await replayTrip(bench, 'live5', ['--device', imei, '--via', via, ...flags])
    const second = await replayTrip(bench, 'live5', ['--device', imei, '--via', via, ...flags])
    assert.deepEqual([first.stored, first.duplicates], [first.sent, 0])
    assert.deepEqual([second.stored, second.duplicates], [0, first.sent])
  }
})

test('a coolant ramp to 118 °C raises a cooling alert, and a critical one, within 120 s of vehicle time', { skip }, () =>
  proveCoolantRampIsFound(bench, 'drive1', ['--device', '356938035643840', '--via', 'rest']),
)

test('a dead alternator raises a charging alert within 120 s of vehicle time', { skip }, () =>
  proveDeadAlternatorIsFound(bench, 'drive1', ['--device', '356938035643841', '--via', 'mqtt']),
)

test('the same pieces without a fault raise nothing above info', { skip }, () =>
  provePiecesAreQuiet(bench, 'drive1', ['--device', '356938035643842', '--via', 'rest']),
)
