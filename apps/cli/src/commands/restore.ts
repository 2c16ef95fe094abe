import { resolve } from 'node:path'
import { restoreInstance } from '@roadworthy/platform/main/restore-instance'
import type { Command } from 'commander'
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
import { stopOnSignals } from '../stop-signals.ts'

type RestoreOptions = At & PassphraseGiven & { from: string; secretKey: boolean; verify?: boolean }

export function addRestore(program: Command, surroundings: Surroundings): void {
  program
    .command('restore')
    .description('make an instance of a backup, in an empty data folder or an empty database; nothing is ever replaced')
    .addOption(new RequiredOption('--from <folder>', 'the backup'))
    .addOption(databaseUrlOption())
    .addOption(passphraseOption())
    .option('--no-secret-key', 'although the key is not known: what is encrypted stays closed until somebody has it')
    .option('--verify', 'read every table back and compare it with the backup, before anything counts as restored')
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
