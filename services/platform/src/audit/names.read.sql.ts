import type { Db } from '@roadworthy/service-kit/postgres/db'

/**
 * What devices, vehicles, incidents, SIMs and webhooks of the reseller are called now, by id: an incident by its title, a SIM by its ICCID, a webhook
 * by its address. Those that are gone, or have no name, are left out.
 */
export async function selectNamesOfThings(db: Db, resellerId: string, ids: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select device_id as id, name from devices where reseller_id = $1 and device_id = any($2) and name is not null
      union all
     select vehicle_id, coalesce(license_plate, name, external_ref, vin) from vehicles
      where reseller_id = $1 and vehicle_id = any($2) and coalesce(license_plate, name, external_ref, vin) is not null
      union all
     select incident_id, title from incidents where reseller_id = $1 and incident_id = any($2)
      union all
     select sim_id, iccid from sims where reseller_id = $1 and sim_id = any($2)
      union all
     select endpoint_id, url from webhook_endpoints where reseller_id = $1 and endpoint_id = any($2)`,
    [resellerId, ids],
  )
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}
