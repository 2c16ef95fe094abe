import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCredentials } from './credentials.ts'

test('no password of a device needs quoting, or looks like an option to the command it is given to', async () => {
  const made = await Promise.all(Array.from({ length: 200 }, createCredentials))
  for (const { password } of made) assert.match(password, /^[0-9A-Za-z]{32}$/)
  assert.equal(new Set(made.map(({ password }) => password)).size, made.length)
})
