import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { evidenceSignals, rangeAround } from './evidence-signals.ts'

const found = (alertId: string, evidence: Record<string, unknown>) => ({ alertId, evidence }) as Incident['evidence'][number]

test('each signal is shown once, with its newest alerts; lamps and codes have none', () => {
  const evidence = [
    found('alr-5', { signal: 'coolant' }),
    found('alr-4', { lamp: 'mil_lamp' }),
    found('alr-3', { signal: 'battery_voltage' }),
    ...['alr-2', 'alr-1', 'alr-0'].map((alertId) => found(alertId, { signal: 'coolant' })),
    found('alr-x', { signal: 'toString' }),
  ]
  assert.deepEqual(evidenceSignals(evidence), [
    { signal: 'coolantTempC', alertIds: ['alr-5', 'alr-2', 'alr-1'] },
    { signal: 'batteryVoltageV', alertIds: ['alr-3'] },
  ])
})

test('the range is an hour to either side of the opening, and never what lies ahead', () => {
  const openedAt = '2026-11-20T08:01:00.000Z'
  const at = (time: string) => rangeAround(openedAt, Date.parse(`2026-11-20T${time}Z`))
  const from = '2026-11-20T07:01:00.000Z'
  assert.deepEqual(at('20:00:00.000'), { from, to: '2026-11-20T09:01:00.000Z', isGrowing: false })
  assert.deepEqual(at('08:02:00.000'), { from, to: '2026-11-20T08:05:00.000Z', isGrowing: true })
  assert.deepEqual(at('08:04:59.000'), at('08:02:00.000'), 'one range for some minutes, so that it is asked for once')
  assert.equal(at('08:59:00.000').to, '2026-11-20T09:00:00.000Z')
})
