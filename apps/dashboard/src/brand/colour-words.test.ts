import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourUses, isColour } from './colour-words.ts'

test('a colour that white can be read on stays, with a note', () => {
  const { light } = colourUses('#0b7285')
  assert.equal(light.shade, '#0b7285')
  assert.match(light.text, /as you chose it: white text has a contrast of 5\.\d:1/)
})

test('of a colour that is too light, the shade that is used and both contrasts are shown', () => {
  const { light, dark } = colourUses('#ffd43b')
  assert.notEqual(light.shade, '#ffd43b')
  assert.match(light.text, /so that white text can be read: 4\.\d:1, where your colour has 1\.4:1/)
  assert.match(dark.text, /4\.\d:1/)
})

test('a colour is six hexadecimal digits', () => {
  assert.deepEqual(['#0b7285', '#FFF', 'red', '#0b72851'].map(isColour), [true, false, false, false])
})
