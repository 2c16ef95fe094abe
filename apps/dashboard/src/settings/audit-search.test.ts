import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditFilter, readAuditSearch } from './audit-search.ts'

test('an address narrows the log down by what the API takes, and the rest of it is left out', () => {
  assert.deepEqual(readAuditSearch({ actor: ' usr-1 ', action: 'user.updated', objectId: 'x', since: '2026-01-31', other: 'y' }), {
    ...{ actor: 'usr-1', action: 'user.updated', objectId: 'x', since: '2026-01-31' },
  })
  assert.deepEqual(readAuditSearch({ actor: 'é', action: '', objectId: 'x'.repeat(201), since: '2026-13-01' }), {})
  assert.deepEqual(readAuditSearch({ since: 20260131 }), {})
})

test('a day begins at midnight where the person is', () => {
  assert.deepEqual(auditFilter({ actor: 'usr-1', since: '2026-01-31' }), {
    ...{ actor: 'usr-1', from: new Date(2026, 0, 31).toISOString() },
  })
  assert.deepEqual(auditFilter({}), {})
})
