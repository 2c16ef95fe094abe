// Forward-only migrations: numbered .sql files, each in its own transaction, under an advisory lock so that several processes may start
// at once. A file that was applied must never change; its hash is kept.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { APP_ROLE, rolePassword, SYSTEM_ROLE } from './db.ts'

const LOCK_KEY = 7_305_512_240
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/** Creates the two login roles if needed, then applies what is missing. Returns the names applied. Errors say which file and why. */
export async function migrate(ownerUrl: string, options: { directory: string; secretKey: string }): Promise<string[]> {
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

async function provisionRoles(client: pg.Client, ownerUrl: string, secretKey: string): Promise<void> {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    const password = rolePassword(role, secretKey)
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
    if (rowCount === 0) {
      await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole nobypassrls password '${password}'`)
    } else if (!(await canLogIn(ownerUrl, role, password))) {
      await client.query(`alter role ${role} login nosuperuser nobypassrls password '${password}'`)
    }
  }
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
    // 28P01 invalid password, 28000 no login allowed: both are mended by the caller. Anything else is a real failure.
    if (/^28/.test(String((error as { code?: unknown }).code))) return false
    throw error
  }
}

type Migration = { name: string; sql: string; sha256: string }

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      if (!FILE_NAME.test(name)) throw new Error(`migration ${name} is not named NNNN_what.sql`)
      const sql = await readFile(path.join(directory, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(
    `create table if not exists schema_migrations (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now()
     )`,
  )
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations')
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  for (const name of applied.keys()) {
    if (!migrations.some((migration) => migration.name === name)) {
      throw new Error(`the database holds migration ${name}, which this version does not know: it was used by a newer version`)
    }
  }
  const done: string[] = []
  for (const { name, sql, sha256 } of migrations) {
    const known = applied.get(name)
    if (known === sha256) continue
    if (known !== undefined) throw new Error(`migration ${name} was changed after it was applied; add a new one instead`)
    await client.query('begin')
    try {
      await client.query(sql)
      await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
    done.push(name)
  }
  return done
}
