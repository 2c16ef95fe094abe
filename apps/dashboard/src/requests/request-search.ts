// What the request log is narrowed down to, as it stands in the address.

export const answerKinds = ['refused', '4xx', '5xx', '2xx'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** `find`: the id of a request, or the beginning of a path. */
export type RequestSearch = { readonly keyId?: string; readonly status?: AnswerKind; readonly find?: string }

/** As the API takes them. */
const PRINTABLE = /^[\x20-\x7e]{1,200}$/

export function readRequestSearch(given: Record<string, unknown>): RequestSearch {
  const keyId = textOf(given['keyId'])
  const find = textOf(given['find'])
  const status = answerKinds.find((each) => each === given['status'])
  return { ...(keyId === undefined ? {} : { keyId }), ...(status === undefined ? {} : { status }), ...(find === undefined ? {} : { find }) }
}

/** As the API is asked. What begins like a path is one; anything else is the id of a request, as it stands in an error or in a log. */
export function requestFilter({ find, ...filter }: RequestSearch): Record<string, string> {
  if (find === undefined) return filter
  return find.startsWith('/') ? { ...filter, path: find } : { ...filter, requestId: find }
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return PRINTABLE.test(text) ? text : undefined
}
