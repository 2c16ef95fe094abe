// What every process that takes readings has: the directory they are resolved by, their limits, and the pipeline.

import type { Database } from '@roadworthy/service-kit/db'
import type { Logger } from '@roadworthy/service-kit/log'
import type { Notifications } from '@roadworthy/service-kit/notifications'
import { createDirectory } from '../devices/directory.ts'
import { defaultGroupCommitLimits } from '../ingest/group-commit.ts'
import { createIngestPipeline } from '../ingest/pipeline.ts'
import { ReadingLimits } from '../metering/reading-limits.ts'

export type IngestNeeds = {
  readonly database: Database
  readonly notifications: Notifications
  readonly settings: { readonly readingsMaxAgeDays: number; readonly readingsMaxFutureS: number }
  readonly now: () => Date
  readonly log: Logger
}

export function createIngestParts({ database, notifications, settings, now, log }: IngestNeeds) {
  const directory = createDirectory({
    database,
    now,
    onFleetChanged: (listener) => {
      for (const channel of ['fleet_changed', 'reseller_changed']) notifications.on(channel, listener, () => listener())
    },
  })
  const window = { maxAgeMs: settings.readingsMaxAgeDays * 86_400_000, maxAheadMs: settings.readingsMaxFutureS * 1000 }
  const readingLimits = new ReadingLimits(database, now)
  const pipeline = createIngestPipeline({
    database,
    directory,
    now,
    window,
    quota: readingLimits,
    limits: defaultGroupCommitLimits,
    onUnstorable: (err, { sourceId }) => log.error({ err, sourceId }, 'a reading got past normalisation and could not be stored'),
  })
  return { directory, window, readingLimits, pipeline }
}
