import type { Db } from '@roadworthy/service-kit/postgres/db'
import pg from 'pg'

/** Copying tables and moving shards takes hours. A statement that waits for a lock blocks those behind it, so that wait is short. */
const SETTINGS = { statement_timeout: 0, lock_timeout: 10_000, connectionTimeoutMillis: 10_000 }

/** Runs with a session of the owner, whose statements may take hours, and ends it. */
export async function withOwnerSession<T>(ownerUrl: string, run: (db: Db) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'roadworthy-citus', ...SETTINGS })
  // Where the server goes away, the statement that waits for it rejects. Without a listener the program would end instead.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(client as unknown as Db)
  } finally {
    await client.end()
  }
}
