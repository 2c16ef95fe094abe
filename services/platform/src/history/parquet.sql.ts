// Statements of DuckDB: the table that a file is written from, and the reading of files.

import type { SignalName } from '@roadworthy/signals/registry'
import { type ColumnType, sealedColumns } from './sealed-reading.ts'

const duckdbTypes: Readonly<Record<ColumnType, string>> = {
  ...{
    text: 'varchar',
    time: 'timestamptz',
    number: 'double',
    flag: 'boolean',
    texts: 'varchar[]',
    bytes: 'blob',
    small: 'smallint',
    whole: 'integer',
  },
}

/** Readings of one vehicle lie in few groups, and a group is what is read whole. */
const ROW_GROUP_ROWS = 20_480
/** Read by whoever reads files of another version. */
const FORMAT = 'roadworthy readings 1'

export const CREATE_PART = `create table part (${sealedColumns.map(([name, type]) => `"${name}" ${duckdbTypes[type]}`).join(', ')})`

/** In the order in which the rows were added. */
export function writeFile(file: string): string {
  return `copy (select * from part) to ${quoted(file)}
    (format parquet, compression zstd, parquet_version v2, row_group_size ${ROW_GROUP_ROWS}, kv_metadata {format: ${quoted(FORMAT)}})`
}

/** All rows of files, with every column there is today. */
function fromFiles(files: readonly string[]): string {
  const none = sealedColumns.map(([name, type]) => `null::${duckdbTypes[type]} as "${name}"`).join(', ')
  if (files.length === 0) return `(select ${none} where false)`
  const list = files.map(quoted).join(', ')
  return `(select ${none} where false union all by name
    select * from read_parquet([${list}], union_by_name = true, hive_partitioning = false))`
}

/** Times as whole microseconds, which is what JavaScript can take without loss. */
const everyColumn = sealedColumns.map(([name, type]) => (type === 'time' ? `epoch_us("${name}") as "${name}"` : `"${name}"`)).join(', ')

export function readWholeFile(file: string): string {
  return `select ${everyColumn} from read_parquet(${quoted(file)}, hive_partitioning = false)`
}

/** Names of files are of our making; a quote in the folder of an operator is doubled. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Which readings of the files are asked for. */
export type FileQuery = {
  readonly files: readonly string[]
  readonly sourceIds: readonly string[]
  readonly vehicleId?: string | undefined
  readonly subClientPin?: string | undefined
  readonly range: { readonly from: Date; readonly to: Date }
  /** Only readings with any of these. */
  readonly signals?: readonly SignalName[] | undefined
}

function found({ files, sourceIds, vehicleId, subClientPin, range, signals }: FileQuery): string {
  const conditions = [
    `"sourceId" in (${sourceIds.map(quoted).join(', ')})`,
    `"recordedAt" >= ${instant(range.from)} and "recordedAt" < ${instant(range.to)}`,
    ...(vehicleId === undefined ? [] : [`"vehicleId" = ${quoted(vehicleId)}`]),
    ...(subClientPin === undefined ? [] : [`"subClientId" = ${quoted(subClientPin)}`]),
    ...(signals === undefined ? [] : [`(${signals.map((name) => `"${name}" is not null`).join(' or ')})`]),
  ]
  return `from ${fromFiles(files)} r where ${conditions.join(' and ')}`
}

const instant = (at: Date) => `timestamptz ${quoted(at.toISOString())}`

/** In the order of their keys, as far as columns know it. */
export function listFound(query: FileQuery, order: 'asc' | 'desc', limit: number): string {
  return `select ${everyColumn} ${found(query)} order by r."recordedAt" ${order}, r."sourceId" ${order}, r."tie" ${order} limit ${limit}`
}

/** Of the first readings `found`, and how many of them have together no more than so many bytes that their senders chose: `fitting`. */
export function fittingFound(query: FileQuery, order: 'asc' | 'desc', limit: number, maxBytes: number): string {
  const inOrder = `"recordedAt" ${order}, "sourceId" ${order}, "tie" ${order}`
  return `select count(*) as "found", count(*) filter (bytes <= ${maxBytes}) as "fitting"
    from (select sum(bytes) over (order by ${inOrder} rows unbounded preceding) as bytes
            from (select "recordedAt", "sourceId", "tie", strlen(coalesce("other", '')) as bytes ${found(query)} order by ${inOrder} limit ${limit}))`
}

export function countFound(query: FileQuery): string {
  return `select count(*) as "count" ${found(query)}`
}

/** One row for each bucket: `at_ms` and, for each signal, its lowest, mean and highest value and their count. Implausible values are left out. */
export function bucketFound(query: FileQuery, signals: readonly SignalName[], bucketS: number): string {
  const bucketMs = bucketS * 1000
  const values = signals.map(
    (name) => `case when not list_contains(coalesce("implausible", []), '${name}') then "${name}" end as "${name}"`,
  )
  const summaries = signals.map(
    (name) => `min("${name}") as "${name} min", avg("${name}") as "${name} avg", max("${name}") as "${name} max",
    count("${name}") as "${name} count"`,
  )
  return `select at_ms, ${summaries.join(', ')}
    from (select (epoch_ms("recordedAt") // ${bucketMs}) * ${bucketMs} as at_ms, ${values.join(', ')} ${found(query)}) v
    group by at_ms
    order by at_ms`
}

const LATITUDE = 'coalesce("latitudeE7" / 1e7, "latitude")'
const LONGITUDE = 'coalesce("longitudeE7" / 1e7, "longitude")'

/** The first position of every so many seconds. */
export function trackFound(query: FileQuery, everyS: number): string {
  const plausible = (name: string) => `case when not list_contains(coalesce("implausible", []), '${name}') then "${name}" end`
  return `select epoch_ms("recordedAt") as at_ms, ${LATITUDE} as "latitude", ${LONGITUDE} as "longitude", ${plausible('vehicleSpeedKmh')} as speed_kmh,
           ${plausible('headingDeg')} as heading_deg, "ignition"
    ${found(query)} and ${LATITUDE} is not null and ${LONGITUDE} is not null and not list_contains(coalesce("implausible", []), 'position')
    qualify row_number() over (partition by epoch_ms("recordedAt") // ${everyS * 1000} order by "recordedAt", "sourceId", "tie") = 1
    order by "recordedAt"`
}

export function codesFound(query: FileQuery, limit: number): string {
  return `select code, min(at_ms) as first_ms, max(at_ms) as last_ms, count(*) as "count"
    from (select unnest("dtcCodes") as code, epoch_ms("recordedAt") as at_ms ${found(query)} and "dtcCodes" is not null) c
    group by code
    order by last_ms desc, code
    limit ${limit}`
}

/** From then on the instance reads files of these folders, and nothing of that can be changed. Files never change, so what is known of one is kept. */
export function lockDown(folders: readonly string[]): string[] {
  return [
    'set parquet_metadata_cache = true',
    `set allowed_directories = [${folders.map((folder) => quoted(`${folder}/`)).join(', ')}]`,
    'set enable_external_access = false',
    'set lock_configuration = true',
  ]
}
