import type { Db } from '@roadworthy/service-kit/db'
import { type ReadingRow, type SelectedReading, selectedReadingFromRow } from './reading.read.sql.ts'
import type { ReadingKey } from './reading-id.ts'

const columns = `r.source_id, r.recorded_at, r.digest, r.kind, r.device_id, r.vehicle_id, r.sub_client_id, r.received_at, r.latitude,
                 r.longitude, r.signals, r.attributes`

/** The newest that a device sent, of its own vehicle and of those it named. Vehicles behind a gateway beyond the limit are left out. */
export async function selectNewestReadingsOfDevice(
  db: Db,
  resellerId: string,
  of: { deviceId: string; subClientPin: string | undefined; since: Date; limit: number },
): Promise<SelectedReading[]> {
  const { rows } = await db.query<ReadingRow>(
    `with sources as (
       select $2::text as source_id
        union
       (select source_id from vehicle_sources where reseller_id = $1 and source_id like $2 || '.%' limit 500)
     )
     select n.*
       from sources s
      cross join lateral (
        select ${columns}
          from readings r
         where r.reseller_id = $1 and r.source_id = s.source_id and r.recorded_at >= $4 and ($3::text is null or r.sub_client_id = $3)
         order by r.recorded_at desc
         limit $5
      ) n
      order by n.recorded_at desc
      limit $5`,
    [resellerId, of.deviceId, of.subClientPin ?? null, of.since, of.limit],
  )
  return rows.map(selectedReadingFromRow)
}

/** Those of the keys that are still there. */
export async function selectReadingsByKey(db: Db, resellerId: string, keys: readonly ReadingKey[]): Promise<SelectedReading[]> {
  if (keys.length === 0) return []
  const { rows } = await db.query<ReadingRow>(
    `select ${columns}
       from unnest($2::text[], $3::timestamptz[], $4::bytea[]) k (source_id, recorded_at, digest)
       join readings r on r.reseller_id = $1 and r.source_id = k.source_id and r.recorded_at = k.recorded_at and r.digest = k.digest`,
    [
      resellerId,
      keys.map(({ sourceId }) => sourceId),
      keys.map(({ recordedAtMs }) => new Date(recordedAtMs)),
      keys.map(({ digestHex }) => Buffer.from(digestHex, 'hex')),
    ],
  )
  return rows.map(selectedReadingFromRow)
}
