import { resolve } from 'node:path'
import { type LastBackup, writeLastBackup } from '@roadworthy/platform/backup/last-backup'
import type { Command } from 'commander'
import {
  type At,
  databaseUrlOption,
  megabytes,
  type PassphraseGiven,
  passphraseOption,
  readPassphrase,
  targetOf,
} from '../backup-options.ts'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { type BackupToMake, makeBackup, makeBaseBackup } from '../make-backup.ts'
import { stopOnSignals } from '../stop-signals.ts'

type BackupOptions = At & PassphraseGiven & { to: string; base?: boolean; secretKey: boolean; history: boolean }

export function addBackup(program: Command, surroundings: Surroundings): void {
  program
    .command('backup')
    .description('write everything of an instance into a new folder, while it runs: the database, the files of its history, its secret key')
    .addOption(new RequiredOption('--to <folder>', 'where nothing is yet; it appears when the backup is whole'))
    .addOption(databaseUrlOption())
    .addOption(passphraseOption())
    .option(
      '--base',
      'a base backup of the embedded PostgreSQL: its files, which go with the archived log (WAL_ARCHIVE_DIR) for a restore to any moment',
    )
    .option('--no-secret-key', 'without the secret key: what is encrypted in the database can then be read with a copy of the key only')
    .option('--no-history', 'without the files of the history, which then have to be kept by other means')
    .addHelpText(
      'after',
      examples(
        'npx roadworthy backup --to backups/first --passphrase-file passphrase.txt',
        'npx roadworthy backup --to backups/without-key --no-secret-key --json',
      ),
    )
    .action(handle<BackupOptions>(surroundings, backup))
}

async function backup(context: Context, options: BackupOptions): Promise<void> {
  const passphrase = options.secretKey ? readPassphrase(context, options) : undefined
  if (options.secretKey && passphrase === undefined) {
    const fix = 'Give --passphrase-file, or set BACKUP_PASSPHRASE; --no-secret-key makes a backup without the key.'
    throw new CommandFailure(`The secret key is encrypted with a passphrase. ${fix}`, exitCodes.usage)
  }
  const to = resolve(context.cwd, options.to)
  const target = targetOf(context, options)
  if (options.base === true)
    return await backUpBase(context, { target, to, passphrase, isHistoryLeftOut: !options.history, signal: stopOnSignals() })
  const made = await makeBackup(context, { target, to, passphrase, isHistoryLeftOut: !options.history, signal: stopOnSignals() })
  const { tables, history, notIncluded, snapshotAt, keys } = made.manifest
  recordBackup(context, { folder: made.folder, kind: 'rows', as_of: snapshotAt, database: made.database })
  const rows = tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const files = history.isIncluded ? history.files.length : 0
  const answer = {
    ...{ folder: made.folder, bytes: made.bytes, as_of: snapshotAt, tables: tables.length, rows, history_files: files },
    ...{ secret_key: keys !== null, not_included: notIncluded },
  }
  context.out.answer(answer, () =>
    [
      `${made.folder}: ${megabytes(made.bytes)}, as of ${snapshotAt}`,
      `  included      ${rows} rows of ${tables.length} tables, ${files} files of the history${keys === null ? '' : ', the secret key and the first credentials (encrypted)'}`,
      ...notIncluded.map(({ what, why }) => `  not included  ${what}: ${why}.`),
    ].join('\n'),
  )
}

async function backUpBase(context: Context, { passphrase, ...wanted }: BackupToMake): Promise<void> {
  if (passphrase === undefined)
    throw new CommandFailure('A base backup has the passwords of its database and is never without a passphrase.', exitCodes.usage)
  const { folder, bytes, manifest, database } = await makeBaseBackup(context, { ...wanted, passphrase })
  const { startedAt, startWal, stopWal, files } = manifest
  recordBackup(context, { folder, kind: 'base', as_of: startedAt, database })
  const answer = { folder, bytes, started_at: startedAt, first_wal: startWal, last_wal: stopWal, files: files.length }
  context.out.answer(answer, () =>
    [
      `${folder}: ${megabytes(bytes)} in ${files.length} files of PostgreSQL, begun ${startedAt}`,
      `  needs         the archived log from ${startWal} on, and up to ${stopWal} at least`,
    ].join('\n'),
  )
}

/** For `upgrade`, which asks for a recent one. */
function recordBackup({ instance, out }: Context, made: LastBackup): void {
  if (!writeLastBackup(instance.dataDir, made))
    out.note(`There is no ${instance.dataDir} to note this backup in: name it to "npx roadworthy upgrade" with --backup.`)
}
