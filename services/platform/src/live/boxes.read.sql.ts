import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Box } from '../fleet/box.ts'

/**
 * Vehicles of which a source's newest position lies in the box, those heard last first. It goes through the positions of the whole fleet: for
 * finding out periodically who is there, not for each round.
 */
export async function selectVehiclesInBox(
  db: Db,
  resellerId: string,
  { box, subClientPin, limit }: { box: Box; subClientPin: string | undefined; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ vehicle_id: string }>(
    `select v.vehicle_id
       from vehicles v
       join latest_states l on l.vehicle_id = v.vehicle_id and l.reseller_id = v.reseller_id
      where v.reseller_id = $1 and v.status = 'active' and ($2::text is null or v.sub_client_id = $2)
        and l.latitude between $3 and $4
        and case when $5::float8 <= $6::float8 then l.longitude between $5 and $6 else l.longitude >= $5 or l.longitude <= $6 end
      group by v.vehicle_id
      order by max(l.received_at) desc, v.vehicle_id
      limit $7`,
    [resellerId, subClientPin ?? null, box.south, box.north, box.west, box.east, limit],
  )
  return rows.map((row) => row.vehicle_id)
}
