// The catalogue: which files there are, what was in them when they were written, and up to when readings are in files.

import type { Db } from '@roadworthy/service-kit/postgres/db'

export type FileState = 'writing' | 'verified' | 'live' | 'replaced'

/** What a file is for, before it is written. */
export type FilePlan = {
  readonly fileId: string
  readonly resellerId: string
  readonly weekFrom: Date
  /** Such as 2026-01. */
  readonly month: string
  /** Below the folder or bucket of the history. */
  readonly path: string
}

export type FileFacts = {
  readonly bytes: number
  readonly sha256: string
  readonly contentSha256: string
  readonly readingCount: number
  readonly firstRecordedAt: Date
  readonly lastRecordedAt: Date
  readonly firstSourceId: string
  readonly lastSourceId: string
  /** Whose readings are in it; '' for those of none. */
  readonly subClientIds: readonly string[]
}

export type SealedFile = FilePlan & FileFacts & { readonly state: FileState }

export async function insertFileAcrossResellers(db: Db, { fileId, resellerId, weekFrom, month, path }: FilePlan): Promise<void> {
  await db.query(
    `insert into sealed_readings_files (file_id, reseller_id, week_from, month, path, state) values ($1, $2, $3, $4, $5, 'writing')`,
    [fileId, resellerId, weekFrom, month, path],
  )
}

/** From writing to verified. */
export async function updateVerifiedAcrossResellers(db: Db, fileId: string, facts: FileFacts): Promise<void> {
  const { rowCount } = await db.query(
    `update sealed_readings_files
        set state = 'verified', state_since = clock_timestamp(), bytes = $2, sha256 = decode($3, 'hex'), content_sha256 = decode($4, 'hex'),
            reading_count = $5, first_recorded_at = $6, last_recorded_at = $7, first_source_id = $8, last_source_id = $9, sub_client_ids = $10
      where file_id = $1 and state = 'writing'`,
    [
      ...[fileId, facts.bytes, facts.sha256, facts.contentSha256, facts.readingCount, facts.firstRecordedAt, facts.lastRecordedAt],
      ...[facts.firstSourceId, facts.lastSourceId, facts.subClientIds],
    ],
  )
  if (rowCount !== 1) throw new Error(`file ${fileId} is not being written`)
}

/** Of a week, all of its files at once. Answers how many. */
export async function updateWeekLiveAcrossResellers(db: Db, weekFrom: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update sealed_readings_files set state = 'live', state_since = clock_timestamp() where week_from = $1 and state = 'verified'`,
    [weekFrom],
  )
  return rowCount ?? 0
}

export async function updateFileStateAcrossResellers(db: Db, fileId: string, from: FileState, to: FileState): Promise<void> {
  const { rowCount } = await db.query(
    'update sealed_readings_files set state = $3, state_since = clock_timestamp() where file_id = $1 and state = $2',
    [fileId, from, to],
  )
  if (rowCount !== 1) throw new Error(`file ${fileId} is not ${from}`)
}

export async function deleteFileAcrossResellers(db: Db, fileId: string): Promise<void> {
  await db.query(`delete from sealed_readings_files where file_id = $1 and state <> 'live'`, [fileId])
}

/** Only ever later: false where it is not. */
export async function upsertSealedUntilAcrossResellers(db: Db, until: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into readings_sealed (until_at) values ($1)
     on conflict (only_row) do update set until_at = excluded.until_at, since = clock_timestamp() where readings_sealed.until_at < excluded.until_at`,
    [until],
  )
  return rowCount === 1
}

/** And for how long that holds, by the database's clock. */
export async function selectSealedAcrossResellers(db: Db): Promise<{ until: Date; forS: number } | undefined> {
  const { rows } = await db.query<{ until_at: Date; for_s: number }>(
    'select until_at, extract(epoch from clock_timestamp() - since)::float8 as for_s from readings_sealed',
  )
  return rows[0] && { until: rows[0].until_at, forS: rows[0].for_s }
}

export type SealedExtremes = {
  readonly until: Date
  readonly fileCount: number
  /** Of the oldest week and of the newest; none where every file has gone. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

/** Undefined: nothing is sealed. */
export async function selectSealedExtremesAcrossResellers(db: Db): Promise<SealedExtremes | undefined> {
  const { rows } = await db.query<{ until_at: Date; file_count: number; files: SealedExtremes['files'] }>(
    `with live as (select path, encode(sha256, 'hex') as sha256, week_from, file_id from sealed_readings_files where state = 'live')
     select s.until_at, (select count(*)::int from live) as file_count,
            coalesce((select json_agg(json_build_object('path', f.path, 'sha256', f.sha256))
                        from (select * from (select * from live order by week_from, file_id limit 1) oldest
                               union
                              select * from (select * from live order by week_from desc, file_id desc limit 1) newest) f), '[]') as files
       from readings_sealed s`,
  )
  return rows[0] && { until: rows[0].until_at, fileCount: rows[0].file_count, files: rows[0].files }
}

/** Nothing new is stored in it from then on, and what was stored is seen. */
export async function closePartition(db: Db, partition: string): Promise<void> {
  await db.query('select close_readings_partition($1)', [partition])
}

/** Rows of files that a backup does not have. Answers how many there were. */
export async function deleteEveryFileNotLiveAcrossResellers(db: Db): Promise<number> {
  const { rowCount } = await db.query(`delete from sealed_readings_files where state <> 'live'`)
  return rowCount ?? 0
}

const columns = `file_id, reseller_id, week_from, month, path, state, bytes::float8 as bytes, encode(sha256, 'hex') as sha256,
  encode(content_sha256, 'hex') as content_sha256, reading_count::float8 as reading_count, first_recorded_at, last_recorded_at, first_source_id,
  last_source_id, sub_client_ids`

export async function selectFilesOfWeekAcrossResellers(db: Db, weekFrom: Date): Promise<SealedFile[]> {
  const { rows } = await db.query<FileRow>(`select ${columns} from sealed_readings_files where week_from = $1 order by path`, [weekFrom])
  return rows.map(fileFromRow)
}

/** What was interrupted left, and what was replaced for longer than anybody reads one. A verified file of a week that is sealed was to replace another. */
export async function selectUnfinishedAcrossResellers(db: Db, replacedForS: number): Promise<{ fileId: string; path: string }[]> {
  const { rows } = await db.query<{ file_id: string; path: string }>(
    `select file_id, path from sealed_readings_files
      where state = 'writing'
         or (state = 'replaced' and state_since < clock_timestamp() - make_interval(secs => $1))
         or (state = 'verified' and week_from < readings_sealed_until())
      order by file_id`,
    [replacedForS],
  )
  return rows.map(({ file_id: fileId, path }) => ({ fileId, path }))
}

/** Of weeks whose sealing was interrupted, once `removeUnfinished` is over. */
export async function selectVerifiedFiles(db: Db, resellerId: string): Promise<{ fileId: string; path: string }[]> {
  const { rows } = await db.query<{ file_id: string; path: string }>(
    `select file_id, path from sealed_readings_files where reseller_id = $1 and state = 'verified' order by file_id`,
    [resellerId],
  )
  return rows.map(({ file_id: fileId, path }) => ({ fileId, path }))
}

/** By page, in the order of their ids. */
export async function selectLiveFilesAcrossResellers(db: Db, page: { after: string; limit: number }): Promise<SealedFile[]> {
  const { rows } = await db.query<FileRow>(
    `select ${columns} from sealed_readings_files where state = 'live' and file_id > $1 order by file_id limit $2`,
    [page.after, page.limit],
  )
  return rows.map(fileFromRow)
}

/** Live ones of a reseller, oldest first. */
export async function selectLiveFiles(db: Db, resellerId: string): Promise<SealedFile[]> {
  const { rows } = await db.query<FileRow>(
    `select ${columns} from sealed_readings_files where reseller_id = $1 and state = 'live' order by week_from, month, file_id`,
    [resellerId],
  )
  return rows.map(fileFromRow)
}

export type HistoryTotals = { readonly fileCount: number; readonly readingCount: number; readonly bytes: number }

export async function selectTotalsAcrossResellers(db: Db): Promise<HistoryTotals> {
  const { rows } = await db.query<{ files: number; readings: number; bytes: number }>(
    `select count(*)::int as files, coalesce(sum(reading_count), 0)::float8 as readings, coalesce(sum(bytes), 0)::float8 as bytes
       from sealed_readings_files where state = 'live'`,
  )
  const [row] = rows
  return { fileCount: row?.files ?? 0, readingCount: row?.readings ?? 0, bytes: row?.bytes ?? 0 }
}

type FileRow = {
  file_id: string
  reseller_id: string
  week_from: Date
  month: string
  path: string
  state: FileState
  bytes: number
  sha256: string
  content_sha256: string
  reading_count: number
  first_recorded_at: Date
  last_recorded_at: Date
  first_source_id: string
  last_source_id: string
  sub_client_ids: string[]
}

function fileFromRow(row: FileRow): SealedFile {
  return {
    ...{ fileId: row.file_id, resellerId: row.reseller_id, weekFrom: row.week_from, month: row.month, path: row.path, state: row.state },
    ...{ bytes: row.bytes, sha256: row.sha256, contentSha256: row.content_sha256, readingCount: row.reading_count },
    ...{ firstRecordedAt: row.first_recorded_at, lastRecordedAt: row.last_recorded_at },
    ...{ firstSourceId: row.first_source_id, lastSourceId: row.last_source_id, subClientIds: row.sub_client_ids },
  }
}

/** Whether this session is the one that writes files; it is until it ends. */
export async function trySealingTurn(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>('select pg_try_advisory_lock(7305512251) as locked')
  return rows[0]?.locked === true
}
