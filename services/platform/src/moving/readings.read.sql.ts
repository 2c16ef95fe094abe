// Which readings of a reseller there are, in a transaction of the caller's.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Span } from '../history/week.read.sql.ts'

/** Of a Monday in UTC, and of the month that its readings are in. */
export type WeekOfMonth = { readonly week: string; readonly month: string }

/** A file of the history. */
export type LiveFile = WeekOfMonth & {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly contentSha256: string
  readonly readingCount: number
}

const dayOf = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`

export async function selectLiveFilesOf(db: Db, resellerId: string): Promise<LiveFile[]> {
  const { rows } = await db.query<LiveFile>(
    `select ${dayOf('week_from')} as week, month, path, bytes::float8 as bytes, encode(sha256, 'hex') as sha256,
            encode(content_sha256, 'hex') as "contentSha256", reading_count::float8 as "readingCount"
       from sealed_readings_files where reseller_id = $1 and state = 'live' order by week_from, month, path`,
    [resellerId],
  )
  return rows
}

/** Of readings that are in PostgreSQL and in no file, oldest first. */
export async function selectWeeksOf(db: Db, resellerId: string): Promise<WeekOfMonth[]> {
  const { rows } = await db.query<WeekOfMonth>(
    `select distinct ${dayOf(`date_trunc('week', recorded_at, 'UTC')`)} as week, to_char(recorded_at at time zone 'UTC', 'YYYY-MM') as month
       from readings
      where reseller_id = $1 and recorded_at >= coalesce((select until_at from readings_sealed), '-infinity')
      order by 1, 2`,
    [resellerId],
  )
  return rows
}

/** Sources that reported in the span, in the order of files. */
export async function selectSourceIdsOf(db: Db, resellerId: string, { from, to }: Span): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    `select source_id from readings where reseller_id = $1 and recorded_at >= $2 and recorded_at < $3
      group by source_id order by source_id collate "C"`,
    [resellerId, from, to],
  )
  return rows.map(({ source_id }) => source_id)
}
