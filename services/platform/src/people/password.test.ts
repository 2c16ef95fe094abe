import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from './password.ts'

test('a password fits its own hash and no other, however its letters were composed', async () => {
  const stored = await hashPassword('Stra\u00dfe \u00e9t\u00e9')
  assert.match(stored, /^scrypt\$131072\$8\$1\$/)
  assert.equal(await isPassword('Stra\u00dfe e\u0301te\u0301', stored), true)
  assert.equal(await isPassword('Stra\u00dfe', stored), false)
  assert.equal(await isPassword('', 'plain text'), false)
  assert.notEqual(await hashPassword('same'), await hashPassword('same'))
})
