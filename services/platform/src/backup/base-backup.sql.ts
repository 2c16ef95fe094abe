// The low-level interface of PostgreSQL for a copy of a cluster's files while it runs (https://www.postgresql.org/docs/18/continuous-archiving.html).

import type pg from 'pg'

export type BaseStart = { readonly startWal: string; readonly at: string; readonly postgresVersion: string; readonly isArchiving: boolean }
export type BaseStop = { readonly stopWal: string; readonly backupLabel: string; readonly tablespaceMap: string }

/** What is copied from now on is made whole by the log from this segment on. The session has to stay until the stop. */
export async function startBase(client: pg.Client): Promise<BaseStart> {
  const { rows } = await client.query<{ wal: string; at: Date; version: string; archiving: boolean }>(
    `select pg_walfile_name(pg_backup_start('roadworthy', fast => true)) as wal, clock_timestamp() as at, current_setting('server_version') as version,
            current_setting('archive_mode') <> 'off' as archiving`,
  )
  const [row] = rows
  return {
    ...{ startWal: row?.wal ?? '', at: row?.at.toISOString() ?? '', postgresVersion: row?.version ?? '' },
    isArchiving: row?.archiving === true,
  }
}

/** A segment takes seconds to archive; who waits for longer waits for a fault to be mended. */
const ARCHIVED_WITHIN_MS = 300_000

/** Waits until every segment that the copy needs is archived. */
export async function stopBase(client: pg.Client): Promise<BaseStop> {
  await client.query(`set statement_timeout = ${ARCHIVED_WITHIN_MS}`)
  const { rows } = await client.query<{ wal: string; labelfile: string; spcmapfile: string }>(
    'select pg_walfile_name(lsn) as wal, labelfile, spcmapfile from pg_backup_stop(wait_for_archive => true)',
  )
  const [row] = rows
  return { stopWal: row?.wal ?? '', backupLabel: row?.labelfile ?? '', tablespaceMap: row?.spcmapfile ?? '' }
}

export async function selectDataDirectory(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  return rows[0]?.folder ?? ''
}

export type ArchiverState = {
  readonly isOn: boolean
  readonly folder: string
  readonly archivedCount: number
  readonly lastWal: string | null
  readonly lastAt: Date | null
  readonly failedCount: number
  readonly lastFailedWal: string | null
  readonly lastFailedAt: Date | null
  /** Segments that are full and not archived yet. */
  readonly waitingCount: number
}

export async function selectArchiverState(client: pg.Client): Promise<ArchiverState> {
  const { rows } = await client.query<ArchiverState>(
    `select current_setting('archive_mode') <> 'off' as "isOn", coalesce(current_setting('basic_archive.archive_directory', true), '') as folder,
            archived_count::int as "archivedCount", last_archived_wal as "lastWal", last_archived_time as "lastAt", failed_count::int as "failedCount",
            last_failed_wal as "lastFailedWal", last_failed_time as "lastFailedAt",
            (select count(*)::int from pg_ls_archive_statusdir() where name like '%.ready') as "waitingCount"
       from pg_stat_archiver`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('pg_stat_archiver has one row')
  return row
}
