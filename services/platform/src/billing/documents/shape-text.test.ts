import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { documentFont, shapeText } from './shape-text.ts'
import { familyNames, familyOf, typefaceOf } from './typefaces.ts'

/** The names that the typeface gives its glyphs, from left to right; a bar is between two clusters. */
function glyphsOf(text: string): string {
  const family = familyOf(text)
  assert.ok(family, text)
  const { shaper } = typefaceOf(family, 'regular')
  return shapeText(shaper, text)
    .map(({ glyphs }) => glyphs.map(({ glyph }) => shaper.glyphName(glyph)).join(' '))
    .join(' | ')
}

// Goal: syllables are written as their script writes them. Method: one of each script whose glyphs are others than its characters, or in another
// order; the glyphs were checked against pictures of the same words.
test('vowels stand where they are written, consonants join, marks are in their place', () => {
  const expected: Record<string, string> = {
    क्षत्रि: 'uni0915094D0937 | uni093F.04 uni0924094D0930',
    கொ: 'evowelsigntamil katamil aavowelsigntamil',
    ஸ்ரீ: 'shritamil',
    స్త్రీ: 'siivoweltelu tarasubscriptligtelu',
    ಕ್ಷಿ: 'kassivowelknda',
    ರ್ನಾ: 'nanocrestknda aavowelsignknda rephknda',
    ബ്രി: 'rapostmlym bamlym ivowelsignmlym',
    ক্ষু: 'uni099509CD09B7 uni09C1',
    র্তৃ: 'uni09A4 uni09C3 uni09B009CD',
    ત્રિ: 'ivowelsign3gujr taragujr',
    ਪ੍ਰਿੰ: 'imatraguru paguru rasubscriptguru tippiguru',
    କ୍ଷେ: 'uni0B47 kassaoriya',
    ශ්‍රී: 'shiivowelsinh sharasinh',
    ปุ่น้ำ: 'uni0E1B uni0E38 uni0E48.narrow | uni0E19 uni0E4D uni0E49.small uni0E32',
    دبي: 'twodotshorizontalbelowar uni0649.fina | dotbelowar uni066E.init | uni062F',
    لا: 'uni0627.fina.rlig | uni0644.init.rlig',
    שָׁ: 'uni05B8 uni05C1 uni05E9',
    Office: 'O | f_f_i | c | e',
  }
  for (const [text, glyphs] of Object.entries(expected)) assert.equal(glyphsOf(text), glyphs, text)
})

test('clusters hold all of the text, in the order in which it is read', () => {
  const { shaper } = typefaceOf('NotoSansMalayalam', 'regular')
  assert.deepEqual(
    shapeText(shaper, 'ഓസ്‌ട്രേലിയ').map(({ text }) => text),
    ['ഓ', 'സ്‌', 'ട്രേ', 'ലി', 'യ'],
  )
  const arabic = typefaceOf('NotoSansArabic', 'regular').shaper
  const drawn = shapeText(arabic, 'می‌رود').map(({ text }) => text)
  assert.equal(Array.from(drawn.join('')).reverse().join(''), 'می‌رود')
})

test('digits are not turned around, signs between letters from right to left are mirrored', () => {
  const arabic = typefaceOf('NotoSansArabic', 'regular').shaper
  assert.deepEqual(
    shapeText(arabic, '۱۲۳').map(({ text }) => text),
    ['۱', '۲', '۳'],
  )
  const { shaper } = typefaceOf('NotoSans', 'regular')
  const [sign] = shapeText(shaper, '\u200f(')
  assert.deepEqual([sign?.text, sign?.glyphs.map(({ glyph }) => shaper.glyphName(glyph))], ['(', ['parenright']])
})

test('a font for a document has each cluster as one glyph with its text, and the same again', () => {
  const font = documentFont('NotoSansTamil', 'bold')
  const { glyphs, positions, advanceWidth } = font.layout('கொடு')
  assert.deepEqual(
    glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints)),
    ['கொ', 'டு'],
  )
  assert.equal(
    advanceWidth,
    positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0),
  )
  assert.deepEqual(
    font.layout('கொடு').glyphs.map(({ id }) => id),
    glyphs.map(({ id }) => id),
  )
})

test('a document never has more glyphs than it can name, whatever is written', () => {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
  const marks = Array.from({ length: 30 }, (_, nth) => String.fromCodePoint(0x300 + nth))
  const words = letters.map((letter) => marks.flatMap((above) => marks.map((next) => letter + above + next)).join(''))
  const font = documentFont('NotoSans', 'regular')
  const ids = new Set(words.flatMap((word) => font.layout(word).glyphs.map(({ id }) => id)))
  assert.ok(ids.size > 10_000 && ids.size <= 10_000 + font.numGlyphs, `${ids.size}`)
})

test('the weights of each family have the same characters', () => {
  for (const family of familyNames) {
    const [regular, bold] = (['regular', 'bold'] as const).map((weight) => typefaceOf(family, weight).font.characterSet)
    assert.deepEqual(bold, regular, family)
  }
})

test('a text of any characters that the typefaces have is shaped, and none of it is lost', () => {
  const characters = familyNames.flatMap((family) => {
    const all = typefaceOf(family, 'regular').font.characterSet.map((codePoint) => String.fromCodePoint(codePoint))
    return [fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 40 }).map((chosen) => ({ family, text: chosen.join('') }))]
  })
  fc.assert(
    fc.property(fc.oneof(...characters), ({ family, text }) => {
      const clusters = shapeText(typefaceOf(family, 'regular').shaper, text)
      const found = clusters.map((cluster) => cluster.text).join('')
      assert.ok(found.length <= text.length)
      for (const { glyphs } of clusters) assert.ok(glyphs.length > 0)
    }),
  )
})
