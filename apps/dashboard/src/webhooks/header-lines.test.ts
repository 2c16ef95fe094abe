import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHeaderLines } from './header-lines.ts'

test('lines become headers; a line that is none is named', () => {
  assert.deepEqual(readHeaderLines('X-Key: k7f3\n\n  Authorization:  Basic a:b \n'), {
    headers: { 'X-Key': 'k7f3', Authorization: 'Basic a:b' },
  })
  assert.deepEqual(readHeaderLines(''), { headers: {} })
  assert.deepEqual(readHeaderLines('X-Key: 1\nnonsense'), { badLine: 'nonsense' })
  assert.deepEqual(readHeaderLines('X-Key:'), { badLine: 'X-Key:' })
})
