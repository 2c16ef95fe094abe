import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { pageCommands } from './commands.ts'

const as = (role: Session['role'], subClientId: string | null = null) => ({ role, subClientId }) as Session
const found = (session: Session, words: string) => pageCommands(session, words).map(({ to }) => to)

test('a page is found by part of its name or of its group, in any case and order', () => {
  assert.deepEqual(found(as('owner'), 'API'), ['/settings/api-keys'])
  assert.deepEqual(found(as('owner'), 'keys sett'), ['/settings/api-keys'])
  assert.deepEqual(found(as('owner'), 'no such page'), [])
  assert.ok(found(as('owner'), '').includes('/alerts'))
})

test('nobody finds a page that their role would be refused', () => {
  assert.deepEqual(found(as('viewer'), 'api keys'), [])
  assert.deepEqual(found(as('sub_client_viewer', 'sub-1'), 'sub-clients'), [])
})
