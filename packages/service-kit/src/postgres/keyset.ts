// Paging by key: a page starts after the last row of the page before, so rows added meanwhile neither repeat nor hide another. Lists
// are ordered by (time, id). A cursor carries milliseconds, so the time column must too: `timestamptz(3)`, or always written from a Date.
// It names its list: at a place of another list a page would begin anywhere, and look like an answer.

import { Problem } from '../http/problem.ts'
import { isRfc3339Ms } from '../time/rfc3339.ts'

const DEFAULT_PAGE_LIMIT = 100

/** A place between two rows. Pass both to SQL: `and (created_at, id) > ($n::timestamptz, $m) order by created_at, id limit $limit + 1`. */
export type Position = { readonly at: Date | '-infinity' | 'infinity'; readonly id: string }

export type PageRequest = {
  readonly list: string
  readonly limit: number
  readonly after: Position
  /** What the first page counted, where its cursor carried it: for lists whose count costs more than a page. */
  readonly total?: number | undefined
}

/** Matches the `pagination` object of every list (Spec gap §4.2). */
export type PageEnd = { endCursor: string | null; hasNextPage: boolean }

/** What the query parameters `limit` and `after` ask of a list: `devices`, for one. Newest first compares with `<` and descends. */
export function pageRequest(
  list: string,
  query: { limit?: number | undefined; after?: string | undefined },
  order: 'oldest first' | 'newest first' = 'oldest first',
): PageRequest {
  const limit = query.limit ?? DEFAULT_PAGE_LIMIT
  if (query.after === undefined) {
    return { list, limit, after: { at: order === 'oldest first' ? '-infinity' : 'infinity', id: '' }, total: undefined }
  }
  const cursor = readCursor(query.after)
  if (cursor === undefined) throw badCursor('"after" is not a cursor of this service; use the endCursor of the page before.')
  if (cursor.list !== list) throw badCursor('"after" is not a cursor of this list; use the endCursor of the page before.')
  return { limit, ...cursor }
}

function badCursor(message: string): Problem {
  return new Problem('invalid_request', message, { details: { in: 'querystring', field: 'after' } })
}

/** Cuts rows selected with `limit + 1` to the page, and returns where it ends. With a `total`, the pages that follow need not count again. */
export function endPage<T>(
  rows: readonly T[],
  { list, limit }: { readonly list: string; readonly limit: number },
  positionOf: (row: T) => { at: Date; id: string },
  total?: number,
): { items: T[]; pagination: PageEnd } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    pagination: { endCursor: last === undefined ? null : writeCursor(list, positionOf(last), total), hasNextPage: rows.length > limit },
  }
}

const MAX_CURSOR_LENGTH = 400

function writeCursor(list: string, { at, id }: { at: Date; id: string }, total: number | undefined): string {
  const parts = total === undefined ? [list, at.getTime(), id] : [list, at.getTime(), id, total]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

function readCursor(cursor: string): { list: string; after: Position; total: number | undefined } | undefined {
  if (cursor.length > MAX_CURSOR_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (!Array.isArray(decoded) || decoded.length < 3 || decoded.length > 4) return undefined
  const [list, atMs, id, total] = decoded as unknown[]
  if (typeof list !== 'string') return undefined
  if (typeof atMs !== 'number' || !Number.isInteger(atMs) || !isRfc3339Ms(atMs)) return undefined
  if (typeof id !== 'string' || id.includes('\u0000') || !id.isWellFormed()) return undefined
  const after = { at: new Date(atMs), id }
  if (total === undefined) return { list, after, total: undefined }
  return Number.isSafeInteger(total) && Number(total) >= 0 ? { list, after, total: Number(total) } : undefined
}
