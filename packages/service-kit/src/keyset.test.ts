import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endPage, pageRequest } from './keyset.ts'
import { Problem } from './problem.ts'

const rows = [1, 2, 3].map((n) => ({ at: new Date(1_700_000_000_000 + n), id: `row-${n}` }))

test('a page that was cut points behind its last row, and shows that more follows', () => {
  const { items, pagination } = endPage(rows, 2, (row) => row)
  assert.deepEqual(items, rows.slice(0, 2))
  assert.equal(pagination.hasNextPage, true)
  const next = pageRequest({ limit: 2, after: pagination.endCursor ?? '' })
  assert.deepEqual(next, { limit: 2, after: { at: rows[1]?.at, id: 'row-2' }, total: undefined })
})

test('a page that holds everything is the last one, and an empty one has no cursor', () => {
  assert.equal(endPage(rows, 3, (row) => row).pagination.hasNextPage, false)
  assert.deepEqual(
    endPage([], 3, (row: { at: Date; id: string }) => row),
    { items: [], pagination: { endCursor: null, hasNextPage: false } },
  )
})

test('a cursor can carry what the first page counted', () => {
  const { pagination } = endPage(rows, 2, (row) => row, 3)
  assert.equal(pageRequest({ after: pagination.endCursor ?? '' }).total, 3)
})

test('without a cursor a list starts at its beginning, in either order', () => {
  assert.deepEqual(pageRequest({}), { limit: 100, after: { at: '-infinity', id: '' }, total: undefined })
  assert.deepEqual(pageRequest({ limit: 7 }, 'newest first'), { limit: 7, after: { at: 'infinity', id: '' }, total: undefined })
})

test('anything that is not a cursor of ours is refused as a bad parameter, and never reaches the store', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const bad = ['', 'x', '====', 'a b', encode(null), encode({}), encode([1]), encode([1, 2]), encode(['1', 'a']), encode([1.5, 'a'])]
  bad.push(encode([1, 'a', -1]), encode([1, 'a', '1']), encode([1, 'a', 0.5]), encode([1, 'a', 1, 1]))
  bad.push(
    encode([9e15, 'a']),
    // Times of JavaScript: PostgreSQL has none so early.
    encode([-8.64e15, 'a']),
    encode([8.64e15, 'a']),
    encode([1, 'nul\u0000']),
    encode([1, '\ud800']),
    'A'.repeat(500),
    Buffer.from('[1e999,"a"]').toString('base64url'),
  )
  for (const after of bad) {
    assert.throws(
      () => pageRequest({ after }),
      (error) => error instanceof Problem && error.code === 'invalid_request' && error.details?.['field'] === 'after',
      after,
    )
  }
})
