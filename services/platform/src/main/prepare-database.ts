import { join } from 'node:path'
import { type DatabaseUrls, databaseUrls, findDurabilityRisks, openDatabase } from '@roadworthy/service-kit/db'
import type { Logger } from '@roadworthy/service-kit/log'
import { migrate } from '@roadworthy/service-kit/migrate'
import { hidesRowsOfTenants } from '../cluster/cluster-state.sql.ts'
import { StartError } from './start-error.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/**
 * Brings the database to this release's schema and returns how its roles connect. `isGiven`: it is the one of `DATABASE_URL`, whose faults are
 * the operator's to mend. Warns about settings of the server that would break the promise of an acknowledgement.
 */
export async function prepareDatabase(
  ownerUrl: string,
  options: { isGiven: boolean; poolerUrl?: string | undefined; secretKey: string; log: Logger },
): Promise<DatabaseUrls> {
  const { isGiven, poolerUrl, secretKey, log } = options
  try {
    const { applied, newer } = await migrate(ownerUrl, { directory: MIGRATIONS, secretKey })
    if (applied.length > 0) log.info({ applied }, 'migrated')
    if (newer.length > 0) log.warn({ newer }, 'the database is of a newer version, which this one can go on beside')
  } catch (error) {
    throw isGiven ? explainDatabaseUrl(error, ownerUrl) : error
  }
  const urls = databaseUrls(ownerUrl, secretKey, poolerUrl)
  const database = openDatabase(urls, { appConnections: 1, systemConnections: 1, onError: (err) => log.warn({ err }, 'connection lost') })
  const [risks, hidesRows] = await Promise.all([
    findDurabilityRisks(database.systemPool),
    hidesRowsOfTenants(database.tenantPool([])),
  ]).finally(() => database.close())
  if (hidesRows) {
    throw new StartError(
      'On this Citus cluster row-level security would hide every row: citus.propagate_set_commands is not "local" for the role roadworthy_app. ' +
        'Run "npx roadworthy citus init", and leave the setting out of the database and of the server.',
    )
  }
  if (risks.length > 0) {
    log.warn(
      `PostgreSQL runs with ${risks.join(' and ')}: what was acknowledged can be lost when the machine loses power. ` +
        'Switch both on in postgresql.conf.',
    )
  }
  return urls
}

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE']
/** Errors of pg without a code. */
const UNANSWERED = /timeout expired|connection timeout|Connection terminated unexpectedly/

/** Connecting failures of pg in one line that names the setting. Shows the address and never the password. */
function explainDatabaseUrl(error: unknown, ownerUrl: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  const { host, pathname, username } = new URL(ownerUrl)
  const because = (fix: string) => new StartError(`DATABASE_URL ${fix}`, { cause: error })
  if (UNREACHABLE.includes(String(code)) || (code === undefined && UNANSWERED.test(message ?? ''))) {
    const reason = typeof code === 'string' ? code : message
    return because(`names ${host}, where no PostgreSQL answers (${reason}). Is it running, and are host and port right?`)
  }
  if (String(code).startsWith('28')) {
    return because(`is refused by ${host}: ${message}. Are user ${decodeURIComponent(username)} and password right?`)
  }
  if (code === '3D000') return because(`names the database ${pathname.slice(1)}, which ${host} does not have. Create it first.`)
  if (code === '57P03') return because(`names ${host}, which is still starting. Try again in a moment.`)
  return error
}
