import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import { eraseReadings } from '@roadworthy/platform/history/erase-readings'
import { type HistoryPlace, openHistory } from '@roadworthy/platform/history/history-place'
import { rewriteWithout } from '@roadworthy/platform/history/rewrite-files'
import {
  selectLiveFiles,
  selectLiveFilesAcrossResellers,
  selectSealedAcrossResellers,
  selectTotalsAcrossResellers,
} from '@roadworthy/platform/history/sealed-files.sql'
import { withSealingSession, withSealingTurn } from '@roadworthy/platform/history/sealing-session'
import { verifyFiles } from '@roadworthy/platform/history/verify-files'
import { sealWhatIsDue } from '@roadworthy/platform/main/history'
import { findHistoryContradictions, historyPlaceOf, hotDaysOf } from '@roadworthy/platform/main/settings/history-settings'
import { DatabaseSettingsSchema, HistorySettingsSchema } from '@roadworthy/platform/main/settings/settings'
import { selectReseller } from '@roadworthy/platform/resellers/resellers.sql'
import { formatProblems, loadSettings } from '@roadworthy/service-kit/process/settings'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { databaseUrlsOf, operatorAuthor, withDatabase } from '../operator.ts'

const GIVEN = 'The settings of the history (HISTORY_DIR or HISTORY_S3_…) come from the environment, as for the service.'
const NO_PLACE = 'No history is set: give HISTORY_DIR or HISTORY_S3_BUCKET.'

export function addHistory(program: Command, surroundings: Surroundings): void {
  const history = program.command('history').description('readings that are sealed into files (for the operator of the instance)')
  history
    .command('status')
    .description('up to when readings are sealed, and how many bytes that takes')
    .option('--files', 'name each live file as well: the folder may hold others, which are about to be deleted')
    .addHelpText('after', examples('npx roadworthy history status', 'npx roadworthy history status --files --json'))
    .action(handle<{ files?: true }>(surroundings, status))
  history
    .command('seal')
    .description(`seal the weeks that are older than READINGS_HOT_DAYS; the service does it every hour. ${GIVEN}`)
    .addHelpText('after', examples('npx roadworthy history seal'))
    .action(handle(surroundings, seal))
  history
    .command('verify')
    .description(`read every file whole, and compare it with what was sealed. ${GIVEN}`)
    .addHelpText('after', examples('npx roadworthy history verify'))
    .action(handle(surroundings, verify))
  history
    .command('erase')
    .alias('rewrite')
    .description(`take what a vehicle or a device reported out of PostgreSQL and out of the files, for good. ${GIVEN}`)
    .addOption(new RequiredOption('--reseller <slug>', 'whose readings'))
    .option('--vehicle <id>', 'readings of this vehicle go, whichever device sent them')
    .option('--device <id>', 'readings of this device go, in whichever vehicle it was')
    .addHelpText('after', examples('npx roadworthy history erase --reseller north-fleet --vehicle veh-k3x9…'))
    .action(handle<Named>(surroundings, erase))
}

type Named = { reseller: string; vehicle?: string; device?: string }

async function status({ env, instance, out }: Context, options: { files?: true }): Promise<void> {
  const { sealed, totals, paths } = await withDatabase(env, instance.dataDir, async ({ systemPool }) => ({
    sealed: await selectSealedAcrossResellers(systemPool),
    totals: await selectTotalsAcrossResellers(systemPool),
    paths: options.files === true ? await livePaths(systemPool) : undefined,
  }))
  const { fileCount, readingCount, bytes } = totals
  const named = paths === undefined ? {} : { live_files: paths }
  const answer = { sealed_until: sealed?.until.toISOString() ?? null, files: fileCount, readings: readingCount, bytes, ...named }
  out.answer(answer, () => {
    if (sealed === undefined) return 'Nothing is sealed yet.'
    const each = readingCount === 0 ? '' : `, ${(bytes / readingCount).toFixed(1)} a reading`
    const totalsText = `sealed until  ${answer.sealed_until}\nfiles         ${fileCount}\nreadings      ${readingCount}\nbytes         ${bytes}${each}`
    return [totalsText, ...(paths ?? [])].join('\n')
  })
}

const PATHS_AT_ONCE = 500

async function livePaths(db: Parameters<typeof selectLiveFilesAcrossResellers>[0]): Promise<string[]> {
  const paths: string[] = []
  for (let after = ''; ; ) {
    const files = await selectLiveFilesAcrossResellers(db, { after, limit: PATHS_AT_ONCE })
    paths.push(...files.map(({ path }) => path))
    const last = files.at(-1)
    if (last === undefined) return paths.sort()
    after = last.fileId
  }
}

async function seal({ env, instance, now, out }: Context): Promise<void> {
  const { place: given, settings } = settingsOf(env, instance.dataDir)
  const place = requirePlace(given)
  const sealed = await withDatabase(env, instance.dataDir, async (database) => {
    const log = { info: () => undefined, warn: (text: string) => out.note(text), error: () => undefined }
    return await sealWhatIsDue(
      {
        ...{ database, databaseUrls: databaseUrlsOf(env, instance.dataDir), env: env as NodeJS.ProcessEnv, now, log: log as never },
        ...{ hotDays: hotDaysOf(settings), retentionDays: settings.readingsRetentionDays },
      },
      place,
      new AbortController().signal,
    )
  })
  if (sealed === undefined) throw busy()
  const weeks = sealed.map(({ from, readingCount, bytes }) => ({ week: from, readings: readingCount, bytes }))
  out.answer({ weeks }, () =>
    weeks.length === 0 ? 'Nothing was due.' : `${weeks.length} ${weeks.length === 1 ? 'week was' : 'weeks were'} sealed.`,
  )
}

async function verify({ env, instance, out }: Context): Promise<void> {
  const place = requirePlace(settingsOf(env, instance.dataDir).place)
  const duckdb = await loadDuckdb()
  if (duckdb === undefined) throw new CommandFailure('@duckdb/node-api, an optional dependency, is not installed.', exitCodes.failed)
  const { store, close } = await openHistory(place)
  const problems: { path: string; problem: string }[] = []
  let fileCount = 0
  await withDatabase(env, instance.dataDir, async (database) => {
    for await (const { path, problem } of verifyFiles({ database, store, duckdb })) {
      fileCount++
      if (problem !== undefined) problems.push({ path, problem })
    }
  }).finally(close)
  out.answer({ files: fileCount, problems }, () =>
    [...problems.map(({ path, problem }) => `${path}: ${problem}`), `${fileCount} files, ${problems.length} with a problem`].join('\n'),
  )
  if (problems.length > 0) throw new CommandFailure('Not every file is as it was sealed.', exitCodes.failed)
}

async function erase({ env, instance, now, out }: Context, { reseller: resellerId, vehicle, device }: Named): Promise<void> {
  if (vehicle === undefined && device === undefined) throw new CommandFailure('Give --vehicle, --device or both.', exitCodes.usage)
  const erased = { resellerId, vehicleId: vehicle, deviceId: device }
  const author = operatorAuthor(resellerId, now())
  const { place } = settingsOf(env, instance.dataDir)
  await withDatabase(env, instance.dataDir, async ({ systemPool }) => {
    if ((await selectReseller(systemPool, resellerId)) === undefined)
      throw new CommandFailure(`There is no reseller "${resellerId}" here.`, exitCodes.notFound)
  })
  const urls = databaseUrlsOf(env, instance.dataDir)
  const done = await (place === undefined
    ? withSealingTurn(urls, async (sessions) => {
        if ((await selectLiveFiles(sessions.database.systemPool, resellerId)).length > 0)
          throw new CommandFailure(`${NO_PLACE} The reseller has files.`)
        return await eraseReadings(sessions, erased, undefined, author)
      })
    : withSealingSession(urls, place, (deps) =>
        eraseReadings(deps, erased, (isRemoved) => rewriteWithout(deps, resellerId, isRemoved), author),
      ))
  if (done === undefined) throw busy()
  const { storedCount, files } = done
  out.answer(
    { readings_removed: storedCount + files.removedCount, of_these_in_files: files.removedCount, files: files.fileCount },
    () => `${storedCount} readings removed from PostgreSQL, and ${files.removedCount} from ${files.fileCount} files`,
  )
  if (storedCount + files.removedCount === 0) out.note('There was nothing of it: is that the id?')
  if (files.fileCount > 0) out.note('The files of before are not read any more; the service deletes them within two hours.')
}

/** The service seals by itself, and then holds the turn. */
function busy(): CommandFailure {
  return new CommandFailure('Files are being written by another process; try again when it is done.', exitCodes.failed)
}

function settingsOf(
  env: Context['env'],
  dataDir: string,
): { place: HistoryPlace | undefined; settings: ReturnType<typeof load>['settings'] } {
  const { settings, secrets } = load(env, dataDir)
  const problems = findHistoryContradictions(settings, secrets.historyS3SecretAccessKey !== undefined)
  if (problems.length > 0) throw new CommandFailure(formatProblems(problems), exitCodes.usage)
  return { place: historyPlaceOf(settings, secrets.historyS3SecretAccessKey, isEmbedded(env)), settings }
}

function requirePlace(place: HistoryPlace | undefined): HistoryPlace {
  if (place === undefined) throw new CommandFailure(NO_PLACE, exitCodes.usage)
  return place
}

function isEmbedded(env: Context['env']): boolean {
  const loaded = loadSettings(DatabaseSettingsSchema, [], env)
  return loaded.kind === 'settings' && loaded.secrets.databaseUrl === undefined
}

function load(env: Context['env'], dataDir: string) {
  const loaded = loadSettings(HistorySettingsSchema, [], { ...env, DATA_DIR: dataDir })
  if (loaded.kind !== 'settings')
    throw new CommandFailure(loaded.kind === 'problems' ? formatProblems(loaded.problems) : '', exitCodes.usage)
  return loaded
}
