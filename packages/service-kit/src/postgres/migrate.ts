// Forward-only migrations: numbered .sql files, each in its own transaction, under an advisory lock so that several processes may start
// at once. A file that was applied must never change; its hash is kept. Older processes go on beside a newer schema, and an older version
// may be started on it again (expand, then contract), unless a newer file has the line `-- breaking`.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { prepareRoles, provisionRoles } from './database-roles.ts'
import { splitStatements } from './split-statements.ts'

const LOCK_KEY = 7_305_512_240
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
/** The line that marks that no process of a version without this migration may run beside it or after it. */
const BREAKING_LINE = /^-- breaking\b/m
/** A migration that waits for a lock holds up every statement that comes after it, so it waits shortly and often. */
const LOCK_WAIT_MS = 500
/**
 * An autovacuum gives way to whoever has waited for it for PostgreSQL's `deadlock_timeout`, 1 s unless set, and of a large table takes longer
 * than all attempts together. Statements of the service wait for up to 2 s.
 */
const LONG_LOCK_WAIT_MS = 1_500
const LONG_WAIT_EVERY = 5
const LOCK_RETRY_MS = 500
const LOCK_ATTEMPTS = 60
/** Lock not available, and deadlock. */
const LOCK_SQLSTATES = new Set(['55P03', '40P01'])

export type Migrated = {
  readonly applied: readonly string[]
  /** What a newer version applied and this one does not know: it was made to go on beside it. */
  readonly newer: readonly string[]
}

/**
 * Refuses a secret key that the database was not set up with, creates the two login roles if needed, then applies what is missing. Errors
 * name the file and the reason.
 */
export async function migrate(ownerUrl: string, options: { directory: string; secretKey: string }): Promise<Migrated> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000, application_name: 'roadworthy-migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    await provisionRoles(client, ownerUrl, options.secretKey)
    return await applyMissing(client, await readMigrations(options.directory))
  } finally {
    await client.end()
  }
}

export type Migration = { readonly name: string; readonly sql: string; readonly sha256: string; readonly isBreaking: boolean }

/** In the order in which they are applied. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      if (!FILE_NAME.test(name)) throw new Error(`migration ${name} is not named NNNN_what.sql`)
      const sql = await readFile(path.join(directory, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex'), isBreaking: BREAKING_LINE.test(sql) }
    }),
  )
}

/**
 * Until the end of the caller's transaction nobody else migrates this database; who starts on it meanwhile waits. For as long as it takes, whatever the
 * session's limit is: the process that has the lock may be restoring a large backup.
 */
export async function lockSchema(client: pg.Client): Promise<void> {
  await client.query('set lock_timeout = 0')
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY])
  await client.query('reset lock_timeout')
}

/**
 * The schema as it was when these had been applied and no others: for a backup to be loaded into. In a transaction of the caller's, on an empty database;
 * roles that are missing are created without a password, which `migrate` gives them.
 */
export async function buildSchema(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await prepareRoles(client)
  await client.query(CREATE_SCHEMA_MIGRATIONS)
  for (const migration of migrations) await record(client, migration)
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<Migrated> {
  await prepareTable(client)
  const { pending, newer, refusal } = await planMigrations(client, migrations)
  if (refusal !== undefined) throw new Error(refusal)
  for (const migration of pending) await apply(client, migration)
  return { applied: pending.map(({ name }) => name), newer }
}

export type MigrationPlan = {
  /** Those of the database that this version knows, in order. */
  readonly known: readonly Migration[]
  /** What `migrate` would apply, in order. */
  readonly pending: readonly Migration[]
  /** Applied by a newer version, and made to be gone on beside. */
  readonly newer: readonly string[]
  /** Why `migrate` would apply nothing, and what to do; undefined where it would. */
  readonly refusal: string | undefined
}

/** What `migrate` would do. Reads only; an empty database has everything before it. */
export async function planMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<MigrationPlan> {
  const applied = await readApplied(client)
  const newer = applied.filter(({ name }) => !migrations.some((migration) => migration.name === name))
  const sha256Of = new Map(applied.map((row) => [row.name, row.sha256]))
  const known = migrations.filter(({ name }) => sha256Of.has(name))
  const breaking = newer.find((row) => row.breaking)
  const changed = known.find(({ name, sha256 }) => sha256Of.get(name) !== sha256)
  return {
    known,
    pending: migrations.filter(({ name }) => !sha256Of.has(name)),
    newer: newer.map(({ name }) => name),
    refusal:
      breaking !== undefined
        ? `the database was used by a newer version: its migration ${breaking.name} leaves nothing that this version could work with. Start the newer version, or restore a backup from before it.`
        : changed && `migration ${changed.name} was changed after it was applied; add a new one instead`,
  }
}

/** A table of before the mark has no column `breaking`. */
async function readApplied(client: pg.Client): Promise<{ name: string; sha256: string; breaking: boolean }[]> {
  const found = await client.query(`select 1 where to_regclass('schema_migrations') is not null`)
  if (found.rowCount === 0) return []
  const { rows } = await client.query<{ name: string; sha256: string; breaking: boolean }>(
    `select name, sha256, coalesce((to_jsonb(m) ->> 'breaking')::boolean, false) as breaking from schema_migrations m order by name`,
  )
  return rows
}

const CREATE_SCHEMA_MIGRATIONS = `create table if not exists schema_migrations (
  name text primary key, sha256 text not null, applied_at timestamptz not null default now(), breaking boolean not null default false
)`

/** Alters nothing that is there already: even a statement without effect would wait for a backup that reads the table. */
async function prepareTable(client: pg.Client): Promise<void> {
  await client.query(CREATE_SCHEMA_MIGRATIONS)
  const { rowCount } = await client.query(
    `select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'breaking' and not attisdropped`,
  )
  if (rowCount === 0) {
    await inTransaction(client, 'schema_migrations', () =>
      client.query('alter table schema_migrations add column breaking boolean not null default false'),
    )
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await inTransaction(client, migration.name, () => record(client, migration))
}

async function record(client: pg.Client, { name, sql, sha256, isBreaking }: Migration): Promise<void> {
  // Citus sends the text of a change of a table to its nodes, and the whole text where several statements are in it, which they refuse.
  const hasCitus = (await client.query(`select from pg_extension where extname = 'citus'`)).rowCount === 1
  for (const statement of hasCitus ? splitStatements(sql) : [sql]) await client.query(statement)
  await client.query('insert into schema_migrations (name, sha256, breaking) values ($1, $2, $3)', [name, sha256, isBreaking])
}

/** Begins anew when a lock was not given in time: until then nobody was kept waiting for longer than that. */
async function inTransaction(client: pg.Client, name: string, run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query(`begin; set local lock_timeout = ${attempt % LONG_WAIT_EVERY === 0 ? LONG_LOCK_WAIT_MS : LOCK_WAIT_MS}`)
    try {
      await run()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!LOCK_SQLSTATES.has(String((error as { code?: unknown }).code))) {
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
      }
      if (attempt === LOCK_ATTEMPTS) {
        throw new Error(
          `migration ${name} needs a table that another session holds, a backup or a long query (pg_stat_activity shows it); nothing was changed. Start again when it has ended.`,
          { cause: error },
        )
      }
    }
    await delay(LOCK_RETRY_MS)
  }
}
