import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsFor } from './steps.ts'

const nothing = { apiKey: false, device: false, reading: false, prediction: false, webhook: false }

test('the first step that is not done is the next one, wherever others are done already', () => {
  const namesOf = (done: typeof nothing) => stepsFor({ role: 'owner' }, done).map(({ name, isDone, isNext }) => [name, isDone, isNext])
  assert.deepEqual(namesOf({ ...nothing, apiKey: true, reading: true }), [
    ['apiKey', true, false],
    ['device', false, true],
    ['reading', true, false],
    ['prediction', false, false],
    ['webhook', false, false],
  ])
  const all = { apiKey: true, device: true, reading: true, prediction: true, webhook: true }
  assert.ok(stepsFor({ role: 'owner' }, all).every(({ isDone, isNext }) => isDone && !isNext))
})

test('whoever cannot make keys is not asked to', () => {
  assert.equal(stepsFor({ role: 'member' }, nothing)[0]?.name, 'device')
  assert.equal(stepsFor({ role: 'member' }, { ...nothing, apiKey: true })[0]?.name, 'apiKey')
})
