// Goal: no message reaches a person with a hole in it, with a gap that nobody fills, or in a language that is not theirs.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import type { MessageKey } from './word-table.ts'
import { NO_CHOICE, wordingOf } from './wording.ts'

const gapsOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
const keys = Object.keys(en) as MessageKey[]

for (const [language, table] of Object.entries({ de, es })) {
  test(`${language}: every message is there, with the same gaps, and no other`, () => {
    assert.deepEqual(Object.keys(table).sort(), [...keys].sort())
    for (const key of keys) {
      assert.ok(table[key].trim() !== '', key)
      assert.deepEqual(gapsOf(table[key]), gapsOf(en[key]), key)
    }
    const same = keys.filter((key) => table[key] === en[key])
    assert.deepEqual(
      same.filter((key) => !['severity.info', 'test.title'].includes(key)),
      [],
      'not translated',
    )
  })
}

test('every message is said somewhere', () => {
  const sources = globSync('../**/*.ts', { cwd: import.meta.dirname }).filter(
    (path) => !path.startsWith('../words/') && !path.endsWith('.test.ts'),
  )
  const texts = sources.map((path) => readFileSync(join(import.meta.dirname, path), 'utf8')).join('\n')
  // Put together of a kind and a word, both of closed lists.
  for (const each of [/`severity\.\$/, /`test\.\$/, /kind\}\.subject`/, /kind\}\.text`/]) assert.match(texts, each)
  const isBuilt = (key: string) => /^(severity|test|invitation|password_reset)\./.test(key)
  assert.deepEqual(
    keys.filter((key) => !isBuilt(key) && !texts.includes(`'${key}'`)),
    [],
  )
})

test('who chose nothing reads English and metric, and dates as programs do', async () => {
  const { said, say, day, month, amount, time, partName } = await wordingOf(NO_CHOICE)
  const text = 'Coolant temperature 116.5 °C is above 114 °C for 40 s'
  assert.equal(said(text, 'UTC'), text)
  assert.equal(say('digest.title', { day: day('2026-11-23') }), 'Digest of 2026-11-23')
  assert.deepEqual([month('2026-03'), amount('1234.50', 'EUR'), partName('high_voltage')], ['2026-03', '1234.50 EUR', 'High voltage'])
  assert.equal(time(new Date('2026-03-29T00:30:00Z'), 'Europe/Berlin'), '29 Mar 2026, 01:30')
})

test('who chose a language and units reads in both', async () => {
  const german = await wordingOf({ language: 'de', units: 'imperial' })
  assert.equal(
    german.said(
      'Coolant temperature 116.5 °C is above 114 °C for 40 s (comes and goes: back 3 times since 2026-11-20T22:00Z)',
      'Asia/Kolkata',
    ),
    'Kühlmitteltemperatur 241,7 °F liegt seit 40 s über 237,2 °F (kommt und geht: 3-mal wiedergekommen seit 21. Nov. 2026, 03:30)',
  )
  assert.equal(german.time(new Date('2026-03-29T00:30:00Z'), 'Europe/Berlin'), '29. März 2026, 01:30')
  const fault = 'Fault code P0341 (camshaft position sensor A, bank 1: implausible signal)'
  assert.equal(german.said(fault, 'UTC'), 'Fehlercode P0341 (Nockenwellensensor A, Bank 1: unplausibles Signal)')
  const spanish = await wordingOf({ language: 'es', units: undefined })
  assert.equal(spanish.said(fault, 'UTC'), 'Código de avería P0341 (sensor de posición del árbol de levas A, banco 1: señal no plausible)')
  assert.equal(spanish.said('Red stop lamp on', 'UTC'), 'Testigo rojo de parada: encendido')
  assert.deepEqual([spanish.day('2026-03-29'), spanish.month('2026-03')], ['29 mar 2026', 'marzo de 2026'])
  assert.deepEqual(
    [spanish.amount('12345.50', 'EUR'), german.amount('9007199254740993.10', 'EUR')],
    ['12.345,50 EUR', '9.007.199.254.740.993,10 EUR'],
  )
  assert.deepEqual([spanish.partName('device'), german.partName('device')], ['Dispositivo', 'Gerät'])
  assert.deepEqual(
    [spanish.partName('fuel'), spanish.partWords('fuel'), german.partWords('fuel')],
    ['Sistema de combustible', 'sistema de combustible', 'Kraftstoffsystem'],
  )
  const english = await wordingOf({ language: undefined, units: 'imperial' })
  assert.equal(english.said('Coolant temperature 100 °C is above 98 °C', 'UTC'), 'Coolant temperature 212 °F is above 208.4 °F')
})
