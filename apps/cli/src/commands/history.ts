import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import { type HistoryPlace, openHistory } from '@roadworthy/platform/history/history-place'
import { isOf, rewriteWithout } from '@roadworthy/platform/history/rewrite-files'
import { selectSealedAcrossResellers, selectTotalsAcrossResellers } from '@roadworthy/platform/history/sealed-files.sql'
import { withSealingSession } from '@roadworthy/platform/history/sealing-session'
import { verifyFiles } from '@roadworthy/platform/history/verify-files'
import { sealWhatIsDue } from '@roadworthy/platform/main/history'
import { findHistoryContradictions, historyPlaceOf, hotDaysOf } from '@roadworthy/platform/main/history-settings'
import { DatabaseSettingsSchema, HistorySettingsSchema } from '@roadworthy/platform/main/settings'
import { formatProblems, loadSettings } from '@roadworthy/service-kit/settings'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { databaseUrlsOf, withDatabase } from '../operator.ts'

const GIVEN = 'The settings of the history (HISTORY_DIR or HISTORY_S3_…) come from the environment, as for the service.'

export function addHistory(program: Command, surroundings: Surroundings): void {
  const history = program.command('history').description('readings that are sealed into files (for the operator of the instance)')
  history
    .command('status')
    .description('up to when readings are sealed, and how many bytes that takes')
    .addHelpText('after', examples('npx roadworthy history status', 'npx roadworthy history status --json'))
    .action(handle(surroundings, status))
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
    .command('rewrite')
    .description(`write the files of a reseller anew, without what they hold of a vehicle or a device. ${GIVEN}`)
    .addOption(new RequiredOption('--reseller <slug>', 'whose files'))
    .option('--vehicle <id>', 'readings of this vehicle go, whichever device sent them')
    .option('--device <id>', 'readings of this device go, in whichever vehicle it was')
    .addHelpText('after', examples('npx roadworthy history rewrite --reseller north-fleet --vehicle veh-k3x9…'))
    .action(handle<Removed>(surroundings, rewrite))
}

type Removed = { reseller: string; vehicle?: string; device?: string }

async function status({ env, instance, out }: Context): Promise<void> {
  const { sealed, totals } = await withDatabase(env, instance.dataDir, async ({ systemPool }) => ({
    sealed: await selectSealedAcrossResellers(systemPool),
    totals: await selectTotalsAcrossResellers(systemPool),
  }))
  const { fileCount, readingCount, bytes } = totals
  const answer = { sealed_until: sealed?.until.toISOString() ?? null, files: fileCount, readings: readingCount, bytes }
  out.answer(answer, () => {
    if (sealed === undefined) return 'Nothing is sealed yet.'
    const each = readingCount === 0 ? '' : `, ${(bytes / readingCount).toFixed(1)} a reading`
    return `sealed until  ${answer.sealed_until}\nfiles         ${fileCount}\nreadings      ${readingCount}\nbytes         ${bytes}${each}`
  })
}

async function seal({ env, instance, now, out }: Context): Promise<void> {
  const { place, settings } = settingsOf(env, instance.dataDir)
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
  const weeks = sealed.map(({ from, readingCount, bytes }) => ({ week: from, readings: readingCount, bytes }))
  out.answer({ weeks }, () => (weeks.length === 0 ? 'Nothing was due.' : `${weeks.length} weeks were sealed.`))
}

async function verify({ env, instance, out }: Context): Promise<void> {
  const { place } = settingsOf(env, instance.dataDir)
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

async function rewrite({ env, instance, out }: Context, { reseller, vehicle, device }: Removed): Promise<void> {
  if (vehicle === undefined && device === undefined) throw new CommandFailure('Give --vehicle, --device or both.', exitCodes.usage)
  const { place } = settingsOf(env, instance.dataDir)
  const isRemoved = isOf({ vehicleId: vehicle, deviceId: device })
  const done = await withSealingSession(databaseUrlsOf(env, instance.dataDir), place, (deps) => rewriteWithout(deps, reseller, isRemoved))
  if (done === undefined)
    throw new CommandFailure('Files are being written by another process; try again when it is done.', exitCodes.failed)
  out.answer(
    { files: done.fileCount, readings_removed: done.removedCount },
    () => `${done.removedCount} readings removed from ${done.fileCount} files`,
  )
  out.note('The files of before are not read any more; the service deletes them within two hours. What is in PostgreSQL is not changed.')
}

function settingsOf(env: Context['env'], dataDir: string): { place: HistoryPlace; settings: ReturnType<typeof load>['settings'] } {
  const { settings, secrets } = load(env, dataDir)
  const problems = findHistoryContradictions(settings, secrets.historyS3SecretAccessKey !== undefined)
  if (problems.length > 0) throw new CommandFailure(formatProblems(problems), exitCodes.usage)
  const place = historyPlaceOf(settings, secrets.historyS3SecretAccessKey, isEmbedded(env))
  if (place === undefined) throw new CommandFailure('No history is set: give HISTORY_DIR or HISTORY_S3_BUCKET.', exitCodes.usage)
  return { place, settings }
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
