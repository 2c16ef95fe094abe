// Continuous archiving of the write-ahead log of the embedded PostgreSQL, by its own module basic_archive: it copies each segment under another name, flushes it, and renames
// it; a file that is there already is never replaced, and counts as archived only when it has the same bytes (https://www.postgresql.org/docs/18/basic-archive.html).

import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, accountNameOf, canWrite } from './postgres-account.ts'

export type WalArchive = {
  readonly folder: string
  /** A segment that is not full is archived after so long, so that no more than this is lost with the machine. */
  readonly timeoutS: number
}

/** In the home of the cluster: how it was archived last, for programs that start the server in the service's place. */
const NOTE = 'wal-archive.json'

/** `as before`: as the service has it, which is noted in the home. */
export function resolveWalArchive(
  homePath: string,
  given: WalArchive | 'as before' | undefined,
  account: Account | undefined,
): WalArchive | undefined {
  const notePath = join(homePath, NOTE)
  const archive = given === 'as before' ? readNote(notePath) : given
  if (archive === undefined) {
    rmSync(notePath, { force: true })
    return undefined
  }
  const { timeoutS } = archive
  const folder = prepareFolder(archive.folder, account)
  writeFileSync(notePath, `${JSON.stringify({ folder, timeoutS } satisfies WalArchive)}\n`)
  return { folder, timeoutS }
}

/** Settings of the server. */
export function walArchiveSettings(archive: WalArchive | undefined): Record<string, string> {
  if (archive === undefined) return {}
  return {
    archive_mode: 'on',
    archive_library: "'basic_archive'",
    'basic_archive.archive_directory': settingText(archive.folder),
    archive_timeout: `${archive.timeoutS}s`,
  }
}

/** A text as the configuration file has it. */
export function settingText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function readNote(notePath: string): WalArchive | undefined {
  return existsSync(notePath) ? (JSON.parse(readFileSync(notePath, 'utf8')) as WalArchive) : undefined
}

/** The server refuses to start where the folder is not there, and retries for ever where it may not write. */
function prepareFolder(given: string, account: Account | undefined): string {
  if (!existsSync(given)) {
    mkdirSync(dirname(given), { recursive: true })
    mkdirSync(given, { mode: 0o700 })
    if (account !== undefined) chownSync(given, account.uid, account.gid)
  }
  const folder = realpathSync(given)
  if (!statSync(folder).isDirectory()) throw new Error(`WAL_ARCHIVE_DIR ${folder} is a file. Name a folder.`)
  if (canWrite(account, folder)) return folder
  throw new Error(
    `WAL_ARCHIVE_DIR ${folder} cannot be written by ${accountNameOf(account)}, as which PostgreSQL runs. Give it the folder (chown -R).`,
  )
}
