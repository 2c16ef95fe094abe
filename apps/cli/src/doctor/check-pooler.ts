// The pooler that DATABASE_URL leads to where DATABASE_SESSION_URL leads past it: the service reads and writes through it as its two roles.

import { type Database, databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { type Finding, okay, skip, wrong } from '../finding.ts'
import { selectIdentity } from './database-facts.sql.ts'

export type PoolerTarget = { readonly poolerUrl: string; readonly ownerUrl: string; readonly secretKey: string | undefined }

const WHY = 'The service does its work through it, and answers 503 without.'

/** Signs in as both roles of the service, as it does, and compares what is behind the pooler with the database of `ownerUrl`. */
export async function checkPooler({ poolerUrl, ownerUrl, secretKey }: PoolerTarget): Promise<Finding> {
  const { host } = new URL(poolerUrl)
  if (secretKey === undefined) return skip('pooler', 'the passwords of the two roles follow from the secret key, which is not here')
  const urls = databaseUrls(ownerUrl, secretKey, poolerUrl)
  let behind: string
  try {
    behind = await withDatabase(urls, async (database) => {
      await database.system(selectIdentity)
      return await database.tenant([], selectIdentity)
    })
  } catch (error) {
    return refused(host, error)
  }
  // Where PostgreSQL itself does not let the role in, the checks of the database have the reason.
  const wanted = await withDatabase(urls.direct, async (database) => await database.system(selectIdentity)).catch(() => behind)
  if (behind === wanted) return okay('pooler', `${host} lets in both roles, and leads to the database`)
  return wrong('pooler', {
    detail: `${host} leads to another database than DATABASE_SESSION_URL.`,
    why: 'The schema is made in one database, and readings are looked for in another.',
    fix: 'Correct its section [databases], or the name of the database in one of the two settings.',
  })
}

async function withDatabase<T>(urls: Parameters<typeof openDatabase>[0], run: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(urls, { appConnections: 1, systemConnections: 1, onError: () => undefined })
  return await run(database).finally(() => database.close())
}

function refused(host: string, error: unknown): Finding {
  const { code, message } = error as { code?: unknown; message?: string }
  const detail = `${host} cannot be used: ${message ?? String(code)}.`
  const fix =
    'Check that it runs, in transaction mode, with this database and with the users that "npx roadworthy pgbouncer users" writes (docs/guides/scaling.md).'
  return wrong('pooler', { detail, why: WHY, fix })
}
