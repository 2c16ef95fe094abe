// Which trace a vehicle that is to be scored was brought by. There are rows of traces that are kept alone, one for each vehicle at most.

import type { Db } from '@roadworthy/service-kit/postgres/db'

export type TraceMark = {
  readonly resellerId: string
  readonly vehicleId: string
  readonly traceparent: string
  /** Of the newest reading of the vehicle that the trace brought. */
  readonly recordedAt: Date
}

/** A trace whose reading was not scored within this is over. */
const OVER_AFTER_S = 3_600

/** Call before the readings are committed: what is scored before them is older than the mark says. Of a vehicle with several the newest counts. */
export async function upsertTraceMarksAcrossResellers(db: Db, marks: readonly TraceMark[]): Promise<void> {
  await db.query(
    `insert into trace_marks as t (reseller_id, vehicle_id, traceparent, recorded_at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) n (reseller_id, vehicle_id, traceparent, recorded_at)
      order by reseller_id, vehicle_id
     on conflict (reseller_id, vehicle_id) do update
        set traceparent = excluded.traceparent, recorded_at = excluded.recorded_at, noted_at = excluded.noted_at`,
    [
      marks.map(({ resellerId }) => resellerId),
      marks.map(({ vehicleId }) => vehicleId),
      marks.map(({ traceparent }) => traceparent),
      marks.map(({ recordedAt }) => recordedAt),
    ],
  )
}

type Scored = { readonly resellerId: string; readonly vehicleId: string; readonly readingAt: Date }

/** Of vehicles whose newest reading is of then. */
export async function selectTraceMarksAcrossResellers(db: Db, vehicles: readonly Scored[]): Promise<TraceMark[]> {
  const { rows } = await db.query<{ reseller_id: string; vehicle_id: string; traceparent: string; recorded_at: Date }>(
    `select t.reseller_id, t.vehicle_id, t.traceparent, t.recorded_at
       from unnest($1::text[], $2::text[], $3::timestamptz[]) s (reseller_id, vehicle_id, reading_at)
       join trace_marks t using (reseller_id, vehicle_id)
      where t.recorded_at <= s.reading_at and t.noted_at > now() - make_interval(secs => $4)
      order by t.noted_at, t.reseller_id, t.vehicle_id`,
    [
      vehicles.map(({ resellerId }) => resellerId),
      vehicles.map(({ vehicleId }) => vehicleId),
      vehicles.map(({ readingAt }) => readingAt),
      OVER_AFTER_S,
    ],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    vehicleId: row.vehicle_id,
    traceparent: row.traceparent,
    recordedAt: row.recorded_at,
  }))
}

/** Call in the transaction of the scores. A mark that has come since stays. */
export async function deleteTraceMarksAcrossResellers(db: Db, marks: readonly TraceMark[]): Promise<void> {
  await db.query(
    `delete from trace_marks t
      using unnest($1::text[], $2::text[], $3::text[]) s (reseller_id, vehicle_id, traceparent)
      where t.reseller_id = s.reseller_id and t.vehicle_id = s.vehicle_id and t.traceparent = s.traceparent`,
    [marks.map(({ resellerId }) => resellerId), marks.map(({ vehicleId }) => vehicleId), marks.map(({ traceparent }) => traceparent)],
  )
}
