import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelDrift } from '@roadworthy/contracts/platform-v1/models'
import { driftVerdict } from './drift-words.ts'

const period = (closed: number, falseAlarms: number) => ({ from: '', to: '', closed, falseAlarms })
const drift = (judged: number, unexplained: number, now = period(0, 0), before = period(0, 0)): ModelDrift => ({
  ...{ judged, unusual: unexplained, unexplained, unjudgeable: 0, confidence: 0.8 },
  falseAlarms: [now, before],
})

test('a fleet fits while no more vehicles are unusual than chance makes, and few show nothing', () => {
  assert.equal(driftVerdict(drift(9, 5), 0.01), 'unknown')
  assert.equal(driftVerdict(drift(100, 3), 0.01), 'fits')
  assert.equal(driftVerdict(drift(100, 4), 0.01), 'drifts')
  assert.equal(driftVerdict(drift(1_000, 19), 0.01), 'fits')
  assert.equal(driftVerdict(drift(1_000, 20), 0.01), 'drifts')
})

test('false alarms that become more are drift, of enough that people closed', () => {
  assert.equal(driftVerdict(drift(50, 0, period(10, 4), period(10, 2)), 0.01), 'drifts')
  assert.equal(driftVerdict(drift(50, 0, period(10, 4), period(10, 3)), 0.01), 'fits')
  assert.equal(driftVerdict(drift(50, 0, period(9, 9), period(10, 0)), 0.01), 'fits')
  assert.equal(driftVerdict(drift(50, 0, period(20, 3), period(20, 0)), 0.01), 'fits')
})
