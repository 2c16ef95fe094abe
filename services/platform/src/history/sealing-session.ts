// What whoever writes files of the history opens, and closes again: one at a time in an installation.

import { type Database, type DatabaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { openPatientSession, type PatientSession } from '../cluster/patient-session.ts'
import { loadDuckdb } from './duckdb.ts'
import { type HistoryPlace, openHistory } from './history-place.ts'
import type { SealingDeps } from './seal-weeks.ts'
import { trySealingTurn } from './sealed-files.sql.ts'

/** A week of a large fleet is counted by one of them. */
const SLOW_STATEMENT_MS = 30 * 60_000

type SessionUrls = Pick<DatabaseUrls, 'app' | 'system'>

/** Undefined where another process has its turn. */
export async function withSealingSession<T>(
  urls: SessionUrls,
  place: HistoryPlace,
  run: (deps: SealingDeps) => Promise<T>,
): Promise<T | undefined> {
  const duckdb = await loadDuckdb()
  if (duckdb === undefined) throw new Error('@duckdb/node-api, an optional dependency, is not installed')
  const history = await openHistory(place)
  return await withSealingTurn(urls, (sessions) => run({ ...sessions, store: history.store, duckdb })).finally(history.close)
}

/** The turn alone: no file is written or taken away meanwhile. Undefined where another process has it. */
export async function withSealingTurn<T>(
  urls: SessionUrls,
  run: (sessions: Pick<SealingDeps, 'database' | 'slowDb'>) => Promise<T>,
): Promise<T | undefined> {
  const database: Database = openDatabase(urls, { appConnections: 1, systemConnections: 2, onError: () => undefined })
  try {
    const slow = await openSlowSession(urls.system)
    try {
      return (await trySealingTurn(slow.db)) ? await run({ database, slowDb: slow.db }) : undefined
    } finally {
      await slow.end()
    }
  } finally {
    await database.close()
  }
}

export async function openSlowSession(url: string): Promise<PatientSession> {
  return await openPatientSession(url, SLOW_STATEMENT_MS, 'roadworthy-history')
}
