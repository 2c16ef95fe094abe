import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWholeRole, roleFields, roles, roleWords } from './roles.ts'

test('every role has words of its own', () => {
  for (const { value, label } of roles) assert.equal(roleWords(value).label, label)
  assert.equal(new Set(roles.map(({ may }) => may)).size, 4)
})

test('a sub-client goes with the role of its viewers only, and has to be there', () => {
  assert.deepEqual(roleFields('sub_client_viewer', ' north '), { role: 'sub_client_viewer', subClientId: 'north' })
  assert.deepEqual(roleFields('viewer', 'north'), { role: 'viewer', subClientId: null })
  assert.deepEqual(
    [isWholeRole('sub_client_viewer', ' '), isWholeRole('sub_client_viewer', 'north'), isWholeRole('owner', '')],
    [false, true, true],
  )
})
