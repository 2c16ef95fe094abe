// Goal: a person reads what the service says in their language and units, and never a wrong number or half a text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatsOf } from './formats.ts'
import { said } from './phrases.ts'
import { createRecogniser } from './recognise.ts'
import { textsOf } from './texts-of.ts'

const textOf = await textsOf('de')
const recognise = createRecogniser({ language: 'de', units: 'metric', formats: formatsOf('de', 'UTC'), textOf }, said)

test('a reading, its limit and its time stay as they were, in the words of the language', () => {
  assert.equal(
    recognise('Battery voltage 11.94 V with the engine running is below 12.2 V for 40 s'),
    'Batteriespannung 11,94 V (bei laufendem Motor) liegt seit 40 s unter 12,2 V',
  )
})

test('what is joined is taken apart: reasons, recommendations, additions in brackets', () => {
  assert.equal(
    recognise('Stop the vehicle as soon as it is safe and have it towed or repaired on the spot. Drive on, and refuel on the way'),
    'Fahrzeug anhalten, sobald es sicher ist, und abschleppen oder an Ort und Stelle reparieren lassen. Weiterfahren und unterwegs tanken',
  )
  assert.equal(
    recognise('Fuel is low (comes and goes: back 3 times since 2026-11-20T12:00Z)'),
    'Kraftstoff ist knapp (kommt und geht: 3-mal wiedergekommen seit 20. Nov. 2026, 12:00)',
  )
  assert.equal(recognise('Maintenance overdue: Brake pads (front)'), 'Wartung überfällig: Brake pads (front)')
  assert.equal(
    recognise('Maintenance overdue: Brake pads (front) (comes and goes: back 3 times since 2026-11-20T12:00Z)'),
    'Wartung überfällig: Brake pads (front) (kommt und geht: 3-mal wiedergekommen seit 20. Nov. 2026, 12:00)',
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
  assert.equal(recognise('Gearbox sings. Drive on, and refuel on the way'), 'Gearbox sings. Weiterfahren und unterwegs tanken')
})

// A search that grows faster than the text would not end within the minute.
test('no text keeps a page busy, whatever brackets and separators it is made of', { timeout: 60_000 }, () => {
  for (const piece of ['; ', '. ', '(', ')', 'Fault code (', 'a (b): ', 'on 2026-01-01 or ', 'If it is left for long: '])
    assert.equal(typeof recognise(piece.repeat(4_000 / piece.length)), 'string')
})

test('a phrase that ends with a full stop is known wherever it stands in a row', () => {
  const book = { phrases: ['It is late.', 'Go home'], slots: {} }
  const texts: Readonly<Record<string, string>> = { 'It is late.': 'Es ist spät.', 'Go home': 'Heimgehen' }
  const inGerman = createRecogniser(
    { language: 'de', units: 'metric', formats: formatsOf('de', 'UTC'), textOf: (text) => texts[text] ?? text },
    book,
  )
  assert.equal(inGerman('It is late. Go home'), 'Es ist spät. Heimgehen')
  assert.equal(inGerman('Go home. It is late.'), 'Heimgehen. Es ist spät.')
  assert.equal(inGerman('It is late; Go home'), 'It is late; Heimgehen')
})
