import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from './inputs/observation.ts'
import { predict } from './predict.ts'
import { NOW_MS } from './testing/inputs.ts'

/** Each is reported every 5 s until the report that is judged, which leaves it out. */
const reported: Readonly<Record<string, Partial<Observation>>> = {
  coolantTempC: { signals: { coolantTempC: 113 } },
  fuelTempC: { signals: { engineSpeedRpm: 1500, fuelTempC: 106 } },
  dtcCodes: { dtcCodes: ['P0300'] },
  redStopLamp: { lamps: { redStopLamp: true } },
}

for (const [name, content] of Object.entries(reported)) {
  test(`what counts as unusual is judged by ${name}, also where the newest report leaves it out`, () => {
    const empty = { signals: {}, lamps: {}, dtcCodes: undefined }
    const history = Array.from({ length: 100 }, (_, at) => ({ ...empty, ...content, recordedAtMs: NOW_MS - (100 - at) * 5000 }))
    const current = { ...empty, recordedAtMs: NOW_MS }
    const { anomalyScore, anomalyBasis } = predict({ ...current, history, ageDays: undefined, previousStatus: undefined })
    assert.ok(anomalyScore > 0.5, String(anomalyScore))
    assert.ok(
      anomalyBasis.some((judged) => judged === name),
      anomalyBasis.join(),
    )
  })
}
