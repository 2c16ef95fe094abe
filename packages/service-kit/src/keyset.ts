// Paging by key: a page starts after the last row of the page before, so rows added meanwhile neither repeat nor hide another. Lists
// are ordered by (time, id). A cursor carries milliseconds, so the time column must too: `timestamptz(3)`, or always written from a Date.

import { Problem } from './problem.ts'
import { isRfc3339Ms } from './rfc3339.ts'

const DEFAULT_PAGE_LIMIT = 100

/** A place between two rows. Pass both to SQL: `and (created_at, id) > ($n::timestamptz, $m) order by created_at, id limit $limit + 1`. */
export type Position = { readonly at: Date | '-infinity' | 'infinity'; readonly id: string }

export type PageRequest = {
  readonly limit: number
  readonly after: Position
  /** What the first page counted, where its cursor carried it: for lists whose count costs more than a page. */
  readonly total?: number | undefined
}

/** Matches the `pagination` object of every list (Spec gap §4.2). */
export type PageEnd = { endCursor: string | null; hasNextPage: boolean }

/** What the query parameters `limit` and `after` ask for. Newest first compares with `<` and descends. */
export function pageRequest(
  query: { limit?: number | undefined; after?: string | undefined },
  order: 'oldest first' | 'newest first' = 'oldest first',
): PageRequest {
  const limit = query.limit ?? DEFAULT_PAGE_LIMIT
  if (query.after === undefined) {
    return { limit, after: { at: order === 'oldest first' ? '-infinity' : 'infinity', id: '' }, total: undefined }
  }
  const cursor = readCursor(query.after)
  if (cursor === undefined) {
    throw new Problem('invalid_request', '"after" is not a cursor of this service; use the endCursor of the page before.', {
      details: { in: 'querystring', field: 'after' },
    })
  }
  return { limit, ...cursor }
}

/** Cuts rows selected with `limit + 1` to the page, and returns where it ends. With a `total`, the pages that follow need not count again. */
export function endPage<T>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => { at: Date; id: string },
  total?: number,
): { items: T[]; pagination: PageEnd } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    pagination: { endCursor: last === undefined ? null : writeCursor(positionOf(last), total), hasNextPage: rows.length > limit },
  }
}

const MAX_CURSOR_LENGTH = 400

function writeCursor({ at, id }: { at: Date; id: string }, total: number | undefined): string {
  const parts = total === undefined ? [at.getTime(), id] : [at.getTime(), id, total]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

function readCursor(cursor: string): { after: Position; total: number | undefined } | undefined {
  if (cursor.length > MAX_CURSOR_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (!Array.isArray(decoded) || decoded.length < 2 || decoded.length > 3) return undefined
  const [atMs, id, total] = decoded as unknown[]
  if (typeof atMs !== 'number' || !Number.isInteger(atMs) || !isRfc3339Ms(atMs)) return undefined
  if (typeof id !== 'string' || id.includes('\u0000') || !id.isWellFormed()) return undefined
  if (total === undefined) return { after: { at: new Date(atMs), id }, total: undefined }
  return Number.isSafeInteger(total) && Number(total) >= 0 ? { after: { at: new Date(atMs), id }, total: Number(total) } : undefined
}
