// Readings of before that come from elsewhere: only the log. Nothing is metered, no state follows from them, and nobody is alerted.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { byteaArrayFromHex, float8Array, jsonbArray, textArray } from '@roadworthy/service-kit/postgres/pg-arrays'
import type { StoredReading } from './stored-reading.ts'

/**
 * Stores readings of one reseller whose weeks have partitions; one that is there stays as it is. Answers how many were new, and how many of all are there as
 * the reseller's: fewer than were given where a key is taken by another reseller.
 */
export async function insertPastReadings(
  db: Db,
  resellerId: string,
  readings: readonly StoredReading[],
): Promise<{ newCount: number; storedCount: number }> {
  const keys = [
    textArray(readings.map(({ sourceId }) => sourceId)),
    readings.map(({ recordedAtUs }) => instantOf(recordedAtUs)),
    byteaArrayFromHex(readings.map(({ digestHex }) => digestHex)),
  ]
  // In the order in which ingest writes them: the same readings may be arriving.
  // Counted by what is returned: on a cluster the count of the statement is that of the rows it was given.
  const { rows: added } = await db.query(
    `insert into readings (reseller_id, source_id, recorded_at, digest, sub_client_id, device_id, vehicle_id, kind, received_at,
                           latitude, longitude, signals, attributes)
     select $1, r.* from unnest($2::text[], $3::timestamptz[], $4::bytea[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
                                $10::float8[], $11::float8[], $12::jsonb[], $13::jsonb[]) r (source_id, recorded_at, digest)
      order by source_id collate "C", recorded_at, digest
     on conflict do nothing returning true`,
    [
      ...[resellerId, ...keys],
      textArray(readings.map(({ subClientId }) => subClientId ?? undefined)),
      textArray(readings.map(({ deviceId }) => deviceId ?? undefined)),
      textArray(readings.map(({ vehicleId }) => vehicleId ?? undefined)),
      textArray(readings.map(({ kind }) => kind)),
      readings.map(({ receivedAtUs }) => instantOf(receivedAtUs)),
      float8Array(readings.map(({ latitude }) => latitude ?? undefined)),
      float8Array(readings.map(({ longitude }) => longitude ?? undefined)),
      jsonbArray(readings.map(({ signals }) => jsonOf(signals))),
      jsonbArray(readings.map(({ attributes }) => jsonOf(attributes))),
    ],
  )
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from unnest($2::text[], $3::timestamptz[], $4::bytea[]) k (source_id, recorded_at, digest)
       join readings r using (source_id, recorded_at, digest)
      where r.reseller_id = $1`,
    [resellerId, ...keys],
  )
  return { newCount: added.length, storedCount: rows[0]?.count ?? 0 }
}

/** Of these sources those of a device or a vehicle of another reseller. */
export async function selectSourcesOfOthersAcrossResellers(db: Db, resellerId: string, sourceIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    `select s.source_id from unnest($2::text[]) s (source_id)
      where exists (select from devices d where d.device_id = split_part(s.source_id, '.', 1) and d.reseller_id <> $1)
         or s.source_id in (select i.source_id from unnest($2::text[]) i (source_id)
                              join vehicles v on v.vehicle_id = split_part(i.source_id, '.', 1) where v.reseller_id <> $1)
         or s.source_id in (select i.source_id from unnest($2::text[]) i (source_id)
                              join vehicles v on v.vehicle_id = split_part(i.source_id, '.', 2) where v.reseller_id <> $1)`,
    [resellerId, sourceIds],
  )
  return rows.map(({ source_id }) => source_id)
}

/** With its microseconds, which a `Date` does not hold. */
function instantOf(us: bigint): string {
  return `${new Date(Number(us / 1000n)).toISOString().slice(0, -1)}${String(us % 1000n).padStart(3, '0')}Z`
}

/** What ingest stores of nothing. */
function jsonOf(values: object): string | undefined {
  return Object.keys(values).length === 0 ? undefined : JSON.stringify(values)
}
