import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { type Move, movedIncident, movedPages } from './moved-incidents.ts'

const incident = (id: string, status: Incident['status'] = 'open') => ({ id, status, snoozedUntil: null, acknowledgedAt: null }) as Incident
const pagination = { hasNextPage: false, endCursor: null }
const given = {
  pages: [
    { incidents: [incident('a'), incident('b')], total: 3, pagination },
    { incidents: [incident('c')], total: 3, pagination },
  ],
  pageParams: [undefined, 'x'],
} as unknown as Parameters<typeof movedPages>[0]
const move: Move = { ids: ['b', 'c'], status: 'acknowledged', at: '2026-11-20T08:00:00.000Z' }

test('what is acknowledged leaves the list of what is open at once, and stays on a list of all', () => {
  const ids = (pages: typeof given) => pages.pages.map((page) => page.incidents.map(({ id, status }) => `${id} ${status}`))
  assert.deepEqual(ids(movedPages(given, move, 'open')), [['a open'], []])
  assert.deepEqual(ids(movedPages(given, move)), [['a open', 'b acknowledged'], ['c acknowledged']])
  assert.deepEqual(ids(given), [['a open', 'b open'], ['c open']], 'what was there before can be shown again')
})

test('an incident that is opened again is neither acknowledged nor snoozed', () => {
  const snoozed = { ...incident('b', 'snoozed'), snoozedUntil: '2026-11-21T08:00:00.000Z' }
  const { status, snoozedUntil, acknowledgedAt } = movedIncident(snoozed, { ...move, status: 'open' })
  assert.deepEqual([status, snoozedUntil, acknowledgedAt], ['open', null, null])
})
