// Goal: what the service says reaches a person in their words, and nothing is loaded or changed that need not be.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setRecogniser, withSaid } from './said.ts'

const german = new Map([
  ['Fuel is low', 'Kraftstoff ist knapp'],
  ['Refuel soon', 'Bald tanken'],
])
after(() => setRecogniser(undefined))

test('only the fields that hold what the service says change, and only where the person needs it', async () => {
  const answer = {
    id: 'Refuel soon',
    incidents: [{ title: 'Fuel is low', severity: 'low', insights: ['Refuel soon'], count: 3 }],
    none: null,
  }
  assert.equal(await withSaid(answer), answer)
  setRecogniser(async () => (text) => german.get(text) ?? text)
  assert.deepEqual(await withSaid(answer), {
    ...answer,
    incidents: [{ title: 'Kraftstoff ist knapp', severity: 'low', insights: ['Bald tanken'], count: 3 }],
  })
})

test('phrases are loaded when an answer says something, and without them it is shown as it came', async (t) => {
  let loads = 0
  setRecogniser(async () => {
    loads++
    throw new Error('offline')
  })
  t.mock.method(console, 'warn', () => {})
  const silent = { id: 'Refuel soon', incidents: [{ title: '', insights: [], note: null }] }
  assert.equal(await withSaid(silent), silent)
  assert.equal(loads, 0)
  const answer = { incidents: [{ title: 'Fuel is low' }] }
  assert.equal(await withSaid(answer), answer)
  assert.equal(loads, 1)
})

test('what fault codes stand for is asked for only where an answer names one', async () => {
  const wanted: boolean[] = []
  setRecogniser(async ({ codes }) => {
    wanted.push(codes)
    return (text) => text
  })
  const title = 'Fuel is low'
  await withSaid({
    incidents: [{ title, vehicleId: 'P030' }, { title: 'Fault code SPN 100 FMI 1 (engine oil pressure: voltage above normal)' }],
  })
  await withSaid({ title, codes: [{ code: 'P0301' }] })
  await withSaid({ title: 'Fault code: misfire in cylinder 1' })
  await withSaid({ title: 'Have C0035-64 (wheel speed sensor: fault) diagnosed' })
  assert.deepEqual(wanted, [false, true, true, true])
})
