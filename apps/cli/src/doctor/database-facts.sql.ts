import { dbOf } from '@roadworthy/platform/backup/snapshot.sql'
import { type Db, findDurabilityRisks } from '@roadworthy/service-kit/postgres/db'

type Client = Parameters<typeof dbOf>[0]

export type DatabaseFacts = {
  readonly versionNumber: number
  readonly version: string
  readonly timeZone: string
  readonly now: Date
  readonly maxConnections: number
  /** Of this database, by its own limit; -1: none. */
  readonly databaseLimit: number
  readonly usedConnections: number
  readonly mayCreateRoles: boolean
  readonly mayCreateTables: boolean
  readonly roleCount: number
  readonly encoding: string
  readonly risks: readonly string[]
}

/** As the owner of the database. */
export async function selectDatabaseFacts(client: Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<Omit<DatabaseFacts, 'risks'>>(
    `select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
            coalesce((select split_part(setting, '=', 2) from pg_db_role_setting s cross join unnest(s.setconfig) setting
                       where s.setdatabase = d.oid and s.setrole = 0 and setting ilike 'timezone=%' limit 1),
                     (select reset_val from pg_settings where name = 'TimeZone')) as "timeZone",
            clock_timestamp() as now,
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections",
            d.datconnlimit as "databaseLimit",
            (select sum(numbackends)::int from pg_stat_database) as "usedConnections",
            (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "mayCreateRoles",
            has_schema_privilege('public', 'create') as "mayCreateTables",
            (select count(*)::int from pg_roles where rolname in ('roadworthy_app', 'roadworthy_system')) as "roleCount",
            pg_encoding_to_char(d.encoding) as encoding
       from pg_database d where d.datname = current_database()`,
  )
  const [facts] = rows
  if (facts === undefined) throw new Error('the database is not in its own catalogue')
  return { ...facts, risks: await findDurabilityRisks(dbOf(client)) }
}

/** The check value of the secret key that the database was set up with; undefined: none yet. */
export async function selectKeyCheck(client: Client): Promise<string | undefined> {
  const found = await client.query<{ has: boolean }>(`select to_regclass('public.installation_key') is not null as has`)
  if (found.rows[0]?.has !== true) return undefined
  const { rows } = await client.query<{ check_value: string }>('select check_value from installation_key')
  return rows[0]?.check_value
}

/** The same for two connections that lead to one database of one running server, by whatever address. */
export async function selectIdentity(db: Db): Promise<string> {
  const { rows } = await db.query<{ identity: string }>(
    `select current_database() || ' ' || extract(epoch from pg_postmaster_start_time())::text as identity`,
  )
  return rows[0]?.identity ?? ''
}
