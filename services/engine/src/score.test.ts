// Goal: what an answer reports of an input it could not use. Method: decoded and scored without a server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeInput, isUndecodable } from './schema/decode-input.ts'
import { score } from './score.ts'

const receivedAtMs = Date.parse('2026-10-05T08:00:00Z')

function scored(input: object) {
  const decoded = decodeInput({ vehicleId: 'V-1', ...input }, receivedAtMs)
  assert.ok(!isUndecodable(decoded))
  return score(decoded, 0, () => 0)
}

const validationOf = (input: object) => scored(input)._validation

test('fields of the history that cannot be read are named as its own, and are no fields of the input', () => {
  const history = [{ timestamp: 'noon', ect: 'hot', mil_lamp: 3 }, { coolant: 90 }, { coolant: true }]
  assert.deepEqual(validationOf({ coolant: 90, history }), {
    ignored: ['history.coolant', 'history.timestamp', 'history.mil_lamp'],
    reasons: {
      'history.coolant': 'it is not a finite number',
      'history.timestamp': 'it is not an RFC 3339 time with an offset; 1 s before the next reading was assumed',
      'history.mil_lamp': 'it is neither LAMP_ON nor LAMP_OFF',
    },
  })
  assert.equal(validationOf({ coolant: 90, history: [{ coolant: 90 }] }), undefined)
})

test('the order in which a history is sent changes nothing, and its newest 120 readings count', () => {
  const oldestFirst = Array.from({ length: 135 }, (_, index) => ({
    timestamp: new Date(receivedAtMs - (135 - index) * 5000).toISOString(),
    coolant: index < 130 ? 90 : 245,
  }))
  const answer = scored({ coolant: 245, history: oldestFirst })
  assert.equal(answer._schemaMapping?.suggestions?.[0]?.readings, 6, 'by its newest readings its unit is doubted')
  assert.match(answer._validation?.reasons['history'] ?? '', /newest 120 of 135/)
  assert.deepEqual(scored({ coolant: 245, history: oldestFirst.toReversed() }), answer)
})

test('readings of the history that are later than the one that is judged are named as left out', () => {
  const history = [{ timestamp: '2026-10-05T07:59:00Z' }, { timestamp: '2026-10-05T10:00:00+02:00' }, { timestamp: '2026-10-05T09:59:00Z' }]
  assert.deepEqual(validationOf({ history })?.reasons, { history: 'readings later than the one that is judged were left out' })
  assert.equal(validationOf({ history: history.slice(0, 2) }), undefined)
})

test('a value that is sent in another unit than it is judged in is named in both', () => {
  assert.equal(
    validationOf({ oil_pressure: 500 })?.reasons['oil_pressure'],
    'Engine oil pressure 3447.4 kPa was ignored: outside 0 to 1000 kPa (sent as 500 PSI; 0 to 145.04 PSI are taken)',
  )
  assert.equal(validationOf({ coolant: 215 })?.reasons['coolant'], 'Coolant temperature 215 °C was ignored: outside -40 to 150 °C')
})
