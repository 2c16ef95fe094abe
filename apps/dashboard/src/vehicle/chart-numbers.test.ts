import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chartValue, tickNumber } from './chart-numbers.ts'

test('numbers of a chart are written in the language of the person', () => {
  assert.deepEqual([tickNumber(1500, 'en'), tickNumber(1500, 'de'), tickNumber(0.125, 'de')], ['1,500', '1.500', '0,125'])
  assert.deepEqual(
    [chartValue('V', 13.456, 'de'), chartValue('rpm', 1850.25, 'de'), chartValue('V', 13.456)],
    ['13,46 V', '1.850,3 rpm', '13.46 V'],
  )
})

test('a chart leaves no number to the language of the browser', () => {
  const source = readFileSync(new URL('signal-chart.tsx', import.meta.url), 'utf8')
  assert.doesNotMatch(source, /toLocaleString/)
})
