import { UnexpectedAnswerError } from './errors.ts'

export type Page = {
  readonly pagination?: { readonly endCursor: string | null; readonly hasNextPage: boolean } | null
  readonly [items: string]: unknown
}

/** Every item of every page, in order. A page is fetched when the one before is read to its end. */
export async function* iteratePages(
  items: string,
  fetchPage: (after: string | undefined) => Promise<Page | null>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<string>()
  let after: string | undefined
  for (;;) {
    const { [items]: found, pagination } = (await fetchPage(after)) ?? {}
    if (!Array.isArray(found)) throw new UnexpectedAnswerError(`The answer has no array "${items}".`, { code: 'unexpected_answer' })
    yield* found
    if (pagination?.hasNextPage !== true) return
    if (typeof pagination.endCursor !== 'string') {
      throw new UnexpectedAnswerError('The list goes on, and the answer does not say where: it is not complete.', {
        code: 'missing_cursor',
      })
    }
    after = pagination.endCursor
    // A list that goes round in circles would never end, and never be complete either.
    if (seen.has(after)) throw new UnexpectedAnswerError('The list came back to a page that was read already.', { code: 'repeated_cursor' })
    seen.add(after)
  }
}
