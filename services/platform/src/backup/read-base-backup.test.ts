import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findGap, isReadToEnd } from './read-base-backup.ts'

const span = { startWal: '0000000100000000000000FE', stopWal: '0000000100000000000000FF' }
const archive = [
  '0000000100000000000000FD',
  '0000000100000000000000FE',
  '0000000100000000000000FE.00000028.backup',
  '0000000100000000000000FF',
]

test('an archive with every segment from the first to the last has no gap, across logs and timelines', () => {
  assert.equal(findGap(archive, span), undefined)
  assert.equal(findGap([...archive, '000000010000000100000000', '00000002.history', '000000020000000100000001'], span), undefined)
})

test('the first segment that is missing is named', () => {
  assert.equal(findGap(archive.slice(0, 1), span), '0000000100000000000000FE')
  assert.equal(findGap(archive.slice(0, 3), span), '0000000100000000000000FF')
  assert.equal(findGap([...archive, '000000010000000100000001'], span), '000000010000000100000000')
})

test('a log that was read to its end reached the last segment, on whatever timeline', () => {
  assert.equal(isReadToEnd(archive, '0000000200000000000000FF'), true)
  assert.equal(isReadToEnd(archive, '000000020000000100000000'), true)
  assert.equal(isReadToEnd(archive, '0000000200000000000000FE'), false)
})
