import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeKey, wordsByCode } from './fault-codes.ts'

test('a code is one code however it is spelled', () => {
  assert.deepEqual(['p0217', 'P0217', ' P0217 B1', 'P0217-64', 'P021764'].map(codeKey), ['P0217', 'P0217', 'P0217', 'P0217-64', 'P0217-64'])
  assert.deepEqual(['SPN 110 FMI 0', 'spn:110,fmi:0', '110/0'].map(codeKey), Array(3).fill('SPN 110 FMI 0'))
  assert.equal(codeKey('flat tyre'), 'FLAT TYRE')
})

test('the newest judgement counts, and has for the gravest code what it means for driving on', () => {
  const judged = (title: string) => ({
    codes: ['P0217', 'P0301'],
    titles: [title, 'Misfire'],
    drivingOn: 'Stop',
    component: 'cooling',
    severity: 'critical' as const,
    incidentId: 'inc-1',
  })
  const words = wordsByCode([judged('new'), judged('old')])
  assert.deepEqual([words.get('P0217')?.title, words.get('P0217')?.drivingOn], ['new', 'Stop'])
  assert.deepEqual([words.get('P0301')?.title, words.get('P0301')?.drivingOn], ['Misfire', undefined])
})
