// Pages of what is only added to and counted, newest first.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { endPage, type PageEnd, pageRequest } from '@roadworthy/service-kit/postgres/keyset'

type SeqPage = { readonly list: string; readonly limit: number; readonly beforeSeq: number | undefined }

export function readSeqPage(list: string, query: { limit?: number | undefined; after?: string | undefined }): SeqPage {
  const { limit, after } = pageRequest(list, query, 'newest first')
  if (after.id === '') return { list, limit, beforeSeq: undefined }
  // A cursor is the caller's text until it is looked at.
  if (!/^[1-9][0-9]{0,14}$/.test(after.id)) {
    throw new Problem('invalid_request', '"after" is not a cursor of this list; use the endCursor of the page before.', {
      details: { in: 'querystring', field: 'after' },
    })
  }
  return { list, limit, beforeSeq: Number(after.id) }
}

export function endSeqPage<T extends { readonly seq: number; readonly at: Date }>(
  rows: readonly T[],
  page: { readonly list: string; readonly limit: number },
): { items: T[]; pagination: PageEnd } {
  return endPage(rows, page, ({ seq, at }) => ({ at, id: String(seq) }))
}
