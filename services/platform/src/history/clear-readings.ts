// Deletes readings from PostgreSQL that a reseller, or one of its sub-clients, keeps for shorter than their partition is kept. Most readings of their weeks are of others, who
// keep them: looking through all of a large fleet takes hours. So a piece of time is looked through after the other, and none of them twice.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { deleteOldReadingsAcrossResellers, type OldReadings, selectSourcesAfterAcrossResellers } from '../readings/retention.sql.ts'
import { advanceClearedAcrossResellers, beginClearingAcrossResellers } from './cleared.sql.ts'
import type { PastRetention } from './retention.sql.ts'
import { selectSealedAcrossResellers } from './sealed-files.sql.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Sources that are looked at together. */
const SOURCES_AT_ONCE = 500
const ROWS_PER_DELETE = 5_000
/** What is stored a little later than it was judged to be recent enough. The longest that a reading waits for its commit is seconds. */
const STORED_WITHIN_MS = HOUR_MS
/** Shared by all resellers; what is left belongs to the next round. Assumption: a tenth of the time of one worker is a fair share. */
const ROUND_MS = MINUTE_MS

/** A piece of time is longer where little was recorded: its statements are to take about half a second, well below the five that they may. */
const PIECE = { firstMs: HOUR_MS, leastMs: MINUTE_MS, mostMs: 28 * DAY_MS, quickMs: 250, slowMs: 1_000 }
/** SQLSTATE of a statement that ran into `statement_timeout`. */
const QUERY_CANCELED = '57014'

export type Clearing = {
  readonly terms: readonly PastRetention[]
  readonly at: Date
  /** Nothing was recorded before. */
  readonly oldest: Date
  readonly signal: AbortSignal
  readonly roundMs?: number
  /** In [0, 1). */
  readonly random?: () => number
}

export async function clearReadingsAcrossResellers(db: Db, clearing: Clearing): Promise<void> {
  const { terms, at, oldest, signal, roundMs = ROUND_MS, random = Math.random } = clearing
  const endMs = performance.now() + roundMs
  const isOver = () => signal.aborted || performance.now() > endMs
  // Another one begins each time, so that nobody has to wait for as long as the readings of others take.
  const first = Math.floor(random() * terms.length)
  const sealed = await selectSealedAcrossResellers(db)
  // Readings of weeks that are in files go with their partition.
  const firstMs = Math.max(oldest.getTime(), sealed?.until.getTime() ?? Number.NEGATIVE_INFINITY)
  for (const term of [...terms.slice(first), ...terms.slice(0, first)]) {
    if (isOver()) return
    await clearTerm(db, term, { at, firstMs, isOver })
  }
}

type Bounds = { readonly at: Date; readonly firstMs: number; readonly isOver: () => boolean }

async function clearTerm(db: Db, term: PastRetention, { at, firstMs, isOver }: Bounds): Promise<void> {
  const beforeMs = at.getTime() - term.days * DAY_MS
  if (firstMs >= beforeMs) return
  const whose = { resellerId: term.resellerId, subClientId: term.isAllBut ? '' : (term.subClientIds[0] ?? '') }
  let cleared = await beginClearingAcrossResellers(db, whose)
  let pieceMs = PIECE.firstMs
  for (let fromMs = Math.max(firstMs, cleared?.getTime() ?? firstMs); fromMs < beforeMs && !isOver(); ) {
    const toMs = Math.min(fromMs + pieceMs, beforeMs)
    const startedMs = performance.now()
    const end = await clearPiece(db, { ...term, from: new Date(fromMs), before: new Date(toMs) }, isOver)
    if (end === 'interrupted') return
    if (end === 'took too long') {
      if (pieceMs === PIECE.leastMs) throw new Error(`readings of ${new Date(fromMs).toISOString()} cannot be looked through in time`)
      pieceMs = Math.max(PIECE.leastMs, pieceMs / 4)
      continue
    }
    const to = new Date(Math.min(toMs, beforeMs - STORED_WITHIN_MS))
    if (to.getTime() > (cleared?.getTime() ?? Number.NEGATIVE_INFINITY)) {
      if (!(await advanceClearedAcrossResellers(db, whose, { from: cleared, to }))) return
      cleared = to
    }
    pieceMs = nextPieceMs(pieceMs, performance.now() - startedMs)
    fromMs = toMs
  }
}

function nextPieceMs(pieceMs: number, tookMs: number): number {
  if (tookMs < PIECE.quickMs) return Math.min(PIECE.mostMs, pieceMs * 2)
  return tookMs > PIECE.slowMs ? Math.max(PIECE.leastMs, pieceMs / 2) : pieceMs
}

/** All sources of a piece of time. */
async function clearPiece(db: Db, of: OldReadings, isOver: () => boolean): Promise<'done' | 'interrupted' | 'took too long'> {
  let after = ''
  for (;;) {
    const sources = await selectSourcesAfterAcrossResellers(db, of.resellerId, after, SOURCES_AT_ONCE)
    const last = sources.at(-1)
    if (last === undefined) return 'done'
    try {
      while ((await deleteOldReadingsAcrossResellers(db, of, sources, ROWS_PER_DELETE)) === ROWS_PER_DELETE) {
        if (isOver()) return 'interrupted'
      }
    } catch (error) {
      if ((error as { code?: unknown }).code !== QUERY_CANCELED) throw error
      return 'took too long'
    }
    if (sources.length < SOURCES_AT_ONCE) return 'done'
    if (isOver()) return 'interrupted'
    after = last
  }
}
