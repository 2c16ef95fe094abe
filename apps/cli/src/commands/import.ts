import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import { withSealingSession } from '@roadworthy/platform/history/sealing-session'
import { ensurePartitionsOf } from '@roadworthy/platform/main/database/partitions'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { resolveSecretKey } from '@roadworthy/platform/main/secret-key'
import { type Imported, importReseller, isEmptyDatabase } from '@roadworthy/platform/moving/import-reseller'
import { openExport } from '@roadworthy/platform/moving/read-export'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import type { Command } from 'commander'
import {
  type At,
  databaseUrlOption,
  historyPlaceFor,
  type PassphraseGiven,
  passphraseOption,
  readPassphrase,
  secretKeyOf,
  type Target,
  targetOf,
  withOwnerUrl,
} from '../backup-options.ts'
import { type Context, examples, handle, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { addPastOptions, importPast, type PastOptions, pastOptionGiven } from '../import-past.ts'
import { operatorAuthor } from '../operator.ts'
import { Stopped, stopOnSignals } from '../stop-signals.ts'

type ImportOptions = At & PassphraseGiven & PastOptions

export function addImport(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('import')
    .description(
      'take in a reseller that was exported elsewhere, or readings of before from CSV or from Traccar, while the service runs; nothing is ever replaced',
    )
    .argument('[folder]', 'the export of a reseller; it may come before the first start of the service too')
    .addOption(databaseUrlOption())
    .addOption(passphraseOption())
  addPastOptions(command)
  command
    .addHelpText(
      'after',
      examples(
        'npx roadworthy import moved --passphrase-file passphrase.txt',
        'npx roadworthy import --csv readings.csv --create-devices --check',
        'npx roadworthy import --csv readings.csv --create-devices --unit speed=mph --skip-invalid',
        'npx roadworthy import --traccar traccar --create-devices --time-zone Europe/Berlin',
      ),
    )
    .action(handle<ImportOptions>(surroundings, run))
}

async function run(context: Context, options: ImportOptions, folder: string | undefined): Promise<void> {
  refuseMixed(options, folder)
  if (folder === undefined) await importPast(context, options)
  else await importExport(context, options, folder)
}

/** Each way has options that mean nothing to the others. */
function refuseMixed(options: ImportOptions, folder: string | undefined): void {
  const { csv, traccar } = options
  const ways = [folder, csv, traccar].filter((each) => each !== undefined)
  if (ways.length !== 1) {
    throw new CommandFailure('Name one thing to import: the folder of an export, --csv FILE, or --traccar URL or folder.', exitCodes.usage)
  }
  const given = folder === undefined ? options.passphraseFile && '--passphrase-file' : pastOptionGiven(options)
  if (given !== undefined) {
    const fix = folder === undefined ? 'is for the export of a reseller' : 'is for --csv and --traccar'
    throw new CommandFailure(`${given} ${fix}; leave it out.`, exitCodes.usage)
  }
}

async function importExport(context: Context, options: ImportOptions, folder: string): Promise<void> {
  const { cwd, out } = context
  const from = resolve(cwd, folder)
  const moved = await openExport(from, readPassphrase(context, options))
  const { isResumed, rowCount, readings } = await importInto(context, targetOf(context, options), moved).catch((error: unknown) => {
    if (error instanceof Stopped) out.note('Stopped. What is stored stays. Run the same command again to go on: nothing is stored twice.')
    throw error
  })
  const { resellerId, snapshotAt } = moved.manifest
  const answer = {
    ...{ from, reseller: resellerId, as_of: snapshotAt, rows: rowCount, resumed: isResumed },
    ...{ readings_stored: readings.newCount, readings_known: readings.knownCount },
  }
  out.answer(answer, () =>
    [
      `${from}, as of ${snapshotAt}, is imported: the reseller "${resellerId}"`,
      `  rows          ${rowCount}${isResumed ? ', which were there from the import before' : ', compared with the export'}`,
      `  readings      ${readings.newCount} stored, ${readings.knownCount} were there`,
      '  switched off  connections to streams, operators and payment gateways: switch on those that the other installation has given up',
      `  next          npx roadworthy users invite --reseller ${resellerId} --email … for each person: passwords do not move`,
    ].join('\n'),
  )
}

type Export = Awaited<ReturnType<typeof openExport>>

async function importInto(context: Context, target: Target, moved: Export): Promise<Imported> {
  const { instance, out } = context
  if (target.databaseUrl !== undefined || existsSync(join(instance.dataDir, 'postgres'))) {
    return await withOwnerUrl(context, target, (ownerUrl) =>
      importAt(context, target, { ownerUrl, moved, secretKey: secretKeyOf(context, target) }),
    )
  }
  // Before its first start, which would make a reseller of its own: so an instance can be the new home of the first reseller of another.
  out.note(`There is no instance in ${instance.dataDir}: one is made, which the service is started on afterwards.`)
  const secretKey = resolveSecretKey(instance.dataDir, target.secretKey)
  const server = await startEmbeddedPostgres({ dataDir: instance.dataDir, log: (message) => out.note(message) })
  return await importAt(context, target, { ownerUrl: server.url, moved, secretKey }).finally(() => server.stop())
}

type Place = { readonly ownerUrl: string; readonly moved: Export; readonly secretKey: string | undefined }

async function importAt(context: Context, target: Target, { ownerUrl, moved, secretKey }: Place): Promise<Imported> {
  const { now, out } = context
  if (secretKey === undefined) {
    throw new CommandFailure('The secret key is not known here: set SECRET_KEY to the one that the service runs with.', exitCodes.usage)
  }
  if (await isEmptyDatabase(ownerUrl)) await migrate(ownerUrl, { directory: MIGRATIONS, secretKey })
  const place = historyPlaceFor(context, target.databaseUrl === undefined)
  const canSeal = place !== undefined && (await loadDuckdb()) !== undefined
  const urls = databaseUrls(ownerUrl, secretKey)
  const database = openDatabase(urls, { appConnections: 1, systemConnections: 2, onError: () => undefined })
  const workFolder = await mkdtemp(join(tmpdir(), 'roadworthy-import-'))
  const progress = out.progress('import')
  try {
    return await importReseller({
      ...{ export: moved, ownerUrl, secretKey, database, workFolder, now: now(), signal: stopOnSignals() },
      ensurePartitions: (table, weeks) => ensurePartitionsOf(database.systemPool, table, weeks),
      author: (resellerId) => operatorAuthor(resellerId, now()),
      withSealing: canSeal ? (seal) => withSealingSession(urls, place, seal) : undefined,
      onProgress: (share, name) => progress.update(share, name),
    })
  } finally {
    progress.end()
    await database.close()
    await rm(workFolder, { recursive: true, force: true })
  }
}
