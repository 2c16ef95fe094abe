import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aloneAmong, chartSeries } from './chart-series.ts'

const bucket = (seconds: number, avg?: number) => ({
  start: new Date(seconds * 1000).toISOString(),
  signals: avg === undefined ? {} : { coolant: { min: avg - 1, avg, max: avg + 1, count: 3 } },
})

test('buckets without the signal are left out and short ones joined', () => {
  assert.deepEqual(chartSeries([bucket(0, 80), bucket(30), bucket(60, 82)], 'coolantTempC', 30), {
    timesS: [0, 60],
    means: [80, 82],
    lows: [79, 81],
    highs: [81, 83],
  })
})

test('a silence breaks the line', () => {
  const { timesS, means } = chartSeries([bucket(0, 80), bucket(3600, 20)], 'coolantTempC', 30)
  assert.deepEqual(timesS, [0, 30, 3600])
  assert.deepEqual(means, [80, null, 20])
})

test('a value without another one beside it stands alone, at either end too', () => {
  assert.deepEqual(aloneAmong([80, null, 81, 82, null, 83]), [0, 5])
  assert.deepEqual(aloneAmong([80]), [0])
  assert.deepEqual(aloneAmong([null, 0, null]), [1])
  assert.deepEqual(aloneAmong([80, 81]), [])
  assert.deepEqual(aloneAmong([]), [])
})
