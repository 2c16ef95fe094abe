// What backup, restore and drill have in common: passphrases, the database that is meant, and where its history is.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { HistoryPlace } from '@roadworthy/platform/history/history-place'
import { keptSecretKey } from '@roadworthy/platform/main/secret-key'
import { findHistoryContradictions, historyPlaceOf } from '@roadworthy/platform/main/settings/history-settings'
import { DatabaseSettingsSchema, HistorySettingsSchema } from '@roadworthy/platform/main/settings/settings'
import { findRunningPostgres, startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { formatProblems, loadSettings } from '@roadworthy/service-kit/process/settings'
import { Option } from 'commander'
import { type Context, urlOf } from './command.ts'
import { secretOf } from './environment-secret.ts'
import { CommandFailure, exitCodes, NothingThere } from './failure.ts'

const PASSPHRASE_VARIABLE = 'BACKUP_PASSPHRASE'

export type At = { readonly databaseUrl?: string }
export type PassphraseGiven = { readonly passphraseFile?: string }

export function databaseUrlOption(): Option {
  const description = 'a PostgreSQL of your own, as its owner; DATABASE_URL unless given, else the embedded one of the data folder'
  return new Option('--database-url <url>', description).argParser(urlOf('postgres:', 'postgresql:'))
}

export function passphraseOption(): Option {
  return new Option('--passphrase-file <file>', `file whose first line is the passphrase; ${PASSPHRASE_VARIABLE} unless given`)
}

/** Undefined: none was given. */
export function readPassphrase({ env, cwd }: Context, { passphraseFile }: PassphraseGiven): string | undefined {
  if (passphraseFile === undefined) return secretOf(env, PASSPHRASE_VARIABLE)
  const file = resolve(cwd, passphraseFile)
  try {
    const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/)
    if (line !== '') return line
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, exitCodes.usage, error)
  }
  throw new CommandFailure(`The first line of ${file} is empty; it has to be the passphrase.`, exitCodes.usage)
}

export type Target = {
  /** Undefined: the embedded one of the data folder. */
  readonly databaseUrl: string | undefined
  /** As set; undefined: the one that the data folder keeps, if it does. */
  readonly secretKey: string | undefined
}

export function targetOf({ env }: Context, { databaseUrl }: At): Target {
  const loaded = loadSettings(DatabaseSettingsSchema, [], env)
  if (loaded.kind !== 'settings') {
    throw new CommandFailure(loaded.kind === 'problems' ? formatProblems(loaded.problems) : '', exitCodes.usage)
  }
  const { databaseUrl: set, databaseSessionUrl, secretKey } = loaded.secrets
  // A pooler is for services: a snapshot and a restore need a session.
  return { databaseUrl: databaseUrl ?? databaseSessionUrl ?? set, secretKey }
}

export function secretKeyOf({ instance }: Context, { secretKey }: Target): string | undefined {
  return secretKey ?? keptSecretKey(instance.dataDir)
}

/** Runs with the owner's address of the database. An embedded one that does not run is started for it, and stopped. */
export async function withOwnerUrl<T>({ instance, out }: Context, target: Target, run: (ownerUrl: string) => Promise<T>): Promise<T> {
  const { dataDir } = instance
  const url = target.databaseUrl ?? findRunningPostgres(dataDir)
  if (url !== undefined) return await run(url)
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new NothingThere(`There is no instance in ${dataDir}. Name its folder with --data-dir, or its database with --database-url.`)
  }
  out.note(`No service runs on ${dataDir}: its PostgreSQL is started for this, and stopped again.`)
  const server = await startEmbeddedPostgres({ dataDir, walArchive: 'as before', log: (message) => out.note(message) })
  return await run(server.url).finally(() => server.stop())
}

function historySettingsOf({ env, instance }: Context) {
  const loaded = loadSettings(HistorySettingsSchema, [], { ...env, DATA_DIR: instance.dataDir })
  if (loaded.kind === 'settings') return loaded
  throw new CommandFailure(loaded.kind === 'problems' ? formatProblems(loaded.problems) : '', exitCodes.usage)
}

/** For how many days the service keeps readings. */
export function retentionDaysOf(context: Context): number {
  return historySettingsOf(context).settings.readingsRetentionDays
}

/** Undefined: none is set. */
export function historyPlaceFor(context: Context, isEmbedded: boolean): HistoryPlace | undefined {
  const loaded = historySettingsOf(context)
  const problems = findHistoryContradictions(loaded.settings, loaded.secrets['historyS3SecretAccessKey'] !== undefined)
  if (problems.length > 0) throw new CommandFailure(formatProblems(problems), exitCodes.usage)
  return historyPlaceOf(loaded.settings, loaded.secrets['historyS3SecretAccessKey'], isEmbedded)
}

export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
