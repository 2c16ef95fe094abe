import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeyState, doesWork, expiryAfter } from './api-key-state.ts'

const NOW_MS = Date.parse('2026-01-10T00:00:00.000Z')
const stateAt = (expiresAt: string | null, revokedAt: string | null = null) => apiKeyState({ expiresAt, revokedAt }, NOW_MS)

test('a key works until it is revoked or expires, and its last week is seen', () => {
  assert.equal(stateAt(null), 'working')
  assert.equal(stateAt('2026-01-17T00:00:00.001Z'), 'working')
  assert.equal(stateAt('2026-01-17T00:00:00.000Z'), 'ending')
  assert.equal(stateAt('2026-01-10T00:00:00.000Z'), 'expired')
  assert.equal(stateAt('2027-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'), 'revoked')
  assert.deepEqual((['working', 'ending', 'expired', 'revoked'] as const).map(doesWork), [true, true, false, false])
})

test('an expiry is that many days from now, and never where there is none', () => {
  assert.equal(expiryAfter(30, NOW_MS), '2026-02-09T00:00:00.000Z')
  assert.equal(expiryAfter(undefined, NOW_MS), undefined)
})
