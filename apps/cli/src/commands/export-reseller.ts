import { resolve } from 'node:path'
import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import { openHistory } from '@roadworthy/platform/history/history-place'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { exportReseller, type MadeExport } from '@roadworthy/platform/moving/export-reseller'
import { SERVICE_VERSION } from '@roadworthy/platform/surfaces/service-version'
import { readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import type { Command } from 'commander'
import {
  type At,
  databaseUrlOption,
  historyPlaceFor,
  megabytes,
  type PassphraseGiven,
  passphraseOption,
  readPassphrase,
  secretKeyOf,
  targetOf,
  withOwnerUrl,
} from '../backup-options.ts'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { drainEffects } from '../drain-effects.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { stopOnSignals } from '../stop-signals.ts'

type ExportOptions = At & PassphraseGiven & { reseller: string; to: string; secrets: boolean }

/** What `export` does by itself; trained models are exported by a command below it. */
export function addExportOfReseller(command: Command, surroundings: Surroundings): void {
  command
    .addOption(new RequiredOption('--reseller <slug>', 'who moves, with everything of theirs'))
    .addOption(new RequiredOption('--to <folder>', 'where nothing is yet; it appears when the export is whole'))
    .addOption(databaseUrlOption())
    .addOption(passphraseOption())
    .option('--no-secrets', 'without secrets, and without hashes of keys and passwords: for reading, and not for an import')
    .addHelpText(
      'after',
      examples(
        'npx roadworthy export --reseller roadworthy --to moved --passphrase-file passphrase.txt',
        'npx roadworthy export --reseller roadworthy --to to-read --no-secrets --json',
      ),
    )
    .action(handle<ExportOptions>(surroundings, run))
}

async function run(context: Context, options: ExportOptions): Promise<void> {
  const passphrase = options.secrets ? readPassphrase(context, options) : undefined
  if (options.secrets && passphrase === undefined) {
    const fix = 'Give --passphrase-file, or set BACKUP_PASSPHRASE; --no-secrets makes an export for reading only.'
    throw new CommandFailure(`Secrets are encrypted with a passphrase. ${fix}`, exitCodes.usage)
  }
  const made = await makeExport(context, options, passphrase)
  const { tables, readings, notIncluded, snapshotAt, keys } = made.manifest
  const count = (entries: readonly { rowCount: number }[]) => entries.reduce((sum, { rowCount }) => sum + rowCount, 0)
  const answer = {
    ...{ folder: made.folder, bytes: made.bytes, as_of: snapshotAt, reseller: options.reseller, tables: tables.length },
    ...{ rows: count(tables), readings: count(readings), secrets: keys !== null, not_included: notIncluded },
  }
  context.out.answer(answer, () =>
    [
      `${made.folder}: ${megabytes(made.bytes)}, as of ${snapshotAt}`,
      `  included      ${answer.rows} rows of ${tables.length} tables, ${answer.readings} readings in ${readings.length} files${keys === null ? '' : ', secrets (encrypted)'}`,
      `  not included  ${notIncluded.map(({ what }) => what).join(', ')}; manifest.json has the reasons`,
      `  next          npx roadworthy import ${options.to}, where the other installation is`,
    ].join('\n'),
  )
}

async function makeExport(context: Context, options: ExportOptions, passphrase: string | undefined): Promise<MadeExport> {
  const { cwd, now, out } = context
  const target = targetOf(context, options)
  const place = historyPlaceFor(context, target.databaseUrl === undefined)
  const history = place === undefined ? undefined : await openHistory(place)
  const progress = out.progress('export')
  try {
    return await withOwnerUrl(context, target, async (ownerUrl) =>
      exportReseller({
        ...{ ownerUrl, secretKey: secretKeyOf(context, target), resellerId: options.reseller, to: resolve(cwd, options.to), passphrase },
        ...{
          duckdb: await loadDuckdb(),
          history: history?.store,
          productVersion: SERVICE_VERSION,
          migrations: await readMigrations(MIGRATIONS),
        },
        drain: async () => drainEffects(ownerUrl, secretKeyOf(context, target)),
        ...{ now: now(), signal: stopOnSignals(), onProgress: (share, name) => progress.update(share, name) },
      }),
    )
  } finally {
    progress.end()
    history?.close()
  }
}
