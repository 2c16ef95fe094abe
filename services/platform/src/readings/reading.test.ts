import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReading, type ReadingContent } from './reading.ts'

const about = {
  ...({ kind: 'telemetry', resellerId: 'acme', sourceId: 'dev-a', deviceId: 'dev-a' } as const),
  ...{ vehicleId: undefined, subClientId: undefined, receivedAtMs: 0 },
}
const content: ReadingContent = {
  recordedAtMs: Date.parse('2026-11-20T12:00:00.000Z'),
  position: { latitude: 28.4, longitude: 77.05 },
  signals: { odometerKm: 100_000.1, coolantTempC: 90, engineSpeedRpm: 812 },
  attributes: { ignition: true, headingDeg: 12, extra: { b: { d: 1, c: 2 }, a: 3 } },
  implausible: [],
}

test('a reading is the same in whatever order its names came, and as it was stored by releases before', () => {
  const turned: ReadingContent = {
    ...content,
    signals: { engineSpeedRpm: 812, odometerKm: 100_000.1, coolantTempC: 90 },
    attributes: { extra: { a: 3, b: { c: 2, d: 1 } }, headingDeg: 12, ignition: true },
  }
  for (const each of [content, turned]) {
    const { digestHex, signalsJson, attributesJson } = createReading(each, about)
    assert.equal(signalsJson, '{"engineSpeedRpm":812,"coolantTempC":90,"odometerKm":100000.1}')
    assert.equal(attributesJson, '{"headingDeg":12,"ignition":true,"extra":{"a":3,"b":{"c":2,"d":1}}}')
    // Devices send again what was stored by the release before; of another digest it would be there twice.
    assert.equal(digestHex, 'b5e6473217377969beb81be7c789a8a7')
  }
})

test('other content, another time, place or source is another reading', () => {
  const { digestHex } = createReading(content, about)
  const others = [
    createReading({ ...content, recordedAtMs: content.recordedAtMs + 1 }, about),
    createReading({ ...content, position: undefined }, about),
    createReading({ ...content, signals: { ...content.signals, coolantTempC: 91 } }, about),
    createReading({ ...content, attributes: { ...content.attributes, ignition: false } }, about),
    createReading(content, { ...about, sourceId: 'dev-b' }),
  ]
  assert.equal(new Set([digestHex, ...others.map((each) => each.digestHex)]).size, 1 + others.length)
})
