import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealer } from './sealed.ts'

const sealer = createSealer('a secret', 'test')

test('what is sealed can be opened again and does not show the text', () => {
  const sealed = sealer.seal('mqtt_password: ü', 'row 1')
  assert.equal(sealer.open(sealed, 'row 1'), 'mqtt_password: ü')
  assert.equal(sealed.includes('password'), false)
  assert.notDeepEqual(sealed, sealer.seal('mqtt_password: ü', 'row 1'))
})

test('it does not open in another place, under another key or purpose, or when a byte was changed', () => {
  const sealed = sealer.seal('text', 'row 1')
  assert.throws(() => sealer.open(sealed, 'row 2'))
  assert.throws(() => createSealer('another secret', 'test').open(sealed, 'row 1'))
  assert.throws(() => createSealer('a secret', 'another purpose').open(sealed, 'row 1'))
  for (let i = 0; i < sealed.length; i++) {
    const altered = Buffer.from(sealed)
    altered[i] = (altered[i] ?? 0) ^ 1
    assert.throws(() => sealer.open(altered, 'row 1'), `byte ${i}`)
  }
  assert.throws(() => sealer.open(Buffer.of(1, 2, 3), 'row 1'), /not a sealed text/)
})
