// Statements that may take minutes, on every node. The sessions that nodes of a Citus cluster open to each other have the timeouts of the role (`SESSION_TIMEOUTS`), whatever
// the session that asks has set for itself. They take over what its transaction sets, where that is propagated; on one PostgreSQL that setting means nothing.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { TransactionQuery } from '@roadworthy/service-kit/postgres/transaction-query'
import pg from 'pg'

const CONNECT_TIMEOUT_MS = 5_000

/** What a transaction begins with of which each statement may take `statementMs`, without limit where that is 0, and which may wait between two of them. */
export function patiently(statementMs: number): string[] {
  return [
    `set local citus.propagate_set_commands = 'local'`,
    `set local statement_timeout = ${statementMs}`,
    'set local idle_in_transaction_session_timeout = 0',
  ]
}

export type PatientSession = {
  /** Each statement is a transaction of its own. */
  readonly db: Db
  readonly end: () => Promise<void>
}

export async function openPatientSession(url: string, statementMs: number, applicationName: string): Promise<PatientSession> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: applicationName })
  // The statement under way is rejected as well.
  client.on('error', () => undefined)
  await client.connect()
  const before = patiently(statementMs)
  const query: Db['query'] = async (statement, values) => {
    const text = typeof statement === 'string' ? statement : statement.text
    const transaction = new TransactionQuery<never>(before, { name: undefined, text, values })
    client.query(transaction as unknown as pg.Submittable)
    try {
      return await transaction.result
    } catch (error) {
      // A connection that is gone has rolled back by itself; the first error is the one to report.
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }
  return { db: { query }, end: () => client.end().catch(() => undefined) }
}
