import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usageDays } from './usage-days.ts'

test('the meters of a day and a sub-client stand side by side, and what was not used counts 0', () => {
  const none = { points_ingested: 0, api_calls: 0, predictions: 0, active_devices: 0 }
  assert.deepEqual(
    usageDays([
      { period: '2026-01-30', subClientId: null, meter: 'api_calls', count: 3 },
      { period: '2026-01-30', subClientId: 'north', meter: 'points_ingested', count: 12 },
      { period: '2026-01-30', subClientId: 'north', meter: 'active_devices', count: 1 },
      { period: '2026-01-31', subClientId: 'north', meter: 'points_ingested', count: 5 },
    ]),
    [
      { period: '2026-01-30', subClientId: null, counts: { ...none, api_calls: 3 } },
      { period: '2026-01-30', subClientId: 'north', counts: { ...none, points_ingested: 12, active_devices: 1 } },
      { period: '2026-01-31', subClientId: 'north', counts: { ...none, points_ingested: 5 } },
    ],
  )
})
