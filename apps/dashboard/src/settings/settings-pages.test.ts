import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { pageAt, settingsFor, settingsPages } from './settings-pages.ts'

const as = (role: Session['role']) => ({ role }) as Session

test('a person finds the settings that their role may read', () => {
  assert.deepEqual(settingsFor(as('owner')), settingsPages)
  for (const role of ['member', 'viewer', 'sub_client_viewer'] as const) {
    assert.deepEqual(
      settingsFor(as(role)).map(({ to }) => to),
      ['/settings/preferences'],
    )
  }
})

test('a page is found at its path and below, and not at a path that begins alike', () => {
  const pages = settingsFor(as('owner'))
  const at = (pathname: string) => pageAt(pages, pathname)?.label
  assert.deepEqual(
    [at('/settings/api-keys'), at('/settings/api-keys/x'), at('/settings/api-keys-of-others'), at('/settings')],
    ['API keys', 'API keys', undefined, undefined],
  )
})
