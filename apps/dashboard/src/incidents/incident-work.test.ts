import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { plannedDay, workSubject } from './incident-work.ts'

test('work is planned for the day that is advised, and not before today', () => {
  const now = new Date(2026, 1, 3, 23, 59)
  assert.equal(plannedDay('2026-02-10', now), '2026-02-10')
  assert.equal(plannedDay('2026-02-01', now), '2026-02-03')
  assert.equal(plannedDay(undefined, now), '')
})

test('what was done is the planned work that was due first, or work that nobody planned', () => {
  const incident = { vehicleId: 'veh-1', component: 'cooling' } as Incident & { vehicleId: string }
  const planned = [
    { id: 'mnt-whenever', dueAt: null },
    { id: 'mnt-later', dueAt: '2026-03-01T12:00:00.000Z' },
    { id: 'mnt-first', dueAt: '2026-02-01T12:00:00.000Z' },
  ] as Maintenance[]
  assert.equal(workSubject(incident, planned).id, 'mnt-first')
  assert.deepEqual(workSubject(incident, []), { vehicleId: 'veh-1', component: 'cooling' })
})
