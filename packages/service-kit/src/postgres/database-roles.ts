// The two login roles of the service and the secret key that their passwords are derived from. Roles belong to a whole PostgreSQL server,
// so the key of one process can lock out every other process on that server: nothing is changed before it is clear that the key is right.

import { createHmac } from 'node:crypto'
import pg from 'pg'
import { APP_ROLE, rolePassword, SESSION_TIMEOUTS, SYSTEM_ROLE } from './db.ts'

const ROLES = [APP_ROLE, SYSTEM_ROLE]
/** Another installation on the same server may create the roles at the same moment; the second look finds them. */
const ATTEMPTS = 3

/**
 * Refuses a secret key that this database, or another one on its server, was not set up with; creates the roles or gives them their
 * passwords where they are missing; and stores the check value of the key. Runs under the lock of the migrations.
 */
export async function provisionRoles(client: pg.Client, ownerUrl: string, secretKey: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const unset = await findUnsetRoles(client, ownerUrl, secretKey)
    try {
      await applyRoles(client, unset, secretKey)
      return
    } catch (error) {
      await client.query('rollback')
      if (attempt === ATTEMPTS || !isRace(error)) throw error
    }
  }
}

/** With another installation on the same server that does the same: a duplicate, or a row that was updated meanwhile. */
function isRace(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === '42710' || code === '23505' || (code === 'XX000' && message === 'tuple concurrently updated')
}

type UnsetRole = { name: string; exists: boolean }

async function findUnsetRoles(client: pg.Client, ownerUrl: string, secretKey: string): Promise<UnsetRole[]> {
  const known = await readCheckValue(client)
  if (known !== undefined && known !== checkValue(secretKey)) throw wrongKey()
  const { rows } = await client.query<{ name: string; login: boolean }>(
    'select rolname as name, rolcanlogin as login from pg_roles where rolname = any ($1)',
    [ROLES],
  )
  const unset: UnsetRole[] = []
  for (const name of ROLES) {
    const role = rows.find((row) => row.name === name)
    if (role === undefined) unset.push({ name, exists: false })
    // Made by hand for a backup to be restored: nobody signs in as it yet.
    else if (!role.login) unset.push({ name, exists: true })
    else if (!(await canLogIn(ownerUrl, name, rolePassword(name, secretKey)))) {
      await refuseIfInUse(client)
      unset.push({ name, exists: true })
    }
  }
  return unset
}

/** The role has the password of another key. It is left over only if neither this database nor another one on the server uses it. */
async function refuseIfInUse(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct d.datname as name
       from pg_shdepend s join pg_database d on d.oid = s.dbid
      where s.refclassid = 'pg_authid'::regclass and s.refobjid in (select oid from pg_roles where rolname = any ($1))
        and d.datname <> current_database()
      order by 1`,
    [ROLES],
  )
  if (rows.length > 0) {
    throw new Error(
      `Another Roadworthy with another SECRET_KEY uses this PostgreSQL server (database ${rows.map(({ name }) => name).join(', ')}). ` +
        `The roles ${ROLES.join(' and ')} belong to the whole server, so the two would lock each other out. ` +
        'Give this one a PostgreSQL server of its own, or the same SECRET_KEY.',
    )
  }
  // Set up before check values were stored.
  const unchecked = await client.query(
    `select 1 where to_regclass('schema_migrations') is not null and to_regclass('installation_key') is null`,
  )
  if (unchecked.rowCount === 1) throw wrongKey()
}

function wrongKey(): Error {
  return new Error(
    'This database was set up with another SECRET_KEY. Every process on it needs that one: bring back the value of the setting, or the ' +
      'file secret-key of the data folder that it was first started with. docs/operations.md describes what to do when it is lost.',
  )
}

async function applyRoles(client: pg.Client, unset: readonly UnsetRole[], secretKey: string): Promise<void> {
  await client.query('begin')
  for (const { name, exists } of unset) {
    const password = rolePassword(name, secretKey)
    await client.query(
      exists
        ? `alter role ${name} login nosuperuser nobypassrls password '${password}'`
        : `create role ${name} login nosuperuser nocreatedb nocreaterole nobypassrls password '${password}'`,
    )
  }
  await applyRoleSettings(client)
  await createKeyTable(client)
  await client.query('insert into installation_key (check_value) values ($1) on conflict do nothing', [checkValue(secretKey)])
  await client.query('commit')
}

async function createKeyTable(client: pg.Client): Promise<void> {
  // From here on other installations on this server see that the roles are in use. Granted once: Citus sends a grant to every node, and a process starts while one of them is away.
  const { rows: granted } = await client.query<{ name: string }>(
    `select a.grantee::regrole::text as name from pg_namespace n cross join aclexplode(n.nspacl) a
      where n.nspname = 'public' and a.privilege_type = 'USAGE' and a.grantee = any ($1::text[]::regrole[])`,
    [ROLES],
  )
  const missing = ROLES.filter((role) => !granted.some(({ name }) => name === role))
  if (missing.length > 0) await client.query(`grant usage on schema public to ${missing.join(', ')}`)
  await client.query(
    `create table if not exists installation_key (
       only_one boolean primary key default true check (only_one), check_value text not null, set_at timestamptz not null default now()
     )`,
  )
}

/**
 * What a schema needs before it is built for a backup: the roles, without a password where they are missing, and an empty table for the check value. In a
 * transaction of the caller's.
 */
export async function prepareRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select rolname as name from pg_roles where rolname = any ($1)', [ROLES])
  for (const role of ROLES) if (!rows.some(({ name }) => name === role)) await client.query(`create role ${role} nologin`)
  await createKeyTable(client)
}

/** Throws where `provisionRoles` would refuse this key, and changes nothing. */
export async function refuseOtherKey(client: pg.Client, ownerUrl: string, secretKey: string): Promise<void> {
  await findUnsetRoles(client, ownerUrl, secretKey)
}

/**
 * What `db.ts` sets in each session that it opens, for sessions that a pooler opens. Commits are flushed where the server would not; its operator's
 * other values of that setting are left as they are.
 */
async function applyRoleSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; config: string[] }>(
    `select rolname as name, coalesce(rolconfig, '{}') as config from pg_roles where rolname = any ($1)`,
    [ROLES],
  )
  const { rows: servers } = await client.query<{ commits: string }>(
    `select reset_val as commits from pg_settings where name = 'synchronous_commit'`,
  )
  const wanted: Record<string, string> = Object.fromEntries(Object.entries(SESSION_TIMEOUTS).map(([name, ms]) => [name, `${ms}`]))
  if (servers[0]?.commits === 'off') wanted['synchronous_commit'] = 'on'
  for (const { name: role, config } of rows) {
    for (const [name, value] of Object.entries(wanted)) {
      if (!config.includes(`${name}=${value}`)) await client.query(`alter role ${role} set ${name} = '${value}'`)
    }
  }
}

async function readCheckValue(client: pg.Client): Promise<string | undefined> {
  const found = await client.query(`select 1 where to_regclass('installation_key') is not null`)
  if (found.rowCount === 0) return undefined
  const { rows } = await client.query<{ check_value: string }>('select check_value from installation_key')
  return rows[0]?.check_value
}

/** Distinguishes keys without disclosing anything of them. */
export function checkValue(secretKey: string): string {
  return createHmac('sha256', secretKey).update('roadworthy installation key').digest('base64url')
}

async function canLogIn(ownerUrl: string, role: string, password: string): Promise<boolean> {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = password
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    // 28P01: invalid password. Anything else, such as an address that pg_hba.conf keeps out, does not concern the key.
    if ((error as { code?: unknown }).code === '28P01') return false
    throw error
  }
}
