import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { RowsDigest } from './rows-digest.ts'

async function digestOf(...chunks: string[]): Promise<[number, string]> {
  const rows = new RowsDigest()
  let passed = ''
  const keep = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      passed += chunk.toString()
      done()
    },
  })
  await pipeline(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), rows, keep)
  assert.equal(passed, chunks.join(''))
  return [rows.rowCount, rows.digest]
}

test('the same rows have the same digest, in any order and however they are cut', async () => {
  const whole = await digestOf('1\ta\n2\tb\n3\tc\n')
  assert.equal(whole[0], 3)
  assert.deepEqual(await digestOf('3\tc\n1\ta\n2\tb\n'), whole)
  assert.deepEqual(await digestOf('1', '\ta', '\n2\tb\n3\tc', '\n'), whole)
})

test('another row, one twice and one less have another digest; two equal rows do not cancel out', async () => {
  const digests = await Promise.all([
    digestOf('1\n2\n'),
    digestOf('1\n3\n'),
    digestOf('1\n'),
    digestOf('1\n2\n2\n'),
    digestOf('1\n2\n2\n2\n'),
    digestOf(),
  ])
  assert.equal(new Set(digests.map(([, digest]) => digest)).size, digests.length)
  assert.equal(digests.at(-1)?.[1], '0'.repeat(64))
})

test('what ends within a row is an error', async () => {
  await assert.rejects(digestOf('1\n2'), /no end/)
})
