import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBeside } from './finding.ts'

test('a reading beside its limit never reads the same as the limit', () => {
  assert.equal(formatBeside(102.04, 102, 'above'), '102.1')
  assert.equal(formatBeside(12.96, 13, 'below'), '12.9')
  assert.equal(formatBeside(104.26, 102, 'above'), '104.3')
  assert.equal(formatBeside(14.81, 14.8, 'above'), '14.9')
  assert.equal(formatBeside(102.0001, 102.05, 'below'), '102')
})
