import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/problem'
import type { Caller } from './caller.ts'
import { canAccessSubClient, requireSubClientAccess, subClientFilter, subClientForWrite } from './pins.ts'

const caller = (subClientPin: string | undefined): Caller => ({ resellerId: 'acme', keyId: 'key-1', scopes: new Set(['*']), subClientPin })
const free = caller(undefined)
const pinned = caller('sub')

test('a pinned caller reaches its own sub-client only, an unpinned one all of them', () => {
  for (const subClientId of ['sub', 'other', null, undefined]) {
    assert.equal(canAccessSubClient(free, subClientId), true)
    assert.equal(canAccessSubClient(pinned, subClientId), subClientId === 'sub')
  }
})

test('what it cannot reach is refused in the words of the unknown thing', () => {
  const unknown = new Problem('device_not_found', 'No device has this id.')
  assert.throws(() => requireSubClientAccess(pinned, 'other', unknown), unknown)
  requireSubClientAccess(pinned, 'sub', unknown)
})

test('its lists are about its own sub-client, and empty for another', () => {
  assert.deepEqual(subClientFilter(free, 'other'), { subClientId: 'other', nothing: false })
  assert.deepEqual(subClientFilter(pinned, undefined), { subClientId: 'sub', nothing: false })
  assert.deepEqual(subClientFilter(pinned, 'sub'), { subClientId: 'sub', nothing: false })
  assert.deepEqual(subClientFilter(pinned, 'other'), { subClientId: 'sub', nothing: true })
})

test('what it makes belongs to its own sub-client, and can belong to no other', () => {
  assert.equal(subClientForWrite(free, undefined), undefined)
  assert.equal(subClientForWrite(free, 'other'), 'other')
  assert.equal(subClientForWrite(pinned, undefined), 'sub')
  assert.equal(subClientForWrite(pinned, null), 'sub')
  assert.throws(() => subClientForWrite(pinned, 'other'), { code: 'not_found' })
})
