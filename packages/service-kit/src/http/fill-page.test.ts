import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Position } from '../postgres/keyset.ts'
import { fillPage } from './fill-page.ts'

const ROWS = Array.from({ length: 30_000 }, (_, nth) => ({ nth, id: `row-${nth}` }))
const FIRST: Position = { at: '-infinity', id: '' }

function listOf(isShown: (nth: number) => boolean) {
  const parts: number[] = []
  const read = (limit: number, after: Position = FIRST) =>
    fillPage(
      { limit, after },
      {
        selectNext: async (from, count) => {
          parts.push(count)
          const start = from.at instanceof Date ? from.at.getTime() + 1 : 0
          return ROWS.slice(start, start + count)
        },
        positionOf: ({ nth, id }) => ({ at: new Date(nth), id }),
        selectShown: async (rows) => rows.filter(({ nth }) => isShown(nth)).map(({ id }) => id),
      },
    )
  return { parts, read }
}

test('a page whose rows are all shown takes one part', async () => {
  const { parts, read } = listOf(() => true)
  assert.deepEqual(await read(2), ['row-0', 'row-1', 'row-2'])
  assert.deepEqual(parts, [4], 'one more than is shown, to know whether another follows, and a tenth')
})

test('a page of which a few are left out takes one part all the same', async () => {
  const { parts, read } = listOf((nth) => nth % 20 !== 7)
  assert.equal((await read(100)).length, 101)
  assert.equal(parts.length, 1)
})

test('a page goes on after what is left out until it is full, and no further', async () => {
  const { parts, read } = listOf((nth) => nth % 3 === 2)
  assert.deepEqual(await read(2, { at: new Date(1), id: 'row-1' }), ['row-2', 'row-5', 'row-8'])
  assert.ok(parts.reduce((sum, count) => sum + count) < 50, String(parts))
})

test('of many rows of which few are shown all are looked at, in few parts of a bounded size', async () => {
  const { parts, read } = listOf((nth) => nth === 29_999)
  assert.deepEqual(await read(10), ['row-29999'])
  assert.ok(parts.length < 12 && Math.max(...parts) <= 10_000, String(parts))
})

test('the page at the end of the list, and after it, has what there is', async () => {
  const { read } = listOf(() => true)
  assert.deepEqual(await read(10, { at: new Date(29_998), id: 'row-29998' }), ['row-29999'])
  assert.deepEqual(await read(10, { at: new Date(29_999), id: 'row-29999' }), [])
})
