// `import --csv` and `import --traccar`: readings of before, into the database of the instance.

import { basename, resolve } from 'node:path'
import { type Backfilled, backfill } from '@roadworthy/platform/backfill/backfill'
import { openCsvSource } from '@roadworthy/platform/backfill/csv-source'
import type { PastSource } from '@roadworthy/platform/backfill/past-source'
import { openTraccarDatabase } from '@roadworthy/platform/backfill/traccar-database.sql'
import { openTraccarFiles } from '@roadworthy/platform/backfill/traccar-files'
import { loadDuckdb } from '@roadworthy/platform/history/duckdb'
import { withSealingSession } from '@roadworthy/platform/history/sealing-session'
import { ensureAuditPartition } from '@roadworthy/platform/main/database/audit-partition'
import { isEmptyDatabase } from '@roadworthy/platform/moving/import-reseller'
import { markDue } from '@roadworthy/platform/readings/due.sql'
import { selectAllResellersAcrossResellers } from '@roadworthy/platform/resellers/resellers.sql'
import { type Database, databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { type Command, InvalidArgumentError } from 'commander'
import { type At, historyPlaceFor, retentionDaysOf, secretKeyOf, targetOf, withOwnerUrl } from './backup-options.ts'
import type { Context } from './command.ts'
import { counted } from './counted.ts'
import { secretOf } from './environment-secret.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { operatorAuthor } from './operator.ts'
import { toAnswer, toText } from './past-report.ts'
import { Stopped, stopOnSignals } from './stop-signals.ts'

export type PastOptions = {
  csv?: string
  /** `true`: the address is in the environment. */
  traccar?: string | true
  reseller?: string
  subClient?: string
  column?: ReadonlyMap<string, string>
  unit?: ReadonlyMap<string, string>
  alias?: ReadonlyMap<string, string>
  timeZone?: string
  decimalComma?: true
  check?: true
  createDevices?: true
  skipInvalid?: true
}

const TRACCAR_VARIABLE = 'TRACCAR_DATABASE_URL'
/** Of one option that may be repeated. */
const MAX_PAIRS = 5_000

export function addPastOptions(command: Command): void {
  const pairs = (text: string, before: ReadonlyMap<string, string> | undefined) => addPair(before ?? new Map(), text)
  command
    .option('--csv <file>', 'readings from a CSV file (may be gzip) whose header names fields of POST /telemetry')
    .option(
      '--traccar [url]',
      `readings from the PostgreSQL of a Traccar server (${TRACCAR_VARIABLE} unless given), or from a folder with tc_devices.csv and tc_positions.csv`,
    )
    .option('--reseller <slug>', 'whose readings; needed where there are several resellers')
    .option('--sub-client <slug>', 'only for devices and vehicles of this sub-client, which new ones become as well')
    .option('--column <field=name>', 'of --csv: a column that is called otherwise than the field (may be repeated)', pairs)
    .option('--unit <field=unit>', 'of --csv: the unit of a column, such as speed=mph, odometer=m, coolant_temp=F (may be repeated)', pairs)
    .option('--alias <name=id>', 'what the source calls a device or vehicle, and its id here (may be repeated)', pairs)
    .option(
      '--time-zone <name>',
      'of --traccar: the zone of the times in its tables (default: UTC); of --csv: that of times without an offset',
    )
    .option('--decimal-comma', 'of --csv: numbers are written as 1234,5')
    .option('--check', 'read all of it and report what would be imported; nothing is changed')
    .option('--create-devices', 'create the devices (by IMEI), and the vehicles, that are not known')
    .option('--skip-invalid', 'import what can be imported, and leave out what is refused')
}

function addPair(pairs: ReadonlyMap<string, string>, text: string): ReadonlyMap<string, string> {
  const at = text.indexOf('=')
  const [left, right] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || left === '' || right === '') throw new InvalidArgumentError('Two names with = between them are wanted.')
  if (pairs.has(left) && pairs.get(left) !== right) throw new InvalidArgumentError(`${left} is given twice.`)
  if (pairs.size >= MAX_PAIRS) throw new InvalidArgumentError(`At most ${MAX_PAIRS} are taken.`)
  return new Map([...pairs, [left, right]])
}

/** The first option that is for readings of before only. */
export function pastOptionGiven(options: PastOptions): string | undefined {
  const flags = {
    ...{ reseller: '--reseller', subClient: '--sub-client', column: '--column', unit: '--unit', alias: '--alias', timeZone: '--time-zone' },
    ...{ decimalComma: '--decimal-comma', check: '--check', createDevices: '--create-devices', skipInvalid: '--skip-invalid' },
  } as const
  return Object.entries(flags).find(([name]) => options[name as keyof typeof flags] !== undefined)?.[1]
}

export async function importPast(context: Context, options: PastOptions & At): Promise<void> {
  const { out } = context
  const source = await openSource(context, options)
  let done: Backfilled
  let storedCount: number | undefined
  const onStopped = (count: number) => {
    storedCount = count
  }
  try {
    done = await withOwnerUrl(context, targetOf(context, options), (ownerUrl) =>
      importAt(context, options, { source, onStopped }, ownerUrl),
    )
  } catch (error) {
    if (error instanceof Stopped) out.note(stoppedText(storedCount, options.check === true))
    throw error
  } finally {
    await source.close()
  }
  const outcome = { ...done, notes: source.notes, name: source.name, isCheck: options.check === true }
  out.answer(toAnswer(outcome), () => toText(outcome))
  const { found } = done
  if (found.refusedCount > 0 && options.skipInvalid !== true) {
    const so = options.check === true ? 'cannot be imported, so nothing would be' : 'cannot be imported, so nothing was'
    throw new CommandFailure(`${counted(found.refusedCount, 'record')} ${so}. Mend what is wrong, or leave it out with --skip-invalid.`)
  }
  if (found.readingCount === 0) throw new CommandFailure(`${source.name} has no reading that can be imported.`)
}

function stoppedText(storedCount: number | undefined, isCheck: boolean): string {
  if (isCheck) return 'Stopped. Nothing was changed.'
  if (storedCount === undefined || storedCount === 0) return 'Stopped before a reading was stored. Run the same command again.'
  const what = storedCount === 1 ? '1 new reading is' : `${storedCount} new readings are`
  return `Stopped. ${what} stored, and stay. Run the same command again to go on: what is there is not stored twice.`
}

async function openSource(context: Context, options: PastOptions): Promise<PastSource> {
  const { csv, traccar, column = new Map(), unit = new Map(), timeZone } = options
  if (csv !== undefined) {
    const hasDecimalComma = options.decimalComma === true
    return await openCsvSource(resolve(context.cwd, csv), { columns: column, units: unit, timeZone, hasDecimalComma })
  }
  for (const [flag, given] of [
    ['--column', options.column],
    ['--unit', options.unit],
    ['--decimal-comma', options.decimalComma],
  ] as const) {
    if (given !== undefined) throw ofOther(flag, '--csv', 'Columns, units and numbers of Traccar are known.')
  }
  const where = traccar === true ? secretOf(context.env, TRACCAR_VARIABLE) : traccar
  if (where === undefined)
    throw new CommandFailure(`Give --traccar the address of the database, or set ${TRACCAR_VARIABLE}.`, exitCodes.usage)
  if (/^postgres(ql)?:\/\//.test(where)) return await openTraccarDatabase(where, timeZone ?? 'UTC')
  if (/^[a-z][a-z0-9+.-]*:/i.test(where) && !/^[a-z]:[\\/]/i.test(where)) {
    const fix = 'Of MySQL, H2 and others export the tables as CSV (docs/guides/moving.md), and give the folder.'
    throw new CommandFailure(`Traccar is read from PostgreSQL, at an address that begins with postgres://. ${fix}`, exitCodes.usage)
  }
  return await openTraccarFiles(resolve(context.cwd, where), timeZone ?? 'UTC')
}

function ofOther(flag: string, other: string, why: string): CommandFailure {
  return new CommandFailure(`${flag} is for ${other}. ${why}`, exitCodes.usage)
}

type SourceRead = { readonly source: PastSource; readonly onStopped: (storedCount: number) => void }

async function importAt(
  context: Context,
  options: PastOptions & At,
  { source, onStopped }: SourceRead,
  ownerUrl: string,
): Promise<Backfilled> {
  const { now, out } = context
  const target = targetOf(context, options)
  const secretKey = secretKeyOf(context, target)
  if (secretKey === undefined) {
    throw new CommandFailure('The secret key is not known here: set SECRET_KEY to the one that the service runs with.', exitCodes.usage)
  }
  if (await isEmptyDatabase(ownerUrl))
    throw new CommandFailure('The database is empty. Start the service on it once; that makes the tables.')
  const place = historyPlaceFor(context, target.databaseUrl === undefined)
  const canSeal = place !== undefined && (await loadDuckdb()) !== undefined
  const urls = databaseUrls(ownerUrl, secretKey)
  const database = openDatabase(urls, { appConnections: 2, systemConnections: 2, onError: () => undefined })
  const progress = out.progress(`import of ${basename(source.name)}`)
  const signal = stopOnSignals()
  signal.addEventListener('abort', () =>
    out.note('\nStopping: what is being stored is finished first. Ctrl+C once more ends it at once; nothing is lost by it.'),
  )
  try {
    await ensureAuditPartition(database.systemPool, now())
    const resellerId = await chooseReseller(database, options.reseller)
    const author = operatorAuthor(resellerId, now())
    return await backfill({
      ...{
        source,
        database,
        systemUrl: urls.direct.system,
        resellerId,
        subClientId: options.subClient,
        aliases: options.alias ?? new Map(),
      },
      ...{ createsMissing: options.createDevices === true, isCheck: options.check === true, skipsInvalid: options.skipInvalid === true },
      ...{ retentionDays: retentionDaysOf(context), now: now(), author, signal },
      create: { database, sealer: createSealer(secretKey, 'device registrations'), now, brokerAccounts: undefined, markDue, author },
      withSealing: canSeal ? (seal) => withSealingSession(urls, place, seal) : undefined,
      onProgress: (share, text) => progress.update(share, text),
      onStopped,
    })
  } finally {
    progress.end()
    await database.close()
  }
}

async function chooseReseller({ systemPool }: Database, given: string | undefined): Promise<string> {
  const resellers = await selectAllResellersAcrossResellers(systemPool)
  const named = resellers.map(({ resellerId }) => resellerId)
  if (given !== undefined) {
    if (named.includes(given)) return given
    throw new CommandFailure(`There is no reseller "${given}" here.`, exitCodes.notFound)
  }
  const [only, another] = named
  if (only === undefined)
    throw new CommandFailure('There is no reseller here yet. Start the service once, or make one with "npx roadworthy resellers create".')
  if (another === undefined) return only
  throw new CommandFailure('There are several resellers here: name one with --reseller.', exitCodes.usage)
}
