import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from './changes-of.ts'

test('only what differs from what is stored is sent', () => {
  const stored = { margin: '12', city: 'Pune', taxes: [{ id: 'igst' }] }
  assert.deepEqual(changesOf({ ...stored, taxes: [{ id: 'igst' }] }, stored), {})
  assert.deepEqual(changesOf({ ...stored, margin: '15', taxes: [] }, stored), { margin: '15', taxes: [] })
  assert.deepEqual(changesOf<{ name: string | null }>({ name: null }, { name: 'Acme' }), { name: null })
})
