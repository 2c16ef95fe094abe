import type { Db } from '@roadworthy/service-kit/postgres/db'

export type Archiving = {
  /** The last attempt failed, and none has succeeded since. */
  readonly isFailing: boolean
  /** What is written to the log after the last segment that is archived; undefined before the first, and after a crash until the next. */
  readonly pendingBytes: number | undefined
}

/**
 * How it is with the archive of the log; undefined where the server archives nothing. For the role of the system, which may not list files of the
 * server. The name of a segment is its timeline, the upper half of its place in the log, and its number within that half.
 */
export async function selectArchiving(db: Db): Promise<Archiving | undefined> {
  const { rows } = await db.query<{ is_failing: boolean; pending_bytes: string | null }>(
    `select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing,
            case when last_archived_wal ~ '^[0-9A-F]{24}$'
                 then greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')
                        - ('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint * 4294967296
                        - (('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint + 1) * pg_size_bytes(current_setting('wal_segment_size')))
            end::text as pending_bytes
       from pg_stat_archiver
      where current_setting('archive_mode') <> 'off' and not pg_is_in_recovery()`,
  )
  const [row] = rows
  if (row === undefined) return undefined
  return { isFailing: row.is_failing, pendingBytes: row.pending_bytes === null ? undefined : Number(row.pending_bytes) }
}
