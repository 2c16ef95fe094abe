// The order of a list of vehicles, and where in it a page begins. Equals are ordered by name and id, so that a place is between two vehicles.

import { Problem } from '@roadworthy/service-kit/http/problem'

export type VehicleSort = 'health' | 'name' | 'alerts' | 'heard'
export type SortOrder = 'asc' | 'desc'
/** Of a vehicle: by what it is sorted, what it is called for that, and its id. */
export type SortPosition = { readonly key: number; readonly name: string; readonly id: string }
export type SortedPage = {
  readonly sort: VehicleSort
  readonly order: SortOrder
  readonly limit: number
  readonly after: SortPosition | undefined
}

const DEFAULT_PAGE_LIMIT = 100

export function sortedPage(
  sort: VehicleSort,
  { order = 'asc', limit = DEFAULT_PAGE_LIMIT, after }: { order?: SortOrder; limit?: number; after?: string },
): SortedPage {
  return { sort, order, limit, after: after === undefined ? undefined : readPosition(sort, order, after) }
}

/** Cuts positions selected with `limit + 1` to the page, and returns where it ends. */
export function endSortedPage(positions: readonly SortPosition[], { sort, order, limit }: SortedPage) {
  const ids = positions.slice(0, limit).map(({ id }) => id)
  const last = positions[ids.length - 1]
  const endCursor =
    last === undefined ? null : Buffer.from(JSON.stringify([sort, order, last.key, last.name, last.id])).toString('base64url')
  return { ids, pagination: { endCursor, hasNextPage: positions.length > limit } }
}

function readPosition(sort: VehicleSort, order: SortOrder, cursor: string): SortPosition {
  const parts = readParts(cursor)
  const [ofSort, ofOrder, key, name, id] = parts
  const isPosition = typeof key === 'number' && isText(name) && isText(id) && parts.length === 5
  if (isPosition && ofSort === sort && ofOrder === order) return { key, name, id }
  throw new Problem('invalid_request', '"after" is not a cursor of this list in this order; use the endCursor of the page before.', {
    details: { in: 'querystring', field: 'after' },
  })
}

function readParts(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\u0000') && value.isWellFormed()
}
