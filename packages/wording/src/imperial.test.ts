// Goal: who reads German and drives in miles finds no degree Celsius in what the service says.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatsOf } from './formats.ts'
import { said } from './phrases.ts'
import { createRecogniser } from './recognise.ts'
import { textsOf } from './texts-of.ts'

const textOf = await textsOf('de')
const recognise = createRecogniser({ language: 'de', units: 'imperial', formats: formatsOf('de', undefined), textOf }, said)

test('values, limits and bare numbers beside them are in the units of the person', () => {
  assert.equal(
    recognise('Coolant temperature 116.5 °C is above 114 °C for 40 s'),
    'Kühlmitteltemperatur 241,7 °F liegt seit 40 s über 237,2 °F',
  )
  assert.equal(
    recognise(
      'Coolant temperature fell from 88 to 70 °C within 12 min with the engine running, below the 77 °C that a warm engine keeps (normally at least 70 °C)',
    ),
    'Kühlmitteltemperatur fiel in 12 min bei laufendem Motor von 190,4 °F auf 158 °F, unter die 170,6 °F, die ein warmer Motor hält (normal mindestens 158 °F)',
  )
  assert.equal(
    recognise('Oil change: was due on 2026-01-31 or at 160934 km'),
    'Oil change: war fällig am 31. Jan. 2026 oder bei 100.000 mi',
  )
})

test('a reading stays on its side of the limit after it was converted', () => {
  for (let limit = 60; limit < 150; limit += 0.1) {
    const above = Math.round(limit * 10 + 1) / 10
    const [reading, against] = (
      recognise(`Coolant temperature ${above} °C is above ${Math.round(limit * 10) / 10} °C`).match(/\d+(,\d)?(?= °F)/g) ?? []
    ).map((text) => Number(text.replace(',', '.')))
    assert.ok((reading ?? 0) > (against ?? 0), `${reading} ${against}`)
  }
})
