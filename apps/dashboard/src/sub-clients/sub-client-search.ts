import type { SubClientFilter } from '../api/sub-client-queries.ts'

export const subClientStatuses = ['active', 'suspended', 'deactivated'] as const

const MAX_SEARCH_LENGTH = 200

export function readSubClientSearch({ status, search }: Record<string, unknown>): SubClientFilter {
  const known = subClientStatuses.find((each) => each === status)
  const sought = typeof search === 'string' || typeof search === 'number' ? String(search).trim().slice(0, MAX_SEARCH_LENGTH) : ''
  return { ...(known === undefined ? {} : { status: known }), ...(sought === '' ? {} : { search: sought }) }
}
