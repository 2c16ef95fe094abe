// The Kafka client nests its errors several deep; what helps is at the bottom.

export type NestedError = Error & { readonly code?: string; readonly apiId?: string; readonly errors?: readonly unknown[] }

/** Nobody nests deeper; an error that holds itself ends here. */
export const MAX_DEPTH = 8

/** The innermost reason in one clause, with its code where the message does not contain it. */
export function explainKafkaError(error: unknown): string {
  let innermost = error as NestedError
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = (innermost.errors?.[0] ?? innermost.cause) as NestedError | undefined
    if (!(next instanceof Error)) break
    // An aggregate of connection attempts may have no words of its own, and its parts may have none either.
    if (next.message === '' && next.code === undefined && next.errors === undefined) break
    innermost = next
  }
  const { message, apiId, code } = innermost
  const name = apiId ?? code
  const text = message.replace(/\.$/, '')
  if (text === '') return name ?? 'unknown error'
  return name === undefined || text.includes(name) ? text : `${text} (${name})`
}

/** Whether the broker answered with this error, anywhere in what the client made of it. */
export function hasApiId(error: unknown, apiId: string, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false
  const { apiId: own, errors = [], cause } = error as NestedError
  return own === apiId || hasApiId(cause, apiId, depth + 1) || errors.some((nested) => hasApiId(nested, apiId, depth + 1))
}
