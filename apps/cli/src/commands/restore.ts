import { resolve } from 'node:path'
import { restoreBase } from '@roadworthy/platform/main/restore/restore-base'
import { restoreInstance } from '@roadworthy/platform/main/restore/restore-instance'
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type At,
  databaseUrlOption,
  historyPlaceFor,
  type PassphraseGiven,
  passphraseOption,
  readPassphrase,
  targetOf,
} from '../backup-options.ts'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { stopOnSignals } from '../stop-signals.ts'

type RestoreOptions = At & PassphraseGiven & FromLog & { from: string; secretKey: boolean; verify?: boolean }
type FromLog = { wal?: string; until?: Date; history?: string | boolean }

export function addRestore(program: Command, surroundings: Surroundings): void {
  program
    .command('restore')
    .description('make an instance of a backup, in an empty data folder or an empty database; nothing is ever replaced')
    .addOption(new RequiredOption('--from <folder>', 'the backup'))
    .addOption(databaseUrlOption())
    .addOption(passphraseOption())
    .option('--no-secret-key', 'although the key is not known: what is encrypted stays closed until somebody has it')
    .option('--verify', 'read every table back and compare it with the backup, before anything counts as restored')
    .option('--wal <folder>', 'the archived log, for a base backup (backup --base): everything that was committed up to its end')
    .addOption(new Option('--until <time>', 'and no further than this moment, as 2026-01-31T12:00:00Z').argParser(momentOf))
    .option(
      '--history <folder>',
      'copy of the folder of the history, for files that were sealed after the base backup and are not where the settings name it',
    )
    .option('--no-history', 'although such files are missing: what is in them cannot be read')
    .addHelpText(
      'after',
      examples(
        'npx roadworthy restore --from backups/first --passphrase-file passphrase.txt --data-dir restored',
        'npx roadworthy restore --from backups/first --passphrase-file passphrase.txt --data-dir verified --verify',
      ),
    )
    .action(handle<RestoreOptions>(surroundings, restore))
}

async function restore(context: Context, options: RestoreOptions): Promise<void> {
  if (options.wal !== undefined) return await restoreFromLog(context, options, options.wal)
  if (options.until !== undefined) throw new CommandFailure('--until goes with --wal: a backup of rows is of one moment.', exitCodes.usage)
  const { cwd, instance, out } = context
  const { databaseUrl, secretKey } = targetOf(context, options)
  const from = resolve(cwd, options.from)
  const progress = out.progress('restore')
  const restored = await restoreInstance({
    ...{
      from,
      passphrase: readPassphrase(context, options),
      dataDir: instance.dataDir,
      databaseUrl,
      secretKey,
      mayLackKey: !options.secretKey,
    },
    ...{ historyPlace: historyPlaceFor(context, databaseUrl === undefined), isCompared: options.verify === true, signal: stopOnSignals() },
    log: (message) => out.note(message),
    onProgress: (share, name) => progress.update(share, name),
  }).finally(() => progress.end())
  const { manifest, migrated, ended, compared, hasKey } = restored
  const rows = manifest.tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const files = manifest.history.isIncluded ? manifest.history.files.length : 0
  const where = databaseUrl === undefined ? instance.dataDir : 'the database'
  const answer = {
    ...{
      from,
      as_of: manifest.snapshotAt,
      rows,
      history_files: files,
      migrated,
      ended_sessions: ended.sessions,
      voided_links: ended.links,
    },
    ...{ verified: compared !== undefined, secret_key: hasKey },
  }
  out.answer(answer, () =>
    [
      `${from}, as of ${manifest.snapshotAt}, is restored into ${where}: ${rows} rows, ${files} files of the history`,
      ...(migrated.length === 0 ? [] : [`  migrated      ${migrated.length} steps further, to this version`]),
      ...(compared === undefined ? [] : [`  compared      ${compared.length} tables, all as in the backup`]),
      `  ended         ${ended.sessions} sessions, ${ended.links} links for passwords: sign in again, invite again`,
      ...(manifest.history.isIncluded || manifest.history.files.length === 0
        ? []
        : [
            `  not restored  ${manifest.history.files.length} files of the history, which are not in the backup: "roadworthy history verify" checks them`,
          ]),
      ...(hasKey ? [] : ['  not restored  the secret key: set SECRET_KEY to it before the start, which is refused with any other']),
      `  next          ${databaseUrl === undefined ? `npx roadworthy up --data-dir ${instance.dataDir}` : 'start the service with DATABASE_URL and this data folder'}`,
    ].join('\n'),
  )
}

async function restoreFromLog(context: Context, options: RestoreOptions, wal: string): Promise<void> {
  const { cwd, instance, out } = context
  const passphrase = readPassphrase(context, options)
  if (passphrase === undefined)
    throw new CommandFailure('Give the passphrase of the base backup: --passphrase-file, or BACKUP_PASSPHRASE.', exitCodes.usage)
  if (targetOf(context, options).databaseUrl !== undefined) {
    throw new CommandFailure('--wal restores into a data folder: DATABASE_URL and --database-url are not for it.', exitCodes.usage)
  }
  const from = resolve(cwd, options.from)
  const progress = out.progress('restore')
  const { ended, lastCommitAt, lackingFiles } = await restoreBase({
    ...{
      from,
      passphrase,
      wal: resolve(cwd, wal),
      until: options.until,
      dataDir: instance.dataDir,
      historyPlace: historyPlaceFor(context, true),
    },
    historyFrom: typeof options.history === 'string' ? resolve(cwd, options.history) : undefined,
    ...{ mayLackHistory: options.history === false, signal: stopOnSignals(), log: (message) => out.note(message) },
    onProgress: (share, name) => progress.update(share, name),
  }).finally(() => progress.end())
  const at = lastCommitAt?.toISOString() ?? null
  const answer = {
    from,
    last_commit_at: at,
    ended_sessions: ended.sessions,
    voided_links: ended.links,
    lacking_history_files: lackingFiles,
  }
  out.answer(answer, () =>
    [
      `${from} is restored into ${instance.dataDir}, up to what was committed at ${at ?? 'the base backup'}`,
      `  ended         ${ended.sessions} sessions, ${ended.links} links for passwords: sign in again, invite again`,
      ...(lackingFiles === 0 ? [] : [`  not restored  ${lackingFiles} files of the history`]),
      `  next          npx roadworthy up --data-dir ${instance.dataDir}, with another WAL_ARCHIVE_DIR than before, and a new base backup`,
    ].join('\n'),
  )
}

function momentOf(text: string): Date {
  const moment = new Date(text)
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text) && !Number.isNaN(moment.getTime())) return moment
  throw new InvalidArgumentError('It is a moment with its offset, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00.')
}
