import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPreferences } from './preferences.ts'

test('what the service had is remembered beside what was chosen', () => {
  assert.deepEqual(readPreferences('{"language":"de","agreed":{"language":"en","units":"imperial","zone":"utc"}}'), {
    ...{ language: 'de', agreed: { language: 'en', units: 'imperial' } },
  })
  assert.deepEqual(readPreferences('{"agreed":{"language":"xx"}}'), { agreed: {} })
  assert.deepEqual(readPreferences('{"agreed":"de"}'), {})
})

test('what was stored is taken where it is known, whatever else stands there', () => {
  assert.deepEqual(readPreferences('{"language":"de","units":"imperial","zone":"utc","singleKeys":false,"more":1}'), {
    ...{ language: 'de', units: 'imperial', zone: 'utc', singleKeys: false },
  })
  assert.deepEqual(readPreferences('{"language":"xx","units":7,"zone":null,"singleKeys":"no"}'), {})
  for (const text of [null, '', 'null', '[]', '"de"', '{']) assert.deepEqual(readPreferences(text), {})
})
