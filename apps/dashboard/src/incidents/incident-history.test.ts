import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { incidentHistory } from './incident-history.ts'

const open = { openedAt: '2026-11-20T08:00:00.000Z', acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null }
const history = (more: Partial<Incident>) =>
  incidentHistory({ ...open, resolution: null, flapping: null, ...more } as Incident, (id) => `<${id}>`)

test('the history says what happened to the incident and who did it, newest first', () => {
  assert.deepEqual(history({}), [{ at: open.openedAt, words: 'Opened' }])
  const resolution = { reason: 'false_alarm', note: 'Sensor', maintenanceId: null } as const
  const [resolved, acknowledged] = history({
    ...{ acknowledgedAt: '2026-11-20T09:00:00.000Z', acknowledgedBy: 'usr-1' },
    ...{ resolvedAt: '2026-11-20T10:00:00.000Z', resolvedBy: 'user', resolution },
  })
  assert.equal(acknowledged?.words, 'Acknowledged by <usr-1>')
  assert.deepEqual(resolved, { at: '2026-11-20T10:00:00.000Z', words: 'Resolved by a person: a false alarm', note: 'Sensor' })
})

test('what ended by itself has no reason of a person, and what comes and goes says since when', () => {
  const [last, back] = history({
    ...{ resolvedAt: '2026-11-20T10:00:00.000Z', resolvedBy: 'engine', resolution: { reason: 'other', note: null, maintenanceId: null } },
    flapping: { count: 4, since: '2026-11-20T09:00:00.000Z' },
  })
  assert.equal(last?.words, 'Resolved by itself')
  assert.equal(back?.words, 'Came back for the first time, 4 times until now')
})
