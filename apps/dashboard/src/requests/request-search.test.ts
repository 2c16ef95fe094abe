import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequestSearch, requestFilter } from './request-search.ts'

test('what the API would refuse is not asked for', () => {
  assert.deepEqual(readRequestSearch({ keyId: 'key-1', status: 'refused', find: ' /api/v1 ', page: 2 }), {
    ...{ keyId: 'key-1', status: 'refused', find: '/api/v1' },
  })
  assert.deepEqual(readRequestSearch({ keyId: '', status: '999', find: 'ü' }), {})
  // The router takes digits for a number.
  assert.deepEqual(readRequestSearch({ find: 42 }), { find: '42' })
})

test('a path is distinguished from the id of a request', () => {
  assert.deepEqual(requestFilter({ find: '/api/external', keyId: 'key-1' }), { path: '/api/external', keyId: 'key-1' })
  assert.deepEqual(requestFilter({ find: 'b5a1c9e2-6f0e', status: '4xx' }), { requestId: 'b5a1c9e2-6f0e', status: '4xx' })
  assert.deepEqual(requestFilter({}), {})
})
