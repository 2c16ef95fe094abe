import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { pageAt, settingsFor, settingsPages } from './settings-pages.ts'

const as = (role: Session['role']) => ({ role, subClientId: role === 'sub_client_viewer' ? 'north' : null }) as Session

test('a person finds the settings that their role may read', () => {
  const found = (role: Session['role']) => settingsFor(as(role)).map(({ to }) => to)
  assert.deepEqual(settingsFor(as('owner')), settingsPages)
  assert.deepEqual(found('member'), [
    ...['/settings/webhooks', '/settings/notifications', '/settings/rate-plans', '/settings/billing', '/settings/plan'],
    '/settings/preferences',
  ])
  assert.deepEqual(found('viewer'), ['/settings/plan', '/settings/preferences'])
  assert.deepEqual(found('sub_client_viewer'), ['/settings/preferences'])
})

test('a page is found at its path and below, and not at a path that begins alike', () => {
  const pages = settingsFor(as('owner'))
  const at = (pathname: string) => pageAt(pages, pathname)?.label
  assert.deepEqual(
    [at('/settings/api-keys'), at('/settings/api-keys/x'), at('/settings/api-keys-of-others'), at('/settings')],
    ['API keys', 'API keys', undefined, undefined],
  )
})
