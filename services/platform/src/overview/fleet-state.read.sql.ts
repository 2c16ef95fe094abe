// How the fleet is: how many vehicles are in which state, and which of them need a part first.

import type { Overview, VehicleAtRisk } from '@roadworthy/contracts/platform-v1/overview'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isOfServedDevice } from '../devices/connections.read.sql.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { VEHICLE_REFERENCE } from './vehicle-reference.sql.ts'

const MAX_AT_RISK = 10
/** More than the parts that are predicted of any vehicle, so that this many of its predictions are never all of fewer vehicles than are shown. */
const PARTS_OF_A_VEHICLE = 25

export async function selectFleetCounts(db: Db, { resellerId, subClientPin }: Viewer, onlineSince: Date): Promise<Overview['vehicles']> {
  const { rows } = await db.query<CountsRow>(
    `select count(*)::int as total,
            count(*) filter (where h.health_status = 'critical')::int as critical,
            count(*) filter (where h.health_status = 'warning')::int as warning,
            count(*) filter (where h.health_status = 'healthy')::int as healthy,
            count(*) filter (where h.health_status is null)::int as unknown,
            count(*) filter (where heard.at >= $3)::int as online,
            count(*) filter (where heard.at < $3)::int as offline,
            count(*) filter (where heard.at is null)::int as never
       from vehicles v
       left join vehicle_health h on h.reseller_id = v.reseller_id and h.vehicle_id = v.vehicle_id
       left join (select l.vehicle_id, max(case when ${isOfServedDevice} then l.received_at else '-infinity' end) as at
                    from latest_states l
                   where l.reseller_id = $1 and l.vehicle_id is not null
                   group by l.vehicle_id) heard on heard.vehicle_id = v.vehicle_id
      where v.reseller_id = $1 and v.status = 'active' and ($2::text is null or v.sub_client_id = $2)`,
    [resellerId, subClientPin ?? null, onlineSince],
  )
  const { total, critical, warning, healthy, unknown, online, offline, never } = rows[0] as CountsRow
  return { total, health: { critical, warning, healthy, unknown }, connection: { online, offline, never } }
}

/** Shortest remaining life first, each vehicle once. */
export async function selectVehiclesAtRisk(db: Db, { resellerId, subClientPin }: Viewer): Promise<VehicleAtRisk[]> {
  const { rows } = await db.query<AtRiskRow>(
    `select ${VEHICLE_REFERENCE} as vehicle, p.component, p.issue, p.rul_days, p.rul_p10_days, p.rul_p90_days, p.confidence, p.severity,
            h.health_status
       from (select distinct on (n.vehicle_id) n.*
               from (select p.reseller_id, p.prediction_id, p.vehicle_id, p.component, p.issue, p.rul_days, p.rul_p10_days, p.rul_p90_days,
                            p.confidence, p.severity
                       from predictions p
                       join vehicles v on v.reseller_id = p.reseller_id and v.vehicle_id = p.vehicle_id
                      where p.reseller_id = $1 and v.status = 'active' and ($2::text is null or v.sub_client_id = $2)
                      order by p.rul_days, p.rul_p10_days, p.prediction_id
                      limit $3) n
              order by n.vehicle_id, n.rul_days, n.rul_p10_days, n.prediction_id) p
       join vehicles v on v.reseller_id = p.reseller_id and v.vehicle_id = p.vehicle_id
       left join vehicle_health h on h.reseller_id = p.reseller_id and h.vehicle_id = p.vehicle_id
      order by p.rul_days, p.rul_p10_days, p.prediction_id
      limit $4`,
    [resellerId, subClientPin ?? null, MAX_AT_RISK * PARTS_OF_A_VEHICLE, MAX_AT_RISK],
  )
  return rows.map(({ rul_p10_days, rul_p90_days, health_status, ...row }) => {
    return { ...row, interval: [rul_p10_days, rul_p90_days], healthStatus: health_status }
  })
}

type CountsRow = Record<'total' | 'critical' | 'warning' | 'healthy' | 'unknown' | 'online' | 'offline' | 'never', number>

type AtRiskRow = Omit<VehicleAtRisk, 'interval' | 'healthStatus'> & {
  rul_p10_days: number
  rul_p90_days: number
  health_status: VehicleAtRisk['healthStatus']
}
