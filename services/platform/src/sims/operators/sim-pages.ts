// What lists of all platforms have in common: where one is, that they end, and rows that are not what they should be.

import { createHash } from 'node:crypto'
import { isSameIccid } from './answer-fields.ts'
import { MAX_PAGES, OperatorError, type OperatorSim, printable, type RefusedRow, type SimPage } from './operator.ts'

/** Counted from 1, with what the page before held, by which a platform that repeats itself is recognised. */
export type PagePlace = { readonly page: number; readonly before: string | undefined }

const CURSOR = /^(\d{1,6})\.([0-9a-f]{16})$/

export function readPlace(cursor: string | undefined): PagePlace {
  if (cursor === undefined) return { page: 1, before: undefined }
  const [, page, before] = CURSOR.exec(cursor) ?? []
  if (page === undefined) throw new OperatorError('rejected', 'The cursor is not one that this list gave out.')
  return { page: Number(page), before }
}

export type Row = { readonly iccid: string | undefined } & ({ readonly sim: OperatorSim } | { readonly problem: string })

/** Puts a page together. Throws `unavailable` on one without content, that repeats the one before, or that is further than any list goes. */
export function toSimPage({ page, before }: PagePlace, rows: readonly Row[], hasNext: boolean): SimPage {
  const sims: OperatorSim[] = []
  const refused: RefusedRow[] = []
  for (const row of rows) {
    if (!('sim' in row)) refused.push({ iccid: row.iccid, message: printable(row.problem, 200) })
    else if (sims.some(({ iccid }) => isSameIccid(iccid, row.sim.iccid)))
      refused.push({ iccid: row.iccid, message: 'is twice on the page' })
    else sims.push(row.sim)
  }
  const [first] = refused
  if (sims.length === 0 && first !== undefined) {
    throw new OperatorError(
      'unavailable',
      `None of the ${rows.length} SIMs of page ${page} can be used: ${first.iccid ?? 'one'} ${first.message}.`,
    )
  }
  const here = fingerprint(rows)
  if (here === before) throw new OperatorError('unavailable', `Page ${page} is the same as the one before it.`)
  if (hasNext && page >= MAX_PAGES) throw new OperatorError('unavailable', `The list does not end within ${MAX_PAGES} pages.`)
  return { sims, refused, next: hasNext ? `${page + 1}.${here}` : undefined }
}

function fingerprint(rows: readonly Row[]): string {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(`${row.iccid}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** The ICCID of a row that may be anything, for naming it. */
export function findIccid(row: unknown, field: string): string | undefined {
  const value = (row as Record<string, unknown> | null | undefined)?.[field]
  return typeof value === 'string' && /^\d{10,22}$/.test(value.trim()) ? value.trim() : undefined
}
