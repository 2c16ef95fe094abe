import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { groupsFor, type PageGroup } from './pages.ts'

test('a person finds the pages that are for them, and no group without pages', () => {
  const isOwner = ({ role }: Session) => role === 'owner'
  const groups: readonly PageGroup[] = [
    {
      label: 'Both',
      pages: [
        { to: '/', label: 'All' },
        { to: '/sims', label: 'Owners', isFor: isOwner },
      ],
    },
    { label: 'Owners', pages: [{ to: '/invoices', label: 'Owners too', isFor: isOwner }] },
  ]
  const labelsFor = (role: Session['role']) =>
    groupsFor({ role } as Session, groups).map(({ label, pages }) => [label, ...pages.map((page) => page.label)])
  assert.deepEqual(labelsFor('owner'), [
    ['Both', 'All', 'Owners'],
    ['Owners', 'Owners too'],
  ])
  assert.deepEqual(labelsFor('viewer'), [['Both', 'All']])
})
