import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../http/problem.ts'
import { endPage, pageRequest } from './keyset.ts'

const rows = [1, 2, 3].map((n) => ({ at: new Date(1_700_000_000_000 + n), id: `row-${n}` }))

test('a page that was cut points behind its last row, and shows that more follows', () => {
  const { items, pagination } = endPage(rows, { list: 'rows', limit: 2 }, (row) => row)
  assert.deepEqual(items, rows.slice(0, 2))
  assert.equal(pagination.hasNextPage, true)
  const next = pageRequest('rows', { limit: 2, after: pagination.endCursor ?? '' })
  assert.deepEqual(next, { list: 'rows', limit: 2, after: { at: rows[1]?.at, id: 'row-2' }, total: undefined })
})

test('a page that holds everything is the last one, and an empty one has no cursor', () => {
  assert.equal(endPage(rows, { list: 'rows', limit: 3 }, (row) => row).pagination.hasNextPage, false)
  assert.deepEqual(
    endPage([], { list: 'rows', limit: 3 }, (row: { at: Date; id: string }) => row),
    { items: [], pagination: { endCursor: null, hasNextPage: false } },
  )
})

test('a cursor can carry what the first page counted', () => {
  const { pagination } = endPage(rows, { list: 'rows', limit: 2 }, (row) => row, 3)
  assert.equal(pageRequest('rows', { after: pagination.endCursor ?? '' }).total, 3)
})

test('without a cursor a list starts at its beginning, in either order', () => {
  assert.deepEqual(pageRequest('rows', {}), { list: 'rows', limit: 100, after: { at: '-infinity', id: '' }, total: undefined })
  assert.deepEqual(pageRequest('rows', { limit: 7 }, 'newest first'), {
    list: 'rows',
    limit: 7,
    after: { at: 'infinity', id: '' },
    total: undefined,
  })
})

test('a cursor of another list is refused: a page of this one would begin anywhere', () => {
  const { pagination } = endPage(rows, { list: 'others', limit: 2 }, (row) => row)
  assert.throws(() => pageRequest('rows', { after: pagination.endCursor ?? '' }), /"after" is not a cursor of this list/)
})

test('anything that is not a cursor of ours is refused as a bad parameter, and never reaches the store', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const bad = ['', 'x', '====', 'a b', encode(null), encode({}), encode(['rows', 1]), encode(['rows', 1, 2])]
  bad.push(encode(['rows', '1', 'a']), encode(['rows', 1.5, 'a']), encode([1, 'a']), encode([1, 'a', 1]), encode([1, 1, 'a']))
  bad.push(...[[-1], ['1'], [0.5], [1, 1]].map((end) => encode(['rows', 1, 'a', ...end])))
  bad.push(
    encode(['rows', 9e15, 'a']),
    // Times of JavaScript: PostgreSQL has none so early.
    encode(['rows', -8.64e15, 'a']),
    encode(['rows', 8.64e15, 'a']),
    encode(['rows', 1, 'nul\u0000']),
    encode(['rows', 1, '\ud800']),
    'A'.repeat(500),
    Buffer.from('["rows",1e999,"a"]').toString('base64url'),
  )
  for (const after of bad) {
    assert.throws(
      () => pageRequest('rows', { after }),
      (error) => error instanceof Problem && error.code === 'invalid_request' && error.details?.['field'] === 'after',
      after,
    )
  }
})
