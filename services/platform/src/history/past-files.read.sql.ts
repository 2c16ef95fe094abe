// Which files an answer is read from. When readings are in files, and in which, is read at one moment.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { MAX_SOURCES_OF_VEHICLE } from '../readings/vehicle-sources.sql.ts'

export type FileToRead = { readonly path: string; readonly bytes: number; readonly sha256: string }
export type PastFiles = { readonly until: Date; readonly sourceIds: readonly string[]; readonly files: readonly FileToRead[] }

/** For what the sources of a vehicle reported in a range; undefined where none of it is in files. */
export async function selectPastFiles(
  db: Db,
  resellerId: string,
  { vehicleId, from, to }: { vehicleId: string; from: Date; to: Date },
): Promise<PastFiles | undefined> {
  const { rows } = await db.query<PastRow>(
    `select u.until_at, s.source_ids,
            (select json_agg(json_build_object('path', f.path, 'bytes', f.bytes, 'sha256', encode(f.sha256, 'hex')) order by f.first_recorded_at, f.path)
               from sealed_readings_files f
              where f.reseller_id = $1 and f.state = 'live' and f.last_recorded_at >= $3 and f.first_recorded_at < $4
                and exists (select from unnest(s.source_ids) i (source_id)
                             where i.source_id collate "C" between f.first_source_id and f.last_source_id)) as files
       from (select readings_sealed_until() as until_at) u
      cross join lateral (
        select coalesce(array_agg(v.source_id), '{}') as source_ids
          from (select source_id from vehicle_sources where reseller_id = $1 and vehicle_id = $2 limit ${MAX_SOURCES_OF_VEHICLE}) v
      ) s
      where u.until_at > $3`,
    [resellerId, vehicleId, from, to],
  )
  return rows[0] && pastFromRow(rows[0])
}

/** For one reading. */
export async function selectPastFilesOfSource(db: Db, resellerId: string, sourceId: string, at: Date): Promise<PastFiles | undefined> {
  const { rows } = await db.query<PastRow>(
    `select u.until_at, array[$2::text] as source_ids,
            (select json_agg(json_build_object('path', f.path, 'bytes', f.bytes, 'sha256', encode(f.sha256, 'hex')))
               from sealed_readings_files f
              where f.reseller_id = $1 and f.state = 'live' and f.last_recorded_at >= $3 and f.first_recorded_at <= $3
                and $2 collate "C" between f.first_source_id and f.last_source_id) as files
       from (select readings_sealed_until() as until_at) u
      where u.until_at > $3`,
    [resellerId, sourceId, at],
  )
  return rows[0] && pastFromRow(rows[0])
}

type PastRow = { until_at: Date; source_ids: string[]; files: FileToRead[] | null }

function pastFromRow({ until_at: until, source_ids: sourceIds, files }: PastRow): PastFiles {
  return { until, sourceIds, files: files ?? [] }
}
