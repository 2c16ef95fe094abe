import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandsOf, listedMetrics, wordsOf } from './metric-words.ts'

const metrics = { own_figure: 0.12345, coolantTempC_coverage90: 0.884, coolantTempC_stretches: 464, measured_engine_hours: 19.05 }

test('bands are shown with what they promise, and not once more in the list', () => {
  assert.deepEqual(bandsOf(metrics), [{ signal: 'coolantTempC', measured: 0.884, promised: 0.9 }])
  assert.deepEqual(listedMetrics(metrics), [
    ['measured_engine_hours', 19.05],
    ['own_figure', 0.12345],
  ])
})

test('a figure that has no words goes by its name', () => {
  assert.equal(wordsOf('measured_engine_hours').write(19.05), '19.1 h')
  const { label, text, write } = wordsOf('own_figure')
  assert.deepEqual([label, text, write(0.12345)], ['own_figure', '', '0.1235'])
  assert.equal(wordsOf('constructor').label, 'constructor')
})
