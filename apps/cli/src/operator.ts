// Operator commands speak to the instance's database: whoever can read its data folder, or knows its DATABASE_URL, owns it anyway.

import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Author } from '@roadworthy/platform/audit/audit'
import { ensureAuditPartition } from '@roadworthy/platform/main/database/audit-partition'
import { keptSecretKey } from '@roadworthy/platform/main/secret-key'
import { DatabaseSettingsSchema } from '@roadworthy/platform/main/settings/settings'
import { type Database, databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { findRunningPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { type Environment, formatProblems, loadSettings } from '@roadworthy/service-kit/process/settings'
import { CommandFailure, exitCodes, NothingThere } from './failure.ts'

/** Runs with the database of the instance and closes it. `DATABASE_URL` names one; else it is the embedded one of the data folder. */
export async function withDatabase<T>(env: Environment, dataDir: string, run: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(databaseUrlsOf(env, dataDir), { appConnections: 1, systemConnections: 1, onError: () => {} })
  try {
    await ensureAuditPartition(database.systemPool, new Date())
    return await run(database)
  } catch (error) {
    throw explain(error, dataDir)
  } finally {
    await database.close()
  }
}

/** Who the audit log names for a change by the command line: the account it runs under. */
export function operatorAuthor(resellerId: string, at: Date): Author {
  return { resellerId, type: 'cli', id: accountName(), at }
}

function accountName(): string {
  try {
    return userInfo().username
  } catch (error) {
    // A container may run under a number that no account has.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

export function databaseUrlsOf(env: Environment, dataDir: string) {
  const loaded = loadSettings(DatabaseSettingsSchema, [], env)
  if (loaded.kind !== 'settings') {
    throw new CommandFailure(loaded.kind === 'problems' ? formatProblems(loaded.problems) : '', exitCodes.usage)
  }
  const { databaseUrl, databaseSessionUrl, secretKey } = loaded.secrets
  try {
    // A pooler is for services: a command takes a session of its own.
    const url = databaseSessionUrl ?? databaseUrl ?? findRunningPostgres(dataDir)
    if (url === undefined) throw nothingRuns(dataDir)
    return databaseUrls(url, secretKey ?? requireKeptSecretKey(dataDir))
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    throw new CommandFailure(`${path} cannot be read (${code}). Run this as the user who runs Roadworthy.`, exitCodes.notAllowed, error)
  }
}

/** That of the service: `SECRET_KEY`, or the one that it keeps in its data folder. */
export function requireSecretKey(env: Environment, dataDir: string): string {
  const loaded = loadSettings(DatabaseSettingsSchema, [], env)
  const given = loaded.kind === 'settings' ? loaded.secrets.secretKey : undefined
  return given ?? requireKeptSecretKey(dataDir)
}

function requireKeptSecretKey(dataDir: string): string {
  const key = keptSecretKey(dataDir)
  if (key !== undefined) return key
  throw new CommandFailure(`There is no ${join(dataDir, 'secret-key')}. Set SECRET_KEY to the one that the service runs with.`)
}

function nothingRuns(dataDir: string): NothingThere {
  const fix = `Start it with "npx roadworthy up --data-dir ${dataDir}", name another with --data-dir, or set DATABASE_URL and SECRET_KEY.`
  if (!existsSync(dataDir)) return new NothingThere(`There is no folder ${dataDir}, so no Roadworthy runs on it. ${fix}`)
  if (!statSync(dataDir).isDirectory()) return new NothingThere(`${dataDir} is not a folder, so no Roadworthy runs on it. ${fix}`)
  return new NothingThere(`No Roadworthy with a database of its own runs on ${dataDir}. ${fix}`)
}

/** PostgreSQL's refusals (class 28: authorisation; 42P01: no such table; 57P03: starting up) in words that name what to do. */
function explain(error: unknown, dataDir: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  if (typeof code !== 'string') return error
  if (code.startsWith('28')) {
    const fix = `SECRET_KEY, or ${join(dataDir, 'secret-key')}, must be the one that the service runs with.`
    return new CommandFailure(`The database refuses the password that follows from the secret key. ${fix}`, exitCodes.notAllowed, error)
  }
  if (code === '42P01')
    return new CommandFailure('The database is empty. Start the service on it once; that makes the tables.', undefined, error)
  if (code === '57P03') return new CommandFailure('The database is still starting. Try again in a moment.', undefined, error)
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return new NothingThere(`The database does not answer (${message}). Is it running?`, undefined, error)
  }
  return error
}
