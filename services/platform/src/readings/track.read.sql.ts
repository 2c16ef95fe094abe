// Positions of one vehicle by time, whichever source reported them; what a source reported while it was in another vehicle, or of another sub-client than a
// pinned caller's, is left out, as in readings.read.sql.ts.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { TimeRange } from './time-range.ts'
import type { TrackPoint } from './track.ts'
import { selectSourcesOfVehicle } from './vehicle-sources.sql.ts'

export type TrackOf = { readonly vehicleId: string; readonly subClientPin: string | undefined; readonly range: TimeRange }

/** Oldest first, the first of every `everyS` seconds. Positions that were implausible are left out. */
export async function selectTrack(
  db: Db,
  resellerId: string,
  { vehicleId, subClientPin, range }: TrackOf,
  everyS: number,
): Promise<TrackPoint[]> {
  const { rows } = await db.query<PointRow>(
    `select distinct on (date_bin(make_interval(secs => $6), r.recorded_at, timestamptz 'epoch'))
            round(date_part('epoch', r.recorded_at) * 1000) as at_ms, r.latitude, r.longitude,
            case when not coalesce(r.attributes -> 'implausible' ? 'vehicleSpeedKmh', false)
                 then (r.signals ->> 'vehicleSpeedKmh')::float8 end as speed_kmh,
            case when not coalesce(r.attributes -> 'implausible' ? 'headingDeg', false)
                 then (r.attributes ->> 'headingDeg')::float8 end as heading_deg,
            (r.attributes ->> 'ignition')::boolean as ignition
       from readings r
      where r.source_id = any ($7) and r.reseller_id = $1 and r.vehicle_id = $2
        and r.recorded_at >= $3 and r.recorded_at < $4 and ($5::text is null or r.sub_client_id = $5)
        and r.latitude is not null and r.longitude is not null
        and not coalesce(r.attributes -> 'implausible' ? 'position', false)
      order by date_bin(make_interval(secs => $6), r.recorded_at, timestamptz 'epoch'), r.recorded_at, r.source_id, r.digest`,
    [resellerId, vehicleId, range.from, range.to, subClientPin ?? null, everyS, await selectSourcesOfVehicle(db, resellerId, vehicleId)],
  )
  return rows.map(pointFromRow)
}

type PointRow = {
  at_ms: number
  latitude: number
  longitude: number
  speed_kmh: number | null
  heading_deg: number | null
  ignition: boolean | null
}

function pointFromRow(row: PointRow): TrackPoint {
  return {
    ...{ atMs: row.at_ms, latitude: row.latitude, longitude: row.longitude },
    speedKmh: row.speed_kmh ?? undefined,
    headingDeg: row.heading_deg ?? undefined,
    ignition: row.ignition ?? undefined,
  }
}
