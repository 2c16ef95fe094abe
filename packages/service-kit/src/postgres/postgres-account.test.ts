import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountNameOf } from './postgres-account.ts'

test('the account of PostgreSQL is named as one in a sentence: it may be called nobody', () => {
  assert.equal(accountNameOf({ name: 'nobody', uid: 65534, gid: 65534 }), 'the account nobody')
  assert.equal(accountNameOf(undefined), 'this user')
})
