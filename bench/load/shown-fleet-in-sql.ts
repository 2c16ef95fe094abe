// What a page shows of a fleet that `insertFleet` made: where each vehicle is, when it was heard, and its health. Written straight into the tables, in
// the shape in which ingest and scoring store it, and due for nothing.

import type { Client } from 'pg'

/** Around these, as fleets are: longitude and latitude of thirty places on three continents. */
const PLACES = `(values (8.4, 49.0), (13.4, 52.5), (10.0, 53.5), (11.6, 48.1), (2.3, 48.9), (4.4, 50.8), (-3.7, 40.4), (12.5, 41.9), (16.4, 48.2), (21.0, 52.2),
  (-0.1, 51.5), (18.1, 59.3), (24.9, 60.2), (77.6, 13.0), (72.9, 19.1), (77.2, 28.6), (80.3, 13.1), (88.4, 22.6), (78.5, 17.4), (73.9, 18.5),
  (-74.0, 40.7), (-87.6, 41.9), (-118.2, 34.1), (-95.4, 29.8), (-99.1, 19.4), (-46.6, -23.6), (-58.4, -34.6), (-70.7, -33.5), (-43.2, -22.9), (-79.4, 43.7))`

/** Every tenth vehicle is in danger or worse; the numbers follow from the row, so that each run has the same fleet. */
export async function insertShownState(owner: Client): Promise<void> {
  await owner.query(
    `insert into latest_states (source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, fix_recorded_at, fix_received_at,
                                latitude, longitude, fix, due, awaited, woken)
     select d.device_id, d.reseller_id, d.device_id, d.vehicle_id, at, at, at, at, at,
            p.latitude + sin(nth * 12.9898) * 0.8, p.longitude + cos(nth * 78.233) * 0.8,
            jsonb_build_object('headingDeg', nth % 360, 'speedKmh', nth % 110), false, false, false
       from (select *, row_number() over (order by created_at, device_id) as nth from devices) d
       join (select row_number() over () - 1 as place, column1 as longitude, column2 as latitude from ${PLACES}) p on p.place = d.nth % 30
      cross join lateral (select date_trunc('milliseconds', now() - d.nth % 240 * interval '1 second') as at) t`,
  )
  await owner.query(
    `insert into vehicle_health (reseller_id, vehicle_id, health_score, health_status, risk_level, maintenance_probability, anomaly_score, confidence,
                                 result, scored_at, told_score, told_status)
     select reseller_id, vehicle_id, score, case when score >= 70 then 'healthy' when score >= 40 then 'warning' else 'critical' end, 'low', 0.1, 0.1, 0.8,
            '{}', now(), score, case when score >= 70 then 'healthy' when score >= 40 then 'warning' else 'critical' end
       from (select *, case when nth % 50 = 0 then 20 + nth % 17 when nth % 10 = 0 then 45 + nth % 23 else 72 + nth % 28 end as score
               from (select *, row_number() over (order by created_at, vehicle_id) as nth from vehicles) v) s`,
  )
  await owner.query('analyze latest_states, vehicle_health')
}

/** As so many readings of so many vehicles would leave it: each moves a little and is heard now. */
export async function moveVehicles(owner: Client, count: number, turn: number): Promise<void> {
  await owner.query(
    `update latest_states l
        set recorded_at = at, received_at = at, fix_recorded_at = at, fix_received_at = at, latitude = l.latitude + 0.0005, longitude = l.longitude + 0.0005
       from (select device_id from devices order by created_at offset ($2::int * $1) % (select count(*) from devices)::int limit $1) d,
            lateral (select date_trunc('milliseconds', clock_timestamp()) as at) t
      where l.source_id = d.device_id`,
    [count, turn],
  )
}
