// Goal: the newest choice of a person holds, wherever they made it, and a browser that only remembers an older one takes nothing back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Choice, choiceOf } from './choice.ts'

const german: Choice = { language: 'de', units: 'metric' }
const english: Choice = { language: 'en', units: 'metric' }
const nothing = { language: null, units: null }

test('where the service has nothing, it gets what is read here, chosen or not', () => {
  assert.deepEqual(choiceOf({}, german, nothing), german)
  assert.deepEqual(choiceOf({ language: 'de' }, german, { ...nothing, units: 'imperial' }), { language: 'de', units: 'imperial' })
})

test('another browser, in which nothing was chosen, follows the service', () => {
  assert.deepEqual(choiceOf({}, english, { language: 'es', units: 'imperial' }), { language: 'es', units: 'imperial' })
})

test('what is chosen here, also before signing in, is newer than what the service has', () => {
  assert.deepEqual(choiceOf({ language: 'de' }, german, english), german)
  assert.deepEqual(choiceOf({ ...german, agreed: english }, german, english), german)
  assert.deepEqual(
    choiceOf({ ...english, units: 'imperial', agreed: english }, { ...english, units: 'imperial' }, { ...english, language: 'es' }),
    {
      language: 'es',
      units: 'imperial',
    },
  )
})

test('what was agreed here and changed elsewhere follows the service', () => {
  assert.deepEqual(choiceOf({ ...german, agreed: german }, german, english), english)
})
