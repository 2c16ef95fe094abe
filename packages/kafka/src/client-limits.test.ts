import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { compressionsAlgorithms, Reader, readRecordsBatches } from '@platformatic/kafka'
import { beginAnswer, MAX_INFLATED_BYTES, MAX_RECORDS, measureLz4, measureSnappy } from './client-limits.ts'
import { lz4FrameOfZeros, snappyBlockOfZeros } from './testing-bombs.ts'
import { bytes, int32, record, recordBatch } from './testing-hostile-broker.ts'

type Compression = { compressSync(content: Buffer): Buffer; decompressSync(content: Buffer): Buffer }
const compressions = compressionsAlgorithms as unknown as Readonly<Record<string, Compression>>
const MIB = 1024 * 1024

test('each compression inflates as before, up to the room of one answer, which its batches share', () => {
  for (const name of ['gzip', 'snappy', 'lz4', 'zstd']) {
    const { compressSync, decompressSync } = compressions[name] ?? assert.fail(name)
    const part = Buffer.alloc(MAX_INFLATED_BYTES / 4)
    const small = compressSync(part)
    beginAnswer()
    for (let nth = 0; nth < 4; nth++) assert.ok(decompressSync(small).equals(part), name)
    assert.throws(() => decompressSync(compressSync(Buffer.alloc(1, 1))), /more than 64 MiB/, name)
    beginAnswer()
    assert.ok(decompressSync(small).equals(part), `${name}, of the next answer`)
  }
  beginAnswer()
})

test('what would inflate to too much is not inflated to the end, which in these is broken', () => {
  const zeros = Buffer.alloc(MAX_INFLATED_BYTES + 16 * MIB)
  const lz4 = lz4FrameOfZeros(zeros.length)
  lz4.fill(0xff, 11, 16)
  const broken: Readonly<Record<string, Buffer>> = {
    gzip: gzipSync(zeros).subarray(0, -10),
    zstd: zstdCompressSync(zeros).subarray(0, -10),
    snappy: snappyBlockOfZeros(zeros.length).subarray(0, 100),
    lz4,
  }
  for (const [name, content] of Object.entries(broken)) {
    beginAnswer()
    assert.throws(() => compressions[name]?.decompressSync(content), { name: 'BrokerDataError', message: /more than 64 MiB/ }, name)
  }
  beginAnswer()
})

test('how much snappy and lz4 would make is known without making it', () => {
  const content = Buffer.alloc(3 * MIB, 'telemetry ')
  const { snappy, lz4 } = compressions
  assert.equal(measureSnappy(snappy?.compressSync(content) ?? assert.fail()), content.length)
  const measured = measureLz4(lz4?.compressSync(content) ?? assert.fail())
  assert.ok(measured >= content.length && measured <= content.length + 4 * MIB, String(measured))
  assert.equal(measureSnappy(snappyBlockOfZeros(5 * MIB)), 5 * MIB)
  assert.equal(measureLz4(lz4FrameOfZeros(8 * MIB)), 8 * MIB)
  const block = snappyBlockOfZeros(1_000)
  const xerial = bytes(Buffer.from('82534e4150505900', 'hex'), int32(1), int32(1), int32(block.length), block, int32(block.length), block)
  assert.equal(measureSnappy(xerial), 2_000)
  for (const cut of [xerial.subarray(0, -1), Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(0)])
    assert.throws(() => measureSnappy(cut), /snappy/)
  for (const cut of [lz4FrameOfZeros(100).subarray(0, -4), Buffer.alloc(16), Buffer.from('04224d1860', 'hex')])
    assert.throws(() => measureLz4(cut), /LZ4/)
})

test('the reader of the client only goes forward, and not out of its bytes', () => {
  const over = (text: string) => new Reader(Reader.from(Buffer.from(text, 'hex')).buffer)
  assert.throws(() => over('fffb00000000').readNullableString(false), /leads out/)
  assert.throws(() => over('fffffffb00000000').readNullableBytes(false), /leads out/)
  assert.throws(() => over('0d00000000').readVarIntBytes(), /leads out/)
  assert.throws(() => over('0000').skip(3), /leads out/)
  assert.throws(() => over('0000').skip(-1), /leads out/)
  assert.equal(over('0002abcd').readNullableBytes(true), null)
})

test('one answer holds so many records and no more', () => {
  const one = record('')
  const batchOf = (count: number) => recordBatch(Buffer.alloc(one.length * count, one), { count })
  beginAnswer()
  assert.equal(readRecordsBatches(Reader.from(batchOf(MAX_RECORDS)))[0]?.records.length, MAX_RECORDS)
  assert.throws(() => readRecordsBatches(Reader.from(batchOf(1))), /more than 400000 records/)
  beginAnswer()
})
