import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type ReadingRow, type SelectedReading, selectedReadingFromRow } from './reading.read.sql.ts'
import type { ReadingKey } from './reading-id.ts'
import { selectSourcesOfDevice } from './vehicle-sources.sql.ts'

const columns = `r.source_id, r.recorded_at, r.digest, r.kind, r.device_id, r.vehicle_id, r.sub_client_id, r.received_at, r.latitude,
                 r.longitude, r.signals, r.attributes`

/** How far back is looked first, and then, where that was too short for as many as are wanted: what was sent within is read and put in order. */
const SPANS_MS = [60_000, 3_600_000]

/** The newest that a device sent, of its own vehicle and of those it named. Vehicles behind a gateway beyond the limit are left out. */
export async function selectNewestReadingsOfDevice(
  db: Db,
  resellerId: string,
  of: { deviceId: string; subClientPin: string | undefined; since: Date; until: Date; limit: number },
): Promise<SelectedReading[]> {
  const { deviceId, subClientPin, since, until, limit } = of
  const sources = await selectSourcesOfDevice(db, resellerId, deviceId)
  const starts = SPANS_MS.map((spanMs) => new Date(until.getTime() - spanMs)).filter((start) => start > since)
  for (const start of [...starts, since]) {
    const { rows } = await db.query<ReadingRow>(
      `select ${columns}
         from readings r
        where r.source_id = any ($2) and r.reseller_id = $1 and r.recorded_at >= $4 and ($3::text is null or r.sub_client_id = $3)
        order by r.recorded_at desc
        limit $5`,
      [resellerId, sources, subClientPin ?? null, start, limit],
    )
    if (rows.length === limit || start === since) return rows.map(selectedReadingFromRow)
  }
  return []
}

/** Those of the keys that are still there. */
export async function selectReadingsByKey(db: Db, resellerId: string, keys: readonly ReadingKey[]): Promise<SelectedReading[]> {
  if (keys.length === 0) return []
  const { rows } = await db.query<ReadingRow>(
    `select ${columns}
       from readings r
      where r.source_id = any ($2) and r.reseller_id = $1
        and (r.source_id, r.recorded_at, r.digest) in (select * from unnest($2::text[], $3::timestamptz[], $4::bytea[]))`,
    [
      resellerId,
      keys.map(({ sourceId }) => sourceId),
      keys.map(({ recordedAtMs }) => new Date(recordedAtMs)),
      keys.map(({ digestHex }) => Buffer.from(digestHex, 'hex')),
    ],
  )
  return rows.map(selectedReadingFromRow)
}
