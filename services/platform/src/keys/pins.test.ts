import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from './caller.ts'
import { subClientForWrite } from './pins.ts'

const caller = (subClientPin: string | undefined): Caller => ({ resellerId: 'acme', keyId: 'key-1', scopes: new Set(['*']), subClientPin })
const free = caller(undefined)
const pinned = caller('sub')

test('what a pinned caller makes belongs to its own sub-client, and can belong to no other', () => {
  assert.equal(subClientForWrite(free, undefined), undefined)
  assert.equal(subClientForWrite(free, 'other'), 'other')
  assert.equal(subClientForWrite(pinned, undefined), 'sub')
  assert.equal(subClientForWrite(pinned, null), 'sub')
  assert.throws(() => subClientForWrite(pinned, 'other'), { code: 'not_found' })
})
