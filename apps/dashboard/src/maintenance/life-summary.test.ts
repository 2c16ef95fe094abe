import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryOf } from './life-summary.ts'

const life = (age: number, failed: boolean) => ({ age, failed })

test('without censored lives the median is the age at which half have failed', () => {
  assert.equal(summaryOf([10, 20, 30, 40].map((age) => life(age, true))).medianLife, 20)
})

test('parts that have not failed push the median up, and where too many have not it is not known', () => {
  // Remission times of Freireich et al. (1963), group 6-MP, the example of the textbooks: median 23 weeks.
  const times = [6, 6, 6, 7, 10, 13, 16, 22, 23]
  const censored = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
  const summary = summaryOf([...times.map((age) => life(age, true)), ...censored.map((age) => life(age, false))])
  assert.deepEqual(summary, { failedCount: 9, censoredCount: 12, medianLife: 23, longest: 35 })
  assert.equal(summaryOf([life(10, true), life(50, false), life(60, false)]).medianLife, undefined)
  assert.equal(summaryOf([]).medianLife, undefined)
})
