// A page of a list that is filtered by what is on the nodes of a cluster, where no statement can go from row to row until the page is full: the rows that
// follow in the order of the list, then which of them are shown.

import type { Position } from '../postgres/keyset.ts'

export type PageSteps<Row, Shown> = {
  /** Those that follow, in the order of the list. */
  readonly selectNext: (after: Position, count: number) => Promise<readonly Row[]>
  readonly positionOf: (row: Row) => Position
  /** Of those of them that are shown, in the same order. */
  readonly selectShown: (rows: readonly Row[]) => Promise<readonly Shown[]>
}

/** Where nearly all are shown, as devices that have a position are, a tenth more saves a second round. */
const FIRST_PART = 1.1
/** Where few of many are shown, parts become larger, and each is at most so many times what was looked at before. */
const GROWTH = 4
/** Rows that are in memory together: a few megabytes. */
const MAX_PART = 10_000

/** One more than `limit` when there is one. */
export async function fillPage<Row, Shown>(
  page: { readonly limit: number; readonly after: Position },
  steps: PageSteps<Row, Shown>,
): Promise<Shown[]> {
  const wantedCount = page.limit + 1
  const found: Shown[] = []
  let { after } = page
  let seenCount = 0
  for (let part = Math.ceil(wantedCount * FIRST_PART); found.length < wantedCount; part = nextPart(wantedCount, found.length, seenCount)) {
    const next = await steps.selectNext(after, part)
    const last = next.at(-1)
    if (last === undefined) break
    found.push(...(await steps.selectShown(next)))
    if (next.length < part) break
    after = steps.positionOf(last)
    seenCount += next.length
  }
  return found.slice(0, wantedCount)
}

/** Twice as many as would do if as large a part of them were shown as of those before. */
function nextPart(wantedCount: number, foundCount: number, seenCount: number): number {
  const missingCount = wantedCount - foundCount
  return Math.min(Math.ceil((2 * missingCount * seenCount) / Math.max(foundCount, 1)), GROWTH * seenCount, MAX_PART)
}
