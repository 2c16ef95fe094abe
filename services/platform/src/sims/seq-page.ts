// Pages of what is only added to and counted, newest first.

import { endPage, type PageEnd, pageRequest } from '@roadworthy/service-kit/keyset'
import { Problem } from '@roadworthy/service-kit/problem'

type SeqPage = { readonly limit: number; readonly beforeSeq: number | undefined }

export function readSeqPage(query: { limit?: number | undefined; after?: string | undefined }): SeqPage {
  const { limit, after } = pageRequest(query, 'newest first')
  if (after.id === '') return { limit, beforeSeq: undefined }
  // A cursor is the caller's text until it is looked at.
  if (!/^[1-9][0-9]{0,14}$/.test(after.id)) {
    throw new Problem('invalid_request', '"after" is not a cursor of this list; use the endCursor of the page before.', {
      details: { in: 'querystring', field: 'after' },
    })
  }
  return { limit, beforeSeq: Number(after.id) }
}

export function endSeqPage<T extends { readonly seq: number; readonly at: Date }>(
  rows: readonly T[],
  limit: number,
): { items: T[]; pagination: PageEnd } {
  return endPage(rows, limit, ({ seq, at }) => ({ at, id: String(seq) }))
}
