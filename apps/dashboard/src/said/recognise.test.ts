// Goal: a person reads what the service says in their language and units, and never a wrong number or half a text.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTexts } from '../text/translate.ts'
import { recognise } from './recognise.ts'
import { setRecogniser, withSaid } from './said.ts'

// The texts of a language are set once, before anything is shown; what was recognised is kept.
setTexts(JSON.parse(readFileSync(join(import.meta.dirname, '../text/languages/de/said/said.json'), 'utf8')))
after(() => {
  setTexts({})
  setRecogniser(undefined)
})

test('a reading, its limit and its time stay as they were, in the words of the language', () => {
  assert.equal(
    recognise('Battery voltage 11.94 V with the engine running is below 12.2 V for 40 s'),
    'Battery voltage 11.94 V (bei laufendem Motor) liegt seit 40 s unter 12.2 V',
  )
})

test('what is joined is taken apart: reasons, recommendations, additions in brackets', () => {
  assert.equal(
    recognise('Stop the vehicle as soon as it is safe and have it towed or repaired on the spot. Refuel soon'),
    'Fahrzeug anhalten, sobald es sicher ist, und abschleppen oder an Ort und Stelle reparieren lassen. Bald tanken',
  )
  assert.equal(
    recognise('Fuel is low (comes and goes: back 3 times since 2026-11-20T12:00Z)').replace(/seit .*\)/, 'seit …)'),
    'Kraftstoff ist knapp (kommt und geht: 3-mal wiedergekommen seit …)',
  )
  assert.equal(
    recognise(
      'Unburnt fuel overheats the catalyst: keep load low; with a flashing warning lamp do not drive on. Have P0301 (misfire) diagnosed',
    ),
    'Unverbrannter Kraftstoff überhitzt den Katalysator: Last gering halten; bei blinkender Warnlampe nicht weiterfahren. P0301 (misfire) in der Werkstatt diagnostizieren lassen',
  )
})

test('a text that no phrase knows stays as it came, and so does a piece of one', () => {
  for (const text of ['', 'Gearbox sings', 'x'.repeat(100_000)]) assert.equal(recognise(text), text)
  assert.equal(recognise('Gearbox sings. Refuel soon'), 'Gearbox sings. Bald tanken')
})

// A search that grows faster than the text would not end within the minute.
test('no text keeps a page busy, whatever brackets and separators it is made of', { timeout: 60_000 }, () => {
  for (const piece of ['; ', '. ', '(', ')', 'Fault code (', 'a (b): ', 'on 2026-01-01 or ', 'If it is left for long: '])
    assert.equal(typeof recognise(piece.repeat(4_000 / piece.length)), 'string')
})

test('only the fields that hold what the service says change, and only where the person needs it', async () => {
  const answer = {
    id: 'Refuel soon',
    incidents: [{ title: 'Fuel is low', severity: 'low', insights: ['Refuel soon'], count: 3 }],
    none: null,
  }
  assert.equal(await withSaid(answer), answer)
  setRecogniser(async () => recognise)
  assert.deepEqual(await withSaid(answer), {
    ...answer,
    incidents: [{ title: 'Kraftstoff ist knapp', severity: 'low', insights: ['Bald tanken'], count: 3 }],
  })
})

test('phrases are loaded when an answer says something, and without them it is shown as it came', async (t) => {
  let loads = 0
  setRecogniser(async () => {
    loads++
    throw new Error('offline')
  })
  t.mock.method(console, 'warn', () => {})
  const silent = { id: 'Refuel soon', incidents: [{ title: '', insights: [], note: null }] }
  assert.equal(await withSaid(silent), silent)
  assert.equal(loads, 0)
  const answer = { incidents: [{ title: 'Fuel is low' }] }
  assert.equal(await withSaid(answer), answer)
  assert.equal(loads, 1)
})
