// Moves readings into the history as they age: looks every hour whether a week is due, and has a process of its own do it.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database, DatabaseUrls } from '@roadworthy/service-kit/postgres/db'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { loadDuckdb } from '../history/duckdb.ts'
import { FileReader } from '../history/file-reader.ts'
import { type HistoryPlace, openHistory } from '../history/history-place.ts'
import { createPastReadings } from '../history/read-past.ts'
import { hasWorkAcrossResellers } from '../history/retention.sql.ts'
import type { SealedWeek } from '../history/seal-weeks.ts'
import { type HistoryTotals, selectSealedAcrossResellers, selectTotalsAcrossResellers } from '../history/sealed-files.sql.ts'
import { NO_PAST, type PastReadings } from '../readings/past-readings.ts'
import { selectPartitions } from './database/partitions.sql.ts'
import type { Metrics } from './http/metrics.ts'
import { hotDaysOf } from './settings/history-settings.ts'
import { childEnvironment } from './settings/settings.ts'

const SEALER_MAIN = join(import.meta.dirname, 'history-sealer.ts')
const DAY_MS = 86_400_000
const LOOK_EVERY_MS = 3_600_000
const RETRY_MS = 10 * 60_000
/** Of its own heap. DuckDB's memory has a limit of its own (`duckdb.ts`). */
const MAX_HEAP_MB = 256

export type SealerTask = {
  readonly urls: Pick<DatabaseUrls, 'app' | 'system'>
  readonly place: HistoryPlace
  readonly weeks: readonly { readonly partition: string; readonly from: string; readonly to: string }[]
  readonly at: string
  /** Unless a reseller sets another time. */
  readonly retentionDays: number
}
export type SealerWord =
  | { readonly kind: 'done'; readonly sealed: SealedWeek[] }
  | { readonly kind: 'busy' }
  // The reason is for who asked, the stack for the log.
  | { readonly kind: 'failed'; readonly reason: string; readonly stack: string | undefined }

export type SealingNeeds = {
  readonly database: Database
  readonly databaseUrls: Pick<DatabaseUrls, 'direct'>
  readonly hotDays: number
  readonly retentionDays: number
  readonly env: NodeJS.ProcessEnv
  readonly now: () => Date
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

export type HistoryDeps = SealingNeeds & {
  readonly onTotals: (totals: HistoryTotals) => void
  readonly isSealing: boolean
  /** A round in which readings could not be sealed, or files past their retention not be removed. */
  readonly countFailure: () => void
}

export type History = {
  readonly past: PastReadings
  /** Looks at once, and then every hour. */
  start(): void
  stop(): Promise<void>
}

type PlatformParts = { readonly database: Database; readonly metrics: Pick<Metrics, 'gauge' | 'countHousekeepingFailure'> }
type PlatformOptions = Pick<HistoryDeps, 'now' | 'log' | 'databaseUrls'> & {
  readonly historyPlace?: HistoryPlace | undefined
  readonly settings: Parameters<typeof hotDaysOf>[0] & { readonly readingsRetentionDays: number }
}

/** `isSealing`: this process moves readings as well; else it only reads them. */
export async function openPlatformHistory(
  options: PlatformOptions,
  { database, metrics }: PlatformParts,
  { isSealing }: { readonly isSealing: boolean },
): Promise<History> {
  const { historyPlace: place, settings, databaseUrls, now, log } = options
  if (place === undefined) {
    const sealed = await selectSealedAcrossResellers(database.systemPool)
    if (sealed !== undefined)
      log.error({ sealedUntil: sealed.until }, 'readings of before are in files, and no setting names the place: they are not shown')
    return { past: NO_PAST, start: () => undefined, stop: async () => undefined }
  }
  const { readingsRetentionDays: retentionDays } = settings
  const hotDays = hotDaysOf(settings)
  const onTotals = ({ readingCount, bytes }: HistoryTotals) => Object.assign(totals, { readingCount, bytes })
  const totals = { readingCount: Number.NaN, bytes: Number.NaN }
  metrics.gauge('fleet_history_readings', 'Readings in sealed files, as of the last look.', () => totals.readingCount)
  metrics.gauge('fleet_history_bytes', 'Size of the sealed files, as of the last look.', () => totals.bytes)
  return await openHistoryAt(place, {
    database,
    databaseUrls,
    hotDays,
    retentionDays,
    env: childEnvironment(),
    now,
    log,
    onTotals,
    isSealing,
    countFailure: () => metrics.countHousekeepingFailure('seal readings'),
  })
}

export async function openHistoryAt(place: HistoryPlace, deps: HistoryDeps): Promise<History> {
  const { database, log } = deps
  const { store, folders, close } = await openHistory(place)
  const reader = new FileReader({ folders, spillFolder: store.stagingFolder })
  const stopping = new AbortController()
  const look = async () => {
    if (deps.isSealing) await sealWhatIsDue(deps, place, stopping.signal)
    deps.onTotals(await selectTotalsAcrossResellers(database.systemPool))
    return LOOK_EVERY_MS
  }
  let rounds: Rounds | undefined
  return {
    past: createPastReadings({ database, store, reader, onError: (err) => log.error({ err }, 'files of the history cannot be had') }),
    start: () => {
      rounds = startRounds(look, RETRY_MS, (err) => {
        log.error({ err }, 'readings wait to be sealed; it is tried again')
        if (deps.isSealing) deps.countFailure()
      })
    },
    stop: async () => {
      stopping.abort()
      await rounds?.stop()
      await reader.close()
      close()
    },
  }
}

/** Weeks of which every reading is older, oldest first, that are not in files. */
export async function weeksDue(database: Database, olderThan: Date): Promise<SealerTask['weeks']> {
  const [partitions, sealed] = await Promise.all([
    selectPartitions(database.systemPool, 'readings'),
    selectSealedAcrossResellers(database.systemPool),
  ])
  return partitions.flatMap(({ name, from, to, isDetaching }) => {
    const isDue = from !== undefined && !isDetaching && to <= olderThan && (sealed === undefined || from >= sealed.until)
    return isDue ? [{ partition: name, from: from.toISOString(), to: to.toISOString() }] : []
  })
}

/** Answers the weeks that it sealed; undefined where another process writes files at this moment. */
export async function sealWhatIsDue(deps: SealingNeeds, place: HistoryPlace, signal: AbortSignal): Promise<SealedWeek[] | undefined> {
  const { database, databaseUrls, hotDays, retentionDays, now, log } = deps
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS)
  const at = now()
  const weeks = await weeksDue(database, daysAgo(hotDays))
  if (weeks.length === 0 && !(await hasWorkAcrossResellers(database.systemPool, at, retentionDays))) return []
  if ((await loadDuckdb()) === undefined) {
    log.warn(
      'readings stay in PostgreSQL: the optional dependency @duckdb/node-api, which writes the files of the history, is not installed',
    )
    return []
  }
  const task = { urls: databaseUrls.direct, place, weeks, at: at.toISOString(), retentionDays }
  const sealed = await runSealer(task, deps.env, signal)
  for (const { from, fileCount, readingCount, bytes } of sealed ?? []) {
    log.info({ weekFrom: from, fileCount, readingCount, bytes }, 'a week of readings is sealed')
  }
  return sealed
}

/** Killed when it is to stop: what it has begun is begun anew by the next. */
async function runSealer(task: SealerTask, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<SealedWeek[] | undefined> {
  const child = fork(SEALER_MAIN, { env, execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`], stdio: ['pipe', 'ignore', 'inherit', 'ipc'] })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  let word: SealerWord | undefined
  child.on('message', (message) => {
    word = message as SealerWord
  })
  // One that cannot be started reports it more than once.
  child.on('error', () => undefined)
  const ended = once(child, 'exit')
  ended.catch(() => undefined)
  try {
    // Without a file descriptor left there is no channel either.
    child.send?.(task)
    if (signal.aborted) kill()
    const [code, killedBy] = (await ended) as [number | null, string | null]
    if (signal.aborted) return []
    if (word?.kind === 'done') return word.sealed
    if (word?.kind === 'busy') return undefined
    if (word === undefined) throw new Error(`the process that seals ended with ${code ?? killedBy}`)
    throw Object.assign(new Error(`sealing failed: ${word.reason}`), word.stack === undefined ? {} : { stack: word.stack })
  } finally {
    signal.removeEventListener('abort', kill)
  }
}
