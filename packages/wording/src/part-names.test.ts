import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partName, partWords } from './part-names.ts'
import { textsOf } from './texts-of.ts'

test('a part that a person named is shown as it is, also by a name that every object has', async () => {
  const german = await textsOf('de')
  assert.equal(partName('brakes', german), 'Bremsen')
  assert.equal(partWords('tail_lift', 'en', german), 'tail lift')
  assert.equal(partName('constructor', german), 'Constructor')
  assert.equal(partWords('constructor', 'de', german), 'constructor')
  assert.equal(german('constructor'), 'constructor')
})
