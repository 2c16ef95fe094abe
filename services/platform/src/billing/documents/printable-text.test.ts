import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { printable } from './printable-text.ts'
import { familyOf } from './typefaces.ts'

const shown = (text: string, maxLength = 100) => printable(text, (character) => familyOf(character) !== undefined, maxLength)

test('white space and control characters become single spaces', () => {
  assert.equal(shown('  a\r\n\tb\u0000\u0007\u001b[31mc\u2028d\u0085 '), 'a b [31mc d')
})

test('marks of direction and other invisible characters are gone; what joins letters stays where it is a matter of spelling', () => {
  assert.equal(shown('\u202eabc\u202c\u2066x\u2069\u200e\u200b\ufeff\u00ady\u200dz'), 'abcxyz')
  for (const spelling of ['क्\u200dष क्\u200cष', 'ශ්\u200dරී', 'ഓസ്\u200cട്രേലിയ', 'র\u200d্য', 'می\u200cخواهم'])
    assert.equal(shown(spelling), spelling)
  assert.equal(shown(`क्${'\u200d'.repeat(300)}ष`), 'क्\u200dष')
})

test('more marks than a language has are dropped, letters are composed', () => {
  assert.equal(shown(`e${'\u0301'.repeat(300)}x`), 'é\u0301\u0301\u0301x')
  assert.equal(shown('Z\u030cS\u0327'), 'ŽŞ')
})

test('what no typeface has is marked, character by character, and half a pair too', () => {
  assert.equal(shown('a東京b😀\ud800'), 'a\ufffd\ufffdb\ufffd\ufffd')
})

test('what is longer than it may be ends in an ellipsis', () => {
  assert.equal(shown('abcdef', 6), 'abcdef')
  assert.equal(shown('abcdefg', 6), 'abcde…')
  assert.equal(shown(`${' '.repeat(10_000)}x`, 6), '…', 'whatever is cut is marked as cut')
})

test('any text becomes one line that can be drawn', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (text, maxLength) => {
      const line = shown(text, maxLength)
      assert.ok(Array.from(line).length <= maxLength)
      assert.match(line, /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u)
    }),
  )
})
