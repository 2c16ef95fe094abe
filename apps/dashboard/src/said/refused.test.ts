// Goal: a refusal reaches a person in their words wherever it stands in an answer, and nothing is loaded where nothing was refused.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setRefusals, withReasons, withRefusals } from './refused.ts'

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

test('a reason changes in the fields that are named, where the service wrote it', async () => {
  const history = {
    history: [
      { reason: 'Safe custody ended.', source: 'system' },
      { reason: 'Stolen', source: 'request' },
    ],
    note: 'Sold',
  }
  let loads = 0
  setRefusals(async () => {
    loads++
    return (text) => text.toUpperCase()
  })
  const isOurs = ({ source }: Readonly<Record<string, unknown>>) => source === 'system'
  assert.deepEqual(await withReasons(history, ['reason'], isOurs), {
    history: [
      { reason: 'SAFE CUSTODY ENDED.', source: 'system' },
      { reason: 'Stolen', source: 'request' },
    ],
    note: 'Sold',
  })
  assert.equal(loads, 1)
  const written = { history: history.history.slice(1), error: null }
  assert.equal(await withReasons(written, ['reason', 'error'], isOurs), written)
  assert.equal(loads, 1, 'nothing of the service is shown')
})
