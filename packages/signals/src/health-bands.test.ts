import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HealthStatus, healthStatusOf, riskLevelOf } from './health-bands.ts'

test('bands follow the score; a better band is entered only three points inside it', () => {
  const table: [number, HealthStatus | undefined, HealthStatus][] = [
    [70, undefined, 'healthy'],
    [69.9, undefined, 'warning'],
    [40, undefined, 'warning'],
    [39.9, undefined, 'critical'],
    [70, 'healthy', 'healthy'],
    [69.9, 'healthy', 'warning'],
    [72.9, 'warning', 'warning'],
    [73, 'warning', 'healthy'],
    [42.9, 'critical', 'critical'],
    [43, 'critical', 'warning'],
    [72.9, 'critical', 'warning'],
    [100, 'critical', 'healthy'],
    [20, 'healthy', 'critical'],
  ]
  for (const [score, previous, expected] of table) assert.equal(healthStatusOf(score, previous), expected, `${score} after ${previous}`)
})

test('risk levels start at 0.10, 0.35 and 0.65', () => {
  assert.deepEqual([0, 0.0999, 0.1, 0.3499, 0.35, 0.6499, 0.65, 1].map(riskLevelOf), [
    'none',
    'none',
    'low',
    'low',
    'medium',
    'medium',
    'high',
    'high',
  ])
})
