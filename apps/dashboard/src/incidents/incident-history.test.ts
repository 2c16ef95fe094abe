import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident, IncidentStep } from '@roadworthy/contracts/platform-v1/incidents'
import { incidentHistory } from './incident-history.ts'

const open = { openedAt: '2026-11-20T08:00:00.000Z', acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null }
const at = (time: string) => `2026-11-20T${time}.000Z`
const history = (more: Partial<Incident>, steps: readonly IncidentStep[] = []) =>
  incidentHistory({ ...open, source: 'engine', resolution: null, flapping: null, ...more } as Incident, steps, (id) => `<${id}>`)
const words = (...given: Parameters<typeof history>) => history(...given).map((entry) => entry.words)

test('what people did is shown with who did it, newest first', () => {
  const steps: IncidentStep[] = [
    { at: at('12:00:00'), action: 'resolved', by: 'usr-2', reason: 'false_alarm', note: 'Sensor' },
    { at: at('11:00:00'), action: 'reopened', by: 'usr-1', snoozedUntil: null },
    { at: at('10:00:00'), action: 'snoozed', by: 'usr-1', snoozedUntil: '2026-11-21T08:00:00.000Z' },
    { at: at('09:30:00'), action: 'assigned', by: 'usr-1', assignee: null, formerAssignee: 'usr-2' },
    { at: at('09:00:00'), action: 'acknowledged', by: 'usr-1', assignee: 'usr-2', formerAssignee: null },
  ]
  const shown = history({ acknowledgedAt: at('09:00:00'), acknowledgedBy: 'usr-1', resolvedAt: at('12:00:00'), resolvedBy: 'user' }, steps)
  assert.deepEqual(
    shown.map((entry) => entry.words.replace(/until .* by/, 'until … by')),
    [
      'Resolved by <usr-2>: a false alarm',
      'Opened again by <usr-1>',
      'Snoozed until … by <usr-1>',
      'Assigned to nobody by <usr-1>',
      'Assigned to <usr-2> by <usr-1>',
      'Acknowledged by <usr-1>',
      'Opened: readings show it',
    ],
  )
  assert.equal(shown[0]?.note, 'Sensor')
})

test('an assignment that the service ended shows why', () => {
  const step = { at: at('09:30:00'), action: 'assigned', by: 'roadworthy', assignee: null, formerAssignee: 'usr-2' } as const
  assert.deepEqual(words({}, [step]), ['Assigned to nobody: the person no longer sees it', 'Opened: readings show it'])
})

test('an acknowledgement or an end that the audit log does not have is shown by the incident', () => {
  const resolution = { reason: 'false_alarm', note: null, maintenanceId: null } as const
  const ended = {
    acknowledgedAt: at('09:00:00'),
    acknowledgedBy: 'usr-1',
    resolvedAt: at('10:00:00'),
    resolvedBy: 'user',
    resolution,
  } as const
  assert.deepEqual(words(ended), ['Resolved by a person: a false alarm', 'Acknowledged by <usr-1>', 'Opened: readings show it'])
  const steps: IncidentStep[] = [{ at: at('08:30:00'), action: 'acknowledged', by: 'usr-9' }]
  assert.equal(
    words(ended, steps).filter((each) => each.startsWith('Acknowledged')).length,
    2,
    'acknowledged, opened again, and acknowledged',
  )
})

test('what ended by itself has no reason of a person, and what comes and goes shows since when', () => {
  const ended: Partial<Incident> = {
    ...{ resolvedAt: at('10:00:00'), resolvedBy: 'engine', resolution: { reason: 'other', note: null, maintenanceId: null } },
    flapping: { count: 4, since: at('09:00:00') },
  }
  assert.deepEqual(words(ended), ['Resolved by itself', 'Came back for the first time, 4 times until now', 'Opened: readings show it'])
})
