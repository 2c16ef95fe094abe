// What every process that takes readings has: the directory they are resolved by, their limits, and the pipeline.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Notifications } from '@roadworthy/service-kit/postgres/notifications'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { createDirectory } from '../devices/directory.ts'
import { defaultGroupCommitLimits } from '../ingest/group-commit.ts'
import type { TimeWindow } from '../ingest/normalize.ts'
import { createIngestPipeline } from '../ingest/pipeline.ts'
import { ReadingLimits } from '../metering/reading-limits.ts'
import { MessageRecorder } from '../readings/message-recorder.ts'

export type IngestNeeds = {
  readonly database: Database
  readonly notifications: Notifications
  readonly settings: { readonly readingsMaxAgeDays: number; readonly readingsMaxFutureS: number }
  readonly now: () => Date
  readonly log: Logger
}

export type IngestParts = ReturnType<typeof createIngestParts>

/** How old and how far ahead a reading may be. */
export function readingWindowOf(settings: IngestNeeds['settings']): TimeWindow {
  return { maxAgeMs: settings.readingsMaxAgeDays * 86_400_000, maxAheadMs: settings.readingsMaxFutureS * 1000 }
}

export function createIngestParts({ database, notifications, settings, now, log }: IngestNeeds) {
  const directory = createDirectory({
    database,
    now,
    onFleetChanged: (listener) => {
      for (const channel of ['fleet_changed', 'reseller_changed']) notifications.on(channel, listener, () => listener())
    },
  })
  const window = readingWindowOf(settings)
  const readingLimits = new ReadingLimits(database, now)
  const recorder = new MessageRecorder(database, now)
  const pipeline = createIngestPipeline({
    database,
    recorder,
    directory,
    now,
    window,
    quota: readingLimits,
    limits: defaultGroupCommitLimits,
    onUnstorable: (err, { sourceId }) => log.error({ err, sourceId }, 'a reading got past normalisation and could not be stored'),
    onUntraced: (err) =>
      log.warn({ err }, 'what traces leave for scoring could not be written; the readings are stored, and their traces end here'),
  })
  return { directory, window, readingLimits, recorder, pipeline }
}

/** Messages that people look at are there this late. */
const FLUSH_EVERY_MS = 1_000
/** A change is known at once, unless its notification was lost. */
const RECORDINGS_EVERY_MS = 15_000

/** Keeps what is recorded known, and writes what was noted. */
export function startRecorder(recorder: MessageRecorder, { notifications, log }: Pick<IngestNeeds, 'notifications' | 'log'>): Rounds {
  const onError = (what: string) => (err: unknown) => log.warn({ err }, what)
  const isUnknown = onError('whose messages are recorded could not be read; the last known ones are')
  const refresh = () => void recorder.refresh().catch(isUnknown)
  const stopListening = notifications.on('message_recordings_changed', refresh, refresh)
  const looks = startRounds(
    async () => {
      await recorder.refresh()
      return RECORDINGS_EVERY_MS
    },
    RECORDINGS_EVERY_MS,
    isUnknown,
  )
  const flush = async () => {
    await recorder.flush()
    return FLUSH_EVERY_MS
  }
  const isLost = onError('messages for people to look at could not be written, and are lost')
  const writes = startRounds(flush, FLUSH_EVERY_MS, isLost)
  return {
    stop: async () => {
      stopListening()
      await Promise.all([looks.stop(), writes.stop()])
      await flush().catch(isLost)
    },
  }
}
