// The database: whether it is reached, and what of it the service would be refused or slowed down by.

import { connect } from '@roadworthy/platform/backup/snapshot.sql'
import { checkValue } from '@roadworthy/service-kit/postgres/database-roles'
import { type Finding, okay, warning, wrong } from '../finding.ts'
import { type DatabaseFacts, selectDatabaseFacts, selectKeyCheck } from './database-facts.sql.ts'

/** Partitions are detached concurrently (ADR 0019). */
const LEAST_VERSION = 140_000
const MAX_SKEW_S = 60

export type DatabaseTarget = {
  readonly ownerUrl: string
  readonly secretKey: string | undefined
  /** That the processes of the service open at most. */
  readonly connectionCount: number
  readonly now: () => Date
}

export async function checkDatabase(target: DatabaseTarget): Promise<Finding[]> {
  let client: Awaited<ReturnType<typeof connect>>
  try {
    client = await connect(target.ownerUrl)
  } catch (error) {
    return [unreached(target.ownerUrl, error)]
  }
  try {
    const facts = await selectDatabaseFacts(client)
    const key = await selectKeyCheck(client)
    return [
      ...[judgeVersion(facts), judgeRights(facts), judgeConnections(facts, target.connectionCount)],
      ...[judgeZone(facts), judgeSkew(facts, target.now()), judgeKey(key, target.secretKey), judgeRisks(facts)],
    ]
  } finally {
    await client.end()
  }
}

function unreached(ownerUrl: string, error: unknown): Finding {
  const { code, message } = error as { code?: unknown; message?: string }
  const { host, pathname, username } = new URL(ownerUrl)
  const why = 'Nothing is stored or read without it; the service does not start.'
  const refusals: Readonly<Record<string, readonly [string, string]>> = {
    '28P01': [
      `${host} refuses the password of ${username}.`,
      'Set the password that the role has; a special character in an address is written %40 and the like.',
    ],
    '28000': [`${host} refuses ${username}: ${message}.`, 'Allow the role, the database and this machine in pg_hba.conf.'],
    '3D000': [`${host} has no database ${pathname.slice(1)}.`, `Create it: createdb ${pathname.slice(1)}.`],
    '53300': [`${host} has no connection left.`, 'Raise max_connections, or put PgBouncer in front (docs/guides/scaling.md).'],
    '57P03': [`${host} is still starting.`, 'Try again in a moment.'],
  }
  const [detail, fix] = refusals[String(code)] ?? [
    `No PostgreSQL answers at ${host} (${typeof code === 'string' ? code : message}).`,
    'Check that it runs, host and port, and the firewall between.',
  ]
  return wrong('database', { detail, why, fix })
}

export function judgeVersion({ versionNumber, version, encoding }: Pick<DatabaseFacts, 'versionNumber' | 'version' | 'encoding'>): Finding {
  if (versionNumber < LEAST_VERSION) {
    return wrong('database', {
      detail: `PostgreSQL ${version} is older than ${LEAST_VERSION / 10_000}.`,
      why: 'Migrations and partitions use what came later, and fail.',
      fix: 'Upgrade the server (pg_upgrade), or restore a backup into a newer one.',
    })
  }
  if (encoding === 'UTF8') return okay('database', `PostgreSQL ${version}`)
  return wrong('database', {
    detail: `the database has encoding ${encoding}.`,
    why: 'Names and messages in other scripts cannot be stored.',
    fix: 'Create one with UTF8: createdb --encoding UTF8 --template template0 NAME.',
  })
}

function judgeRights({ mayCreateRoles, mayCreateTables, roleCount }: DatabaseFacts): Finding {
  const missing = [
    mayCreateTables ? [] : ['tables in the schema public'],
    mayCreateRoles || roleCount === 2 ? [] : ['the roles roadworthy_app and roadworthy_system'],
  ].flat()
  if (missing.length === 0) return okay('database rights', 'the role of DATABASE_URL may do what migrations need')
  return wrong('database rights', {
    detail: `the role of DATABASE_URL may not create ${missing.join(', nor ')}.`,
    why: 'The first start, and migrations of later ones, are refused.',
    fix: 'As an administrator: alter database NAME owner to ROLE; alter role ROLE createrole.',
  })
}

function judgeConnections({ maxConnections, databaseLimit, usedConnections }: DatabaseFacts, wanted: number): Finding {
  const most = databaseLimit >= 0 ? Math.min(databaseLimit, maxConnections) : maxConnections
  const detail = `${most} at once, ${usedConnections} of the server in use; a process of the service opens up to ${wanted}`
  if (most >= wanted) return okay('connections', detail)
  return wrong('connections', {
    detail: `${detail}.`,
    why: 'Under load requests wait for a connection and fail with 503.',
    fix: 'Raise max_connections of the server or the limit of the database, set DATABASE_CONNECTIONS lower, or use PgBouncer (docs/guides/scaling.md).',
  })
}

function judgeZone({ timeZone }: DatabaseFacts): Finding {
  if (/^(UTC|Etc\/UTC|GMT|Etc\/GMT)$/.test(timeZone)) return okay('database zone', timeZone)
  return warning('database zone', {
    detail: `sessions of the database are in ${timeZone}.`,
    why: 'The service is not concerned: it stores moments. Your own SQL and the log of PostgreSQL show another time than the logs of the service.',
    fix: "As its owner: alter database NAME set timezone to 'UTC'",
  })
}

function judgeSkew({ now }: DatabaseFacts, here: Date): Finding {
  const skewS = Math.round((here.getTime() - now.getTime()) / 1000)
  if (Math.abs(skewS) <= MAX_SKEW_S) return okay('database clock', `${Math.abs(skewS)} s apart from this machine`)
  return wrong('database clock', {
    detail: `this machine's clock is ${Math.abs(skewS)} s ${skewS > 0 ? 'ahead of' : 'behind'} that of the database.`,
    why: 'Readings are refused as of the future, sessions and leases end too early or too late.',
    fix: 'Set the clocks of both by NTP (timedatectl set-ntp true).',
  })
}

function judgeKey(known: string | undefined, secretKey: string | undefined): Finding {
  if (known === undefined) return okay('secret key', 'the database has none yet; the first start decides')
  const fix =
    'Bring back the value of SECRET_KEY, or the file secret-key of the data folder that it was first started with. docs/operations.md: what to do when it is lost.'
  const why =
    'The passwords of the database and everything that is encrypted in it follow from the key; the service does not start with another.'
  if (secretKey === undefined)
    return wrong('secret key', { detail: 'neither SECRET_KEY nor a file secret-key is here, and the database has a key.', why, fix })
  if (checkValue(secretKey) === known) return okay('secret key', 'that of the database')
  return wrong('secret key', { detail: 'the secret key here is another than the one the database was set up with.', why, fix })
}

function judgeRisks({ risks }: DatabaseFacts): Finding {
  if (risks.length === 0) return okay('durability', 'commits are flushed to the disk')
  return warning('durability', {
    detail: `PostgreSQL runs with ${risks.join(' and ')}.`,
    why: 'What was acknowledged can be lost when the machine loses power.',
    fix: `Switch ${risks.length === 1 ? 'it' : 'both'} on in postgresql.conf and restart it.`,
  })
}
