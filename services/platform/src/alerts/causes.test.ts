import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineAlert, EnginePrediction } from '../predictions/engine/engine-answer.ts'
import type { Alert } from './alert.ts'
import { reportedCauses } from './causes.ts'

const alert = (type: string, incident?: string, component = 'cooling'): EngineAlert => {
  const words = { description: type, message: type, urgency: 'soon' }
  return { type, component, severity: 'high', ...words, ...(incident === undefined ? {} : { incident }) }
}
type Incidents = NonNullable<EnginePrediction['incidents']>
const incident = (cause: string, component = 'cooling'): Incidents[number] => ({ cause, component, title: cause, recommendation: '' })
const causeOf = (alerts: EngineAlert[], incidents: Incidents | undefined) =>
  alerts.map((each) => reportedCauses({ alerts, incidents }).causeOf(each as unknown as Alert))

test('an alert has the cause that the engine names and explains; any other is grouped by its component', () => {
  assert.deepEqual(causeOf([alert('hot', 'cooling/hot'), alert('lamp', 'unsaid', 'engine'), alert('thin')], [incident('cooling/hot')]), [
    'cooling/hot',
    'engine',
    'cooling',
  ])
  assert.deepEqual(causeOf([alert('hot', 'cooling/hot')], undefined), ['cooling'])
})

test('what an alert is not reported with in this score has no cause from it', () => {
  assert.equal(reportedCauses({ alerts: [], incidents: [] }).causeOf(alert('hot') as unknown as Alert), undefined)
})

test('an engine that names too many causes, or too long ones, is taken no further than can be kept', () => {
  const many = Array.from({ length: 100 }, (_, nth) => incident(`cause-${nth}`))
  assert.deepEqual(causeOf([alert('a', 'cause-63'), alert('b', 'cause-64')], many), ['cause-63', 'cooling'])
  const long = 'x'.repeat(101)
  assert.deepEqual(causeOf([alert('a', long), alert('b', 'nul\u0000')], [incident(long), incident('nul\u0000')]), ['cooling', 'cooling'])
  assert.deepEqual(causeOf([alert('a', 'b')], [incident('b', long)]), ['cooling'])
  assert.equal(causeOf([alert('a', undefined, `${'x'.repeat(99)}😀`)], [])[0]?.isWellFormed(), true)
})
