import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { SignalValues } from '@roadworthy/signals/registry'
import type { ReadingAttributes } from './reading.ts'
import type { ReadingKey } from './reading-id.ts'

export type SelectedReading = ReadingKey & {
  readonly kind: 'telemetry' | 'track'
  readonly deviceId: string | undefined
  readonly vehicleId: string | undefined
  readonly subClientId: string | undefined
  readonly receivedAt: Date
  readonly latitude: number | undefined
  readonly longitude: number | undefined
  readonly signals: SignalValues
  readonly attributes: ReadingAttributes & { implausible?: readonly string[] }
}

/** One reading by its whole key; PostgreSQL goes straight to its partition. */
export async function selectReading(db: Db, resellerId: string, key: ReadingKey): Promise<SelectedReading | undefined> {
  const { rows } = await db.query<ReadingRow>(
    `select source_id, recorded_at, digest, kind, device_id, vehicle_id, sub_client_id, received_at, latitude, longitude, signals, attributes
       from readings
      where reseller_id = $1 and source_id = $2 and recorded_at = $3 and digest = $4`,
    [resellerId, key.sourceId, new Date(key.recordedAtMs), Buffer.from(key.digestHex, 'hex')],
  )
  return rows[0] && selectedReadingFromRow(rows[0])
}

/**
 * Of a reading `r`, no fewer bytes than what its sender chose takes in PostgreSQL's JSON. What is compressed is not opened for it: 91 to 1 is the most that `pglz` can do,
 * and 255 to 1 the most of `lz4`, by the formats of both.
 */
export const BYTES_AT_MOST = `
  coalesce(pg_column_size(r.attributes), 0)::bigint * case pg_column_compression(r.attributes) when 'pglz' then 91 when 'lz4' then 255 else 1 end`

export type ReadingRow = {
  source_id: string
  recorded_at: Date
  digest: Buffer
  kind: 'telemetry' | 'track'
  device_id: string | null
  vehicle_id: string | null
  sub_client_id: string | null
  received_at: Date
  latitude: number | null
  longitude: number | null
  signals: SignalValues | null
  attributes: SelectedReading['attributes'] | null
}

export function selectedReadingFromRow(row: ReadingRow): SelectedReading {
  return {
    sourceId: row.source_id,
    recordedAtMs: row.recorded_at.getTime(),
    digestHex: row.digest.toString('hex'),
    kind: row.kind,
    deviceId: row.device_id ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    receivedAt: row.received_at,
    latitude: row.latitude ?? undefined,
    longitude: row.longitude ?? undefined,
    signals: row.signals ?? {},
    attributes: row.attributes ?? {},
  }
}
