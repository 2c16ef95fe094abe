import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTexts, t, tListed } from './translate.ts'

after(() => setTexts({}))

test('a text without translation is shown in English, with its plural and its values', () => {
  setTexts({})
  const vehicles = '{count, plural, one {# vehicle} other {# vehicles}}'
  assert.deepEqual([t(vehicles, { count: 1 }), t(vehicles, { count: 12_000 })], ['1 vehicle', '12,000 vehicles'])
  assert.equal(t('Close'), 'Close')
})

test('a translation is taken from the texts of the language', () => {
  setTexts({ Close: 'Schließen', 'Type {word} to confirm': 'Zur Bestätigung {word} eingeben' })
  assert.deepEqual(
    [t('Close'), tListed('Close'), t('Type {word} to confirm', { word: "<b> {x} ' #" })],
    ['Schließen', 'Schließen', "Zur Bestätigung <b> {x} ' # eingeben"],
  )
})

test('a name that every object has is a text like any other', () => {
  setTexts({ Close: 'Schließen' })
  assert.deepEqual([t('constructor'), tListed('toString'), t('valueOf', {})], ['constructor', 'toString', 'valueOf'])
})
