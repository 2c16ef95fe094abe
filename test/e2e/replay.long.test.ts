// Goal: what `replay-three-trips.long.test.ts` proves of three trips, for more of the same car: a start in the cold with faults put in, stalls of the logger
// (live12), town and motorway, and the trip whose battery runs low at its end (live6).

import { after, before, test } from 'node:test'
import {
  type Bench,
  proveCoolantRampIsFound,
  proveDeadAlternatorIsFound,
  proveHealthyTrip,
  provePiecesAreQuiet,
  skip,
  startBench,
} from './replayed-trip.ts'

const trips = ['idle18', 'idle43', 'drive5', 'drive9', 'drive13', 'live1', 'live6', 'live12'] as const
/** Over before a ramp that begins with a cold engine is at its end. */
const TOO_SHORT_FOR_FAULTS: readonly string[] = ['drive5']

let bench: Bench
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  if (skip === false) bench = await startBench({ after: (cleanUp) => cleanUps.push(cleanUp) })
})

after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

for (const [index, trip] of trips.entries()) {
  const [rest, mqtt] = [1, 2].map((receiver) => `35693803564${receiver}${String(index).padStart(3, '0')}`)
  test(`the real trip ${trip} is stored whole over both receivers, healthy, and raises nothing above info`, { skip }, async () => {
    await proveHealthyTrip(bench, trip, 'rest', rest ?? '')
    await proveHealthyTrip(bench, trip, 'mqtt', mqtt ?? '')
  })
  if (TOO_SHORT_FOR_FAULTS.includes(trip)) continue
  test(`faults put into the trip ${trip} are found within 120 s of vehicle time, and nothing else is`, { skip }, async () => {
    const device = (fault: number) => ['--device', `35693803565${fault}${String(index).padStart(3, '0')}`]
    await provePiecesAreQuiet(bench, trip, device(0))
    await proveCoolantRampIsFound(bench, trip, device(1))
    await proveDeadAlternatorIsFound(bench, trip, [...device(2), '--via', 'mqtt'])
  })
}
