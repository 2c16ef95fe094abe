import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { groupsFor, type PageGroup, pagesOfBar } from './pages.ts'

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

test('a small screen has five entries at the bottom at most, one of which opens the others by group', () => {
  const owner = groupsFor({ role: 'owner', subClientId: null } as Session)
  const { bar, others } = pagesOfBar(owner)
  assert.deepEqual(
    bar.map(({ label }) => label),
    ['Overview', 'Fleet', 'Alerts', 'Maintenance'],
  )
  assert.deepEqual(
    [...bar, ...others.flatMap(({ pages }) => pages)],
    owner.flatMap(({ pages }) => pages),
  )
  assert.deepEqual(
    others.map(({ label, pages }) => [label, pages[0]?.label]),
    [
      ['Vehicles', 'Devices'],
      ['Business', 'Sub-clients'],
      ['Account', 'Settings'],
    ],
  )
  const few = owner.map(({ label, pages }) => ({ label, pages: pages.slice(0, label === 'Vehicles' ? 3 : 1) }))
  assert.deepEqual([pagesOfBar(few).bar.length, pagesOfBar(few).others], [5, []], 'no button where all have a place')
})
