import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directionOf, runsOf } from './text-runs.ts'

const drawn = (text: string) => runsOf(text, directionOf(text)).map((run) => run.text.replace('\u200f', ''))
const families = (text: string) => runsOf(text, directionOf(text)).map(({ family }) => family.replace('NotoSans', ''))

test('each script has the typeface that has it; spaces, digits and signs are those of the first one', () => {
  assert.deepEqual(drawn('Rent 5 – தமிழ் நாடு (50 %)'), ['Rent 5 – ', 'தமிழ்', ' ', 'நாடு', ' (50 %)'])
  assert.deepEqual(families('Rent தமிழ் తెలుగు'), ['', 'Tamil', '', 'Telugu'])
  assert.deepEqual(families('ಕನ್ನಡ മലയാളം বাংলা ગુજરાતી ਪੰਜਾਬੀ ଓଡ଼ିଆ සිංහල ไทย').filter(Boolean), [
    ...['Kannada', 'Malayalam', 'Bengali', 'Gujarati', 'Gurmukhi', 'Oriya', 'Sinhala', 'Thai'],
  ])
})

test('scripts of one typeface are apart, because each is shaped by its own rules', () => {
  assert.deepEqual(drawn('ABC परिवहन निगम Київ'), ['ABC ', 'परिवहन निगम ', 'Київ'])
})

test('a mark of another script than its letter has its own typeface', () => {
  assert.deepEqual(families('a\u0bc6'), ['', 'Tamil'])
})

// Goal: rules of Unicode Annex 9 that names of companies meet. Method: the pieces from left to right.
test('words are in the order in which they are read', () => {
  assert.deepEqual(drawn('Rent شركة النقل Ltd'), ['Rent ', 'النقل', ' ', 'شركة', ' Ltd'])
  assert.deepEqual(drawn('شركة النقل Fleet 500 دبي'), ['دبي', ' ', 'Fleet 500', ' ', 'النقل', ' ', 'شركة'])
  assert.deepEqual(drawn('חברה 12 (תל אביב)'), [')', 'אביב', ' ', 'תל', '(', ' ', '12', ' ', 'חברה'])
  assert.deepEqual(drawn('Tel (שלום) 04-555'), ['Tel (', 'שלום', ') ', '04-555'])
  assert.deepEqual(drawn('שלום 04.50 %'), ['%', ' ', '04.50', ' ', 'שלום'])
})

test('signs between letters from right to left are marked to be mirrored, others are not', () => {
  const marked = (text: string) => runsOf(text, directionOf(text)).filter((run) => run.text.startsWith('\u200f'))
  assert.deepEqual(
    marked('שלום (עולם)').map(({ text }) => text),
    ['\u200f)', '\u200f(', '\u200f '],
  )
  assert.deepEqual(marked('Tel (שלום)'), [])
})

test('the direction of a text is that of its first letter', () => {
  assert.equal(directionOf('12 – שלום abc'), 'rtl')
  assert.equal(directionOf('12 – abc שלום'), 'ltr')
  assert.equal(directionOf('۱۲'), 'ltr')
})
