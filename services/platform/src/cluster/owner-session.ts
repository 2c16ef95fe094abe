import type { Db } from '@roadworthy/service-kit/db'
import pg from 'pg'

/** Copying or moving what an installation has takes its time; whoever waits for a lock meanwhile keeps others waiting. */
const SETTINGS = { statement_timeout: 0, lock_timeout: 10_000, connectionTimeoutMillis: 10_000 }

/** Runs with a session of the owner, whose statements may take hours, and ends it. */
export async function withOwnerSession<T>(ownerUrl: string, run: (db: Db) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'roadworthy-citus', ...SETTINGS })
  await client.connect()
  try {
    return await run(client as unknown as Db)
  } finally {
    await client.end()
  }
}
