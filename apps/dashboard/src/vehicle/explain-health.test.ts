import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import type { HealthPoint } from '@roadworthy/contracts/platform-v1/vehicles'
import { confidenceWord, healthBesideParts, healthSteps, whyNotPredicted } from './explain-health.ts'

test('a whole that is worse, or much better, than its weakest part is explained, by what people see', () => {
  assert.match(healthBesideParts({ healthScore: 0, components: { lubrication: 12, engine: 20 } }) ?? '', /Lubrication, 12.*adds up/)
  assert.match(healthBesideParts({ healthScore: 80, components: { body: 60 } }) ?? '', /counts less/)
  assert.equal(healthBesideParts({ healthScore: 11.6, components: { lubrication: 12.4 } }), undefined, 'both are shown as 12')
  assert.equal(healthBesideParts({ healthScore: 50, components: {} }), undefined)
})

test('what is not predicted is shown with the reason', () => {
  const alert = (component: string, evidence: object) => ({ component, evidence }) as unknown as Alert
  const health = { healthScore: 12, components: { lubrication: 12, body: 100 }, scoredAt: '2026-01-01T00:00:00Z' }
  assert.match(whyNotPredicted('lubrication', { ...health, alerts: [alert('lubrication', { lamp: 'red_stop_lamp' })] }), /lamp is lit/)
  assert.match(whyNotPredicted('lubrication', { ...health, alerts: [alert('lubrication', {})] }), /something was found/)
  assert.match(whyNotPredicted('body', { ...health, alerts: [] }), /wear out/)
  assert.match(whyNotPredicted('body', { ...health, alerts: [], scoredAt: null }), /too little/)
})

test('confidence is a word', () => {
  assert.deepEqual(
    [0.94, 0.5, 0.1].map((confidence) => confidenceWord({ confidence })),
    ['well known', 'roughly known', 'mostly assumed'],
  )
})

test('notable steps are listed newest first, with the parts that moved most', () => {
  const point = (hour: number, healthScore: number, components: HealthPoint['components']): HealthPoint => ({
    scoredAt: `2026-01-01T0${hour}:00:00Z`,
    healthScore,
    healthStatus: 'healthy',
    components,
  })
  const points = [
    point(1, 90, { engine: 90, brakes: 95 }),
    point(2, 89, { engine: 89 }),
    point(3, 75, { engine: 75, brakes: 94 }),
    point(4, 90, null),
  ]
  assert.deepEqual(
    healthSteps(points).map(({ from, to, parts }) => [from, to, parts.map(({ component }) => component)]),
    [
      [75, 90, []],
      [89, 75, ['engine', 'brakes']],
    ],
  )
})
