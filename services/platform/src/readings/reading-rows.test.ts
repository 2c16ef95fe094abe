// Goal: a reading comes out of the rows as it was added, whatever it has in common with the one before it, whose bytes it may share.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReading } from './reading.ts'
import { ReadingRows } from './reading-rows.ts'

const about = {
  ...{ kind: 'telemetry' as const, resellerId: 'acme', sourceId: 'dev-a', deviceId: 'dev-a', vehicleId: 'veh-a', subClientId: 'fleet-a' },
  receivedAtMs: Date.UTC(2026, 10, 20),
} as const
const content = {
  ...{ recordedAtMs: Date.UTC(2026, 10, 19), position: { latitude: 1.5, longitude: -2.5 }, signals: { engineSpeedRpm: 900 } },
  ...{ attributes: { ignition: true }, implausible: [] },
}
const other = {
  ...{ sourceId: 'dev-b', resellerId: 'rival', subClientId: undefined, deviceId: undefined, vehicleId: undefined },
  ...{ kind: 'track' as const, receivedAtMs: about.receivedAtMs + 1 },
} as const

test('next to one that differs in a single field each reading keeps its own, also in memory that is used again', () => {
  const rows = new ReadingRows(1)
  for (let round = 0; round < 2; round++) {
    rows.clear()
    const added = Object.entries(other).flatMap(([field, value]) => {
      const [one, changed] = [createReading(content, about), createReading(content, { ...about, [field]: value })]
      return [one, one, changed, one]
    })
    for (const reading of added) rows.add(reading)
    assert.equal(rows.count, 4 * Object.keys(other).length)
    assert.deepEqual(rows.toReadings(), added)
  }
})
