import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteaColumn, float8Column, jsonbColumn, textColumn, timestamptzColumn } from './pg-arrays.ts'

test('what was added is read back, repeated values and nulls included, whatever the room reserved', () => {
  const texts = textColumn()
  for (const value of ['a', 'a', null, undefined, 'a', 'späte Größe', '']) texts.add(value)
  assert.deepEqual(
    Array.from({ length: texts.count }, (_, i) => texts.valueAt(i)),
    ['a', 'a', undefined, undefined, 'a', 'späte Größe', ''],
  )
  assert.throws(() => texts.valueAt(7), RangeError)

  const times = timestamptzColumn()
  const instants = [
    Date.UTC(1969, 6, 20),
    Date.UTC(1999, 11, 31),
    Date.UTC(2000, 0, 1),
    Date.UTC(2026, 10, 20, 21, 44, 31, 123),
    Date.UTC(2284, 0, 1),
  ]
  for (const instant of instants) times.add(instant)
  assert.deepEqual(
    instants.map((_, i) => times.valueAt(i)),
    instants,
  )

  const numbers = float8Column(1)
  for (const value of [1e-320, -0.5, 1.7976931348623157e308]) numbers.add(value)
  assert.deepEqual([numbers.valueAt(0), numbers.valueAt(1), numbers.valueAt(2)], [1e-320, -0.5, 1.7976931348623157e308])

  const digests = byteaColumn(1)
  digests.add('00ff10')
  assert.equal(digests.valueAt(0), '00ff10')

  const documents = jsonbColumn(1)
  documents.add('{"a":1}')
  assert.equal(documents.valueAt(0), '{"a":1}')
})

test('an array is what array_recv reads: dimensions, whether there are nulls, element type, length, lower bound, elements', () => {
  const column = textColumn()
  for (const value of ['bb', null, 'ccc']) column.add(value)
  const bytes = column.toParameter()
  assert.deepEqual(
    [0, 4, 8, 12, 16].map((at) => bytes.readInt32BE(at)),
    [1, 1, 25, 3, 1],
  )
  assert.equal(bytes.toString('latin1', 20), '\0\0\0\x02bb\xff\xff\xff\xff\0\0\0\x03ccc')
})
