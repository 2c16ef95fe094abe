// What Prometheus is shown of the archive of PostgreSQL's log: while archiving fails, the log fills the disk, and what is lost with the machine grows.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { type Archiving, selectArchiving } from '../../backup/archiver.read.sql.ts'
import type { Metrics } from '../http/metrics.ts'

/** Assumption: somebody who is notified within a quarter of an hour needs it no finer. */
const EVERY_MS = 30_000

/** Neither has a value where nothing is archived. */
export function startWatchingArchive(database: Pick<Database, 'systemPool'>, { gauge }: Metrics, log: Logger): Rounds {
  let archiving: Archiving | undefined
  gauge('fleet_wal_archive_failing', '1 while the last attempt to archive a segment of the log failed.', () =>
    archiving === undefined ? Number.NaN : Number(archiving.isFailing),
  )
  gauge(
    'fleet_wal_archive_pending_bytes',
    'Written to the log of PostgreSQL after the last segment that is archived.',
    () => archiving?.pendingBytes ?? Number.NaN,
  )
  const look = async () => {
    const before = archiving
    archiving = await selectArchiving(database.systemPool)
    if (archiving?.isFailing === true && before?.isFailing !== true) {
      log.warn('the log of PostgreSQL cannot be archived: it stays on its disk and fills it; the log of PostgreSQL has the reason')
    }
    return EVERY_MS
  }
  return startRounds(look, EVERY_MS, (err) => log.warn({ err }, 'the archive of the log could not be looked at; it is tried again'))
}
