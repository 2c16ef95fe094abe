import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CopyRows } from './copy-rows.ts'
import { textArray } from './pg-arrays.ts'
import { byteaCodec, float8Codec, jsonbCodec, textCodec, timestamptzCodec } from './pg-binary.ts'

test('what was put is read back, nulls and other alphabets included, whatever the room reserved', () => {
  const rows = new CopyRows([textCodec, timestamptzCodec, float8Codec, byteaCodec, jsonbCodec], 0)
  const put = [
    ['a', Date.UTC(1969, 6, 20), 1e-320, '00ff10', '{"a":1}'],
    [undefined, Date.UTC(1999, 11, 31), -0.5, '', null],
    ['späte Größe 車', Date.UTC(2000, 0, 1), 1.7976931348623157e308, 'aa'.repeat(16), '{"größe":"🚚"}'],
    ['', Date.UTC(2026, 10, 20, 21, 44, 31, 123), undefined, 'ff', '[]'],
    ['a', Date.UTC(2284, 0, 1), 0, '00', 'null'],
  ] as const
  for (const [text, timeMs, number, hex, json] of put) {
    rows.begin()
    rows.putText(text)
    rows.putTimestamptz(timeMs)
    rows.putFloat8(number)
    rows.putBytea(hex)
    rows.putJsonb(json)
  }
  assert.equal(rows.count, put.length)
  assert.deepEqual(
    put.map((_, row) => [
      rows.valueAt(row, 0, textCodec),
      rows.valueAt(row, 1, timestamptzCodec),
      rows.valueAt(row, 2, float8Codec),
      rows.valueAt(row, 3, byteaCodec),
      rows.valueAt(row, 4, jsonbCodec),
    ]),
    put.map((values) => values.map((value) => value ?? undefined)),
  )
  assert.throws(() => rows.valueAt(5, 0, textCodec), RangeError)
})

function textRows(values: readonly (readonly (string | undefined)[])[]): CopyRows {
  const rows = new CopyRows(
    (values[0] ?? []).map(() => textCodec),
    0,
  )
  for (const row of values) {
    rows.begin()
    for (const value of row) rows.putText(value)
  }
  return rows
}

test('COPY gets its signature, each row with the number of its fields, and its end', () => {
  const bytes = Buffer.concat(
    textRows([
      ['bb', undefined],
      ['', 'c'],
    ]).toCopy([0, 1]),
  )
  assert.equal(
    bytes.toString('latin1'),
    ['PGCOPY\n\xff\r\n\0', '\0'.repeat(8), '\0\x02\0\0\0\x02bb\xff\xff\xff\xff', '\0\x02\0\0\0\0\0\0\0\x01c', '\xff\xff'].join(''),
  )
})

test('rows are copied in the order that is asked for, also when some are left out', () => {
  const bytes = Buffer.concat(textRows([['first'], ['second'], ['third']]).toCopy([2, 0]))
  assert.deepEqual(bytes.toString('latin1').match(/first|second|third/g), ['third', 'first'])
})

test('what stands between two places is put again, after the memory grew too', () => {
  const rows = new CopyRows([textCodec, textCodec, textCodec], 0)
  rows.begin()
  const from = rows.end
  rows.putText('same')
  rows.putText(undefined)
  const to = rows.end
  rows.putText('one')
  rows.begin()
  rows.putAgain(from, to)
  rows.putText('other')
  assert.deepEqual(
    [0, 1, 2].map((column) => rows.valueAt(1, column, textCodec)),
    ['same', undefined, 'other'],
  )
})

test('the arrays of its columns are those of their values; emptied, it is filled anew', () => {
  const rows = textRows([['old', 'old']])
  rows.clear()
  assert.equal(rows.count, 0)
  for (const [one, other] of [
    ['a', undefined],
    ['bcd', 'e'],
  ] as const) {
    rows.begin()
    rows.putText(one)
    rows.putText(other)
  }
  assert.deepEqual(rows.toArrays(), [textArray(['a', 'bcd']), textArray([undefined, 'e'])])
})

test('an array is what array_recv reads: dimensions, whether there are nulls, element type, length, lower bound, elements', () => {
  const bytes = textArray(['bb', null, 'ccc'])
  assert.deepEqual(
    [0, 4, 8, 12, 16].map((at) => bytes.readInt32BE(at)),
    [1, 1, 25, 3, 1],
  )
  assert.equal(bytes.toString('latin1', 20), '\0\0\0\x02bb\xff\xff\xff\xff\0\0\0\x03ccc')
})
