import { join } from 'node:path'
import {
  ACQUIRE_WHILE_STARTING_MS,
  APP_ROLE,
  type DatabaseUrls,
  databaseUrls,
  findDurabilityRisks,
  openDatabase,
} from '@roadworthy/service-kit/postgres/db'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { hidesRowsOfTenants } from '../../cluster/cluster-state.sql.ts'
import { StartError } from '../start-error.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

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
    throw isGiven ? explainDatabaseUrl(error, poolerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL', ownerUrl) : error
  }
  const urls = databaseUrls(ownerUrl, secretKey, poolerUrl)
  const onError = (err: Error) => log.warn({ err }, 'connection lost')
  const acquireTimeoutMs = ACQUIRE_WHILE_STARTING_MS
  const database = openDatabase(urls, { appConnections: 1, systemConnections: 1, acquireTimeoutMs, onError })
  const [risks, hidesRows] = await Promise.all([findDurabilityRisks(database.systemPool), hidesRowsOfTenants(database.tenantPool([]))])
    .catch((error) => {
      throw poolerUrl === undefined ? error : explainPooler(error, poolerUrl)
    })
    .finally(() => database.close())
  if (hidesRows) {
    throw new StartError(
      'On this Citus cluster row-level security would hide every row: citus.propagate_set_commands is not "local" for the role roadworthy_app. ' +
        'Run "npx roadworthy citus init", and leave the setting out of the database and of the server.',
    )
  }
  if (risks.length > 0) {
    log.warn(
      `PostgreSQL runs with ${risks.join(' and ')}: what was acknowledged can be lost when the machine loses power. ` +
        `Switch ${risks.length === 1 ? 'it' : 'both'} on in postgresql.conf.`,
    )
  }
  return urls
}

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE']
/** Errors of pg and of its pool without a code. */
const UNANSWERED =
  /timeout expired|timeout exceeded when trying to connect|connection timeout|Query read timeout|Connection terminated unexpectedly/

/** PgBouncer has this one code for whatever it refuses. */
const PROTOCOL_VIOLATION = '08P01'

/** Failures of pg in one line that names the setting. Shows the address and never the password. */
function explainDatabaseUrl(error: unknown, setting: 'DATABASE_URL' | 'DATABASE_SESSION_URL', ownerUrl: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  const { host, pathname, username } = new URL(ownerUrl)
  const because = (fix: string) => new StartError(`${setting} ${fix}`, { cause: error })
  const silent = unansweredReason(error)
  if (silent !== undefined)
    return because(`names ${host}, where no PostgreSQL answers (${silent}). Is it running, and are host and port right?`)
  if (String(code).startsWith('28') || code === PROTOCOL_VIOLATION) {
    const pooler = code === PROTOCOL_VIOLATION ? ' Where that is a pooler, name PostgreSQL itself in DATABASE_SESSION_URL.' : ''
    return because(`is refused by ${host}: ${message}. Are user ${decodeURIComponent(username)} and password right?${pooler}`)
  }
  if (code === '3D000') return because(`names the database ${pathname.slice(1)}, which ${host} does not have. Create it first.`)
  if (code === '57P03') return because(`names ${host}, which is still starting. Try again in a moment.`)
  if (code === '42501') {
    const right = 'It has to own the database and its tables, and at the first start to create roles (alter role … createrole).'
    return because(`names the user ${decodeURIComponent(username)}, who may not do what migrations need: ${message}. ${right}`)
  }
  return error
}

/** Of DATABASE_URL, where DATABASE_SESSION_URL leads past it. */
function explainPooler(error: unknown, poolerUrl: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  const { host, pathname } = new URL(poolerUrl)
  const because = (fix: string) => new StartError(`DATABASE_URL ${fix}`, { cause: error })
  const silent = unansweredReason(error)
  if (silent !== undefined)
    return because(`names ${host}, where no pooler answers (${silent}). Is it running, and are host and port right?`)
  if (code === PROTOCOL_VIOLATION || code === '3D000' || String(code).startsWith('28')) {
    const fix = `Does its configuration have the database ${pathname.slice(1)}, and its list of users what "npx roadworthy pgbouncer users" writes?`
    return because(`names ${host}, which refuses ${APP_ROLE} or the other role of the service: ${message}. ${fix}`)
  }
  return error
}

/** Of a database that was there when the start began, as on a machine that has more to do than it can. */
export function explainUnanswered(error: unknown): unknown {
  const silent = error instanceof StartError ? undefined : unansweredReason(error)
  if (silent === undefined || !UNANSWERED.test(silent)) return error
  const hint = 'Start it again; if it stays so, the machine or the database has more to do than it can.'
  return new StartError(`The database did not answer in time while the service started (${silent}). ${hint}`, { cause: error })
}

function unansweredReason(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string }
  if (UNREACHABLE.includes(String(code))) return String(code)
  return code === undefined && UNANSWERED.test(message ?? '') ? message : undefined
}
