// Goal: a refusal reaches a person in their words wherever it stands in an answer, and nothing is loaded where nothing was refused.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setRefusals, withRefusals } from './refused.ts'

after(() => setRefusals(undefined))

test('each message of a refusal changes, and nothing else of it', async () => {
  const refusal = {
    code: 'invalid_request',
    message: 'Sign in first.',
    details: { field: 'Sign in first.', rows: [{ row: 3, error: { message: 'Sign in first.', field: null } }] },
  }
  assert.equal(await withRefusals(refusal), refusal)
  setRefusals(async () => (text) => text.toUpperCase())
  assert.deepEqual(await withRefusals(refusal), {
    code: 'invalid_request',
    message: 'SIGN IN FIRST.',
    details: { field: 'Sign in first.', rows: [{ row: 3, error: { message: 'SIGN IN FIRST.', field: null } }] },
  })
})

test('translations are loaded when something was refused, and without them it is shown as it came', async (t) => {
  let loads = 0
  setRefusals(async () => {
    loads++
    throw new Error('offline')
  })
  const warn = t.mock.method(console, 'warn', () => {})
  const silent = { rows: [{ row: 1, error: null }], code: 'x' }
  assert.equal(await withRefusals(silent), silent)
  assert.equal(loads, 0)
  const refusal = { message: 'Sign in first.' }
  assert.equal(await withRefusals(refusal), refusal)
  assert.deepEqual([loads, warn.mock.callCount()], [1, 1])
})
