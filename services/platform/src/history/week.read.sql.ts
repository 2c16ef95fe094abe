// The readings of one week, as they are sealed. Run on a connection whose statements may take minutes.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { BYTES_AT_MOST } from '../readings/reading.read.sql.ts'
import type { StoredReading } from '../readings/stored-reading.ts'

export type Span = { readonly from: Date; readonly to: Date }
/** What one source of a reseller reported in a month. */
export type SourceCount = { readonly resellerId: string; readonly month: string; readonly sourceId: string; readonly count: number }

/** In the order in which files are written. */
export async function selectSourcesAcrossResellers(db: Db, { from, to }: Span): Promise<SourceCount[]> {
  const { rows } = await db.query<{ reseller_id: string; month: string; source_id: string; count: number }>(
    `select reseller_id, to_char(recorded_at at time zone 'UTC', 'YYYY-MM') as month, source_id, count(*)::float8 as count
       from readings
      where recorded_at >= $1 and recorded_at < $2
      group by 1, 2, 3
      order by reseller_id, month, source_id collate "C"`,
    [from, to],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, month: row.month, sourceId: row.source_id, count: row.count }))
}

type After = { readonly recordedAtUs: bigint; readonly digestHex: string }

/** Rows of PostgreSQL held at once, and about the most bytes of them. */
const PAGE_ROWS = 8_192
const PAGE_BYTES = 16 * 1024 * 1024

type OfSource = { readonly sourceId: string; readonly span: Span }

/** Of one source, oldest first. */
export async function* readStoredReadings(db: Db, resellerId: string, of: OfSource): AsyncGenerator<StoredReading[], void> {
  let after: StoredReading | undefined
  do {
    const { readings, hasMore } = await selectStoredReadings(db, resellerId, of, after)
    if (readings.length > 0) yield readings
    after = hasMore ? readings.at(-1) : undefined
  } while (after !== undefined)
}

/** Those after the given one. */
async function selectStoredReadings(
  db: Db,
  resellerId: string,
  { sourceId, span }: OfSource,
  after: After | undefined,
): Promise<{ readings: StoredReading[]; hasMore: boolean }> {
  const { rows } = await db.query<StoredRow>(
    `select source_id, (extract(epoch from recorded_at) * 1000000)::bigint::text as recorded_us, encode(digest, 'hex') as digest, kind, device_id,
            vehicle_id, sub_client_id, (extract(epoch from received_at) * 1000000)::bigint::text as received_us, latitude, longitude, signals, attributes,
            found
       from (select r.*, (count(*) over ())::int as found, sum(${BYTES_AT_MOST}) over (order by r.recorded_at, r.digest) - ${BYTES_AT_MOST} as bytes_before
               from (select * from readings
                      where reseller_id = $1 and source_id = $2 and recorded_at >= $3 and recorded_at < $4
                        and ($5::timestamptz is null or (recorded_at >= $5 and (recorded_at, digest) > ($5, decode($6, 'hex'))))
                      order by recorded_at, digest
                      limit $7) r) r
      where bytes_before < $8
      order by recorded_at, digest`,
    [
      ...[resellerId, sourceId, span.from, span.to, after === undefined ? null : toText(after.recordedAtUs), after?.digestHex ?? null],
      ...[PAGE_ROWS, PAGE_BYTES],
    ],
  )
  const found = rows[0]?.found ?? 0
  return { readings: rows.map(storedFromRow), hasMore: found === PAGE_ROWS || rows.length < found }
}

/** With its microseconds, which a `Date` does not hold. */
function toText(us: bigint): string {
  const ofMs = new Date(Number(us / 1000n)).toISOString().slice(0, -1)
  return `${ofMs}${String(us % 1000n).padStart(3, '0')}Z`
}

type StoredRow = {
  source_id: string
  recorded_us: string
  digest: string
  kind: StoredReading['kind']
  device_id: string | null
  vehicle_id: string | null
  sub_client_id: string | null
  received_us: string
  latitude: number | null
  longitude: number | null
  signals: Record<string, unknown> | null
  attributes: Record<string, unknown> | null
  /** With those that were left out for their bytes. */
  found: number
}

function storedFromRow(row: StoredRow): StoredReading {
  return {
    ...{ sourceId: row.source_id, recordedAtUs: BigInt(row.recorded_us), digestHex: row.digest, kind: row.kind },
    ...{ deviceId: row.device_id, vehicleId: row.vehicle_id, subClientId: row.sub_client_id, receivedAtUs: BigInt(row.received_us) },
    ...{ latitude: row.latitude, longitude: row.longitude, signals: row.signals ?? {}, attributes: row.attributes ?? {} },
  }
}
