import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makersOf } from './api-key-makers.ts'

test('a key has its maker, also where it replaced another', () => {
  const anna = { id: 'usr-1', name: 'anna@example.com' }
  const makers = makersOf([
    { objectId: 'key-1', changes: { name: { to: 'Gateway' } }, actor: anna },
    { objectId: 'key-1', changes: { replacedBy: { to: 'key-2' } }, actor: { id: 'key-9', name: null } },
  ])
  assert.deepEqual(
    [...makers],
    [
      ['key-1', 'anna@example.com'],
      ['key-2', 'key-9'],
    ],
  )
})
