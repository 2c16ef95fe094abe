import type { Db } from '@roadworthy/service-kit/db'

/** What devices and vehicles of the reseller are called now, by id. Those that are gone, or have no name, are left out. */
export async function selectNamesOfThings(db: Db, resellerId: string, ids: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select device_id as id, name from devices where reseller_id = $1 and device_id = any($2) and name is not null
      union all
     select vehicle_id, coalesce(license_plate, name, external_ref, vin) from vehicles
      where reseller_id = $1 and vehicle_id = any($2) and coalesce(license_plate, name, external_ref, vin) is not null`,
    [resellerId, ids],
  )
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}
