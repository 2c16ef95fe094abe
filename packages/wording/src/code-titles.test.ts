// Goal: whatever a code of SAE J2012 stands for, a person reads it whole in their language: no title keeps an English word, and no part of a title is
// kept that none has. Method: every title that the engine can give, with every failure type, through the parts of each language.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { j2012Codes } from '@roadworthy/prognostics/detection/fault-codes/dictionary'
import { readFaultCode } from '@roadworthy/prognostics/detection/fault-codes/read-fault-code'
import { createCodeTitles } from './code-titles.ts'
import { formatsOf } from './formats.ts'
import { phrases, said } from './phrases.ts'
import { createRecogniser } from './recognise.ts'
import { codePartsOf, textsOf } from './texts-of.ts'

/** Words of a translation that are the same in English. */
const SAME: Readonly<Record<'de' | 'es', readonly string[]>> = {
  de: [
    ...[
      'abs',
      'bank',
      'bus',
      'bypass',
      'can',
      'code',
      'filter',
      'gateway',
      'generator',
      'hybrid',
      'in',
      'inverter',
      'neutral',
      'nox',
      'park',
    ],
    ...['phase', 'position', 'radio', 'regeneration', 'sae', 'scr', 'sensor', 'signal', 'software', 'start', 'status', 'tank', 'warm'],
    ...['wastegate', 'watchdog'],
  ],
  es: [
    ...[
      'abs',
      'airbag',
      'bus',
      'can',
      'contactor',
      'control',
      'general',
      'lateral',
      'longitudinal',
      'monitor',
      'motor',
      'nox',
      'pedal',
      'radar',
    ],
    ...['radio', 'sae', 'scr', 'selector', 'sensor', 'software', 'vin'],
  ],
}

const bytes = Array.from({ length: 255 }, (_, at) => (at + 1).toString(16).toUpperCase().padStart(2, '0'))
const titles = [...new Set([...j2012Codes.values()].map(({ title }) => title))]
const failureTypes = [...new Set(bytes.map((byte) => /\(([^()]+)\)$/.exec(readFaultCode(`P0301-${byte}`).title)?.[1] ?? ''))]
/** Of codes that no entry knows: each letter, digit and area. */
const unknownTitles = new Set(
  ['P', 'C', 'B', 'U'].flatMap((letter) => bytes.filter((byte) => byte < '40').map((byte) => readFaultCode(`${letter}${byte}FE`).title)),
)

/** But for failure types that are numbers: `AF`. */
const wordsOf = (text: string) => (text.match(/\b(?![A-F]{2}\b)\p{L}{2,}/gu) ?? []).map((word) => word.toLowerCase())
const gapsOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

for (const language of ['de', 'es'] as const) {
  const parts = await codePartsOf(language)
  const titleOf = createCodeTitles(parts)

  test(`${language}: every title and every failure type is translated, to its last word`, async () => {
    assert.ok(titles.length > 2_000 && failureTypes.length > 80 && unknownTitles.size > 10)
    const textOf = await textsOf(language)
    const recognise = createRecogniser({ language, units: 'metric', formats: formatsOf(language, 'UTC'), textOf }, said, titleOf)
    const same = new Set<string>()
    const left = [...titles, ...failureTypes, ...unknownTitles].filter((title) => {
      const shown = unknownTitles.has(title) ? recognise(title) : titleOf(title)
      if (shown === undefined || (shown === title && title !== 'ABS')) return true
      const english = new Set(wordsOf(title))
      const words = wordsOf(shown).filter((word) => english.has(word))
      for (const word of words) same.add(word)
      return words.some((word) => !SAME[language].includes(word))
    })
    assert.deepEqual([...same].sort(), [...SAME[language]].sort(), 'the list of words that are the same holds no others')
    assert.deepEqual(left, [])
  })

  test(`${language}: no part is kept that no title has, and each has the gaps of the English one`, () => {
    const order = Object.keys(parts)
    const numbered = createCodeTitles(Object.fromEntries(order.map((part, at) => [part, `⟦${at}⟧${gapsOf(part).join(' ')}`])))
    const used = new Set([...titles, ...failureTypes].flatMap((title) => numbered(title)?.match(/(?<=⟦)\d+(?=⟧)/g) ?? []))
    assert.deepEqual(
      order.filter((_, at) => !used.has(String(at))),
      [],
    )
    for (const [part, translation] of Object.entries(parts)) {
      assert.ok(translation.trim() !== '', part)
      assert.deepEqual(gapsOf(translation), gapsOf(part), part)
    }
  })

  test(`${language}: what J1939 and SAE J2012 both have reads the same`, async () => {
    const textOf = await textsOf(language)
    const different = phrases.filter((phrase) => parts[phrase] !== undefined && parts[phrase] !== textOf(phrase))
    assert.deepEqual(different, [])
  })
}

test('both languages have the same parts', async () => {
  assert.deepEqual(Object.keys(await codePartsOf('de')), Object.keys(await codePartsOf('es')))
  assert.deepEqual(await codePartsOf('en'), {})
})

test('a title is put together of its parts, wherever it stands in a sentence', async () => {
  const titleOf = createCodeTitles(await codePartsOf('de'))
  const textOf = await textsOf('de')
  const recognise = createRecogniser({ language: 'de', units: 'metric', formats: formatsOf('de', 'UTC'), textOf }, said, titleOf)
  const { title } = readFaultCode('P0341-29')
  assert.equal(title, 'camshaft position sensor A, bank 1: implausible signal (invalid signal)')
  const german = 'Nockenwellensensor A, Bank 1: unplausibles Signal (ungültiges Signal)'
  assert.equal(recognise(title), german)
  assert.equal(recognise(`Fault code: ${title}`), `Fehlercode: ${german}`)
  assert.equal(recognise(`Fault code P0341-29 (${title}) and 1 more: P0301`), `Fehlercode P0341-29 (${german}) und 1 weitere: P0301`)
  assert.equal(
    recognise('U0100 (no communication with engine control unit A): Drive on, and refuel on the way'),
    'U0100 (Motorsteuergerät A: keine Kommunikation): Weiterfahren und unterwegs tanken',
  )
  const spanish = createCodeTitles(await codePartsOf('es'))
  assert.equal(spanish('oxygen sensor 2, bank 1: signal too low'), 'sonda lambda 2, banco 1: señal demasiado baja')
})

test('what is made of other parts stays as it came: half a title is not shown', async () => {
  const titleOf = createCodeTitles(await codePartsOf('de'))
  for (const title of [
    '',
    'gearbox sings',
    'gearbox: signal too low',
    'ignition coil 7: sings',
    'misfire in cylinder 123',
    'x'.repeat(100_000),
  ])
    assert.equal(titleOf(title), undefined, title.slice(0, 40))
})

// A search that grows faster than the title would not end within the minute.
test('no title keeps a page busy, whatever parts it is made of', { timeout: 60_000 }, async () => {
  const titleOf = createCodeTitles(await codePartsOf('de'))
  for (const piece of ['fault: ', 'misfire A ', 'misfire, bank 1', 'no communication with the ', ': ', 'A '])
    for (const length of [250, 100_000])
      for (const end of ['', 'misfire', 'x']) {
        const title = `${piece.repeat(length / piece.length)}${end}`.slice(-length)
        const shown = titleOf(title)
        assert.ok(shown === undefined || length === 250, piece)
      }
})
