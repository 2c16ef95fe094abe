import type { Db } from '@roadworthy/service-kit/db'
import type { VehicleDescription } from './vehicle.ts'
import type { Viewer } from './viewer.ts'

export type VehicleOwner = { readonly vehicleId: string; readonly subClientId: string | undefined }

/**
 * Makes upserts of the same vehicle wait for each other until their transactions end. Two plates are not kept apart by a constraint,
 * because one plate may be on several vehicles of a reseller.
 */
export async function lockVehicleNames(db: Db, resellerId: string, names: readonly string[]): Promise<void> {
  // Always in the same order, or two upserts could each wait for the other.
  await db.query(
    `select pg_advisory_xact_lock(key)
       from (select distinct hashtextextended($1 || ' vehicle ' || name, 0) as key from unnest($2::text[]) name order by key) locks`,
    [resellerId, names],
  )
}

export async function selectVehicleByVin(db: Db, resellerId: string, vin: string): Promise<VehicleOwner | undefined> {
  const { rows } = await db.query<OwnerRow>(
    'select vehicle_id, sub_client_id from vehicles where reseller_id = $1 and vin = $2 for no key update',
    [resellerId, vin],
  )
  return rows[0] === undefined ? undefined : ownerFromRow(rows[0])
}

export async function selectVehicleByExternalRef(db: Db, resellerId: string, externalRef: string): Promise<VehicleOwner | undefined> {
  const { rows } = await db.query<OwnerRow>(
    'select vehicle_id, sub_client_id from vehicles where reseller_id = $1 and external_ref = $2 for no key update',
    [resellerId, externalRef],
  )
  return rows[0] === undefined ? undefined : ownerFromRow(rows[0])
}

/** The oldest with this plate in the sub-client (or in none). A vehicle with another VIN than the given one is another vehicle. */
export async function selectVehicleByPlate(
  db: Db,
  resellerId: string,
  subClientId: string | undefined,
  licensePlate: string,
  vin: string | undefined,
): Promise<VehicleOwner | undefined> {
  const { rows } = await db.query<OwnerRow>(
    `select vehicle_id, sub_client_id
       from vehicles
      where reseller_id = $1 and license_plate = $2 and sub_client_id is not distinct from $3::text and ($4::text is null or vin is null)
      order by created_at, vehicle_id
      limit 1
        for no key update`,
    [resellerId, licensePlate, subClientId ?? null, vin ?? null],
  )
  return rows[0] === undefined ? undefined : ownerFromRow(rows[0])
}

/** Violates `vehicles_vin_key` or `vehicles_external_ref_key` when another vehicle of the reseller has the name. */
export async function insertVehicle(
  db: Db,
  resellerId: string,
  { vehicleId, subClientId }: VehicleOwner,
  vehicle: VehicleDescription,
  createdAt: Date,
): Promise<void> {
  await db.query(
    `insert into vehicles
       (reseller_id, vehicle_id, sub_client_id, external_ref, vin, license_plate, make, model, year, registered, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, $10, $10)`,
    [resellerId, vehicleId, subClientId ?? null, ...describedValues(vehicle), createdAt],
  )
}

/** What is absent stays, and where nothing changes `updated_at` does too. Violates the same constraints as an insert. */
export async function updateVehicle(
  db: Db,
  resellerId: string,
  { vehicleId, subClientId }: VehicleOwner,
  vehicle: VehicleDescription,
  at: Date,
): Promise<void> {
  await db.query(
    `update vehicles v
        set sub_client_id = n.sub_client_id, external_ref = n.external_ref, vin = n.vin, license_plate = n.license_plate,
            make = n.make, model = n.model, year = n.year, registered = true, updated_at = $10
       from (select coalesce($3, sub_client_id) as sub_client_id,
                    coalesce($4, external_ref) as external_ref,
                    coalesce($5, vin) as vin,
                    coalesce($6, license_plate) as license_plate,
                    coalesce($7, make) as make,
                    coalesce($8, model) as model,
                    coalesce($9, year) as year
               from vehicles
              where reseller_id = $1 and vehicle_id = $2
                for no key update) n
      where v.reseller_id = $1 and v.vehicle_id = $2
        and (v.sub_client_id, v.external_ref, v.vin, v.license_plate, v.make, v.model, v.year, v.registered)
            is distinct from (n.sub_client_id, n.external_ref, n.vin, n.license_plate, n.make, n.model, n.year, true)`,
    [resellerId, vehicleId, subClientId ?? null, ...describedValues(vehicle), at],
  )
}

export async function updateVehicleSubClient(db: Db, resellerId: string, vehicleId: string, subClientId: string, at: Date): Promise<void> {
  await db.query('update vehicles set sub_client_id = $3, updated_at = $4 where reseller_id = $1 and vehicle_id = $2', [
    resellerId,
    vehicleId,
    subClientId,
    at,
  ])
}

/** By our id or the caller's reference, in the order asked, of the resellers of this transaction. Our id wins. */
export async function selectVehiclesByReference(
  db: Db,
  asked: readonly { resellerId: string; reference: string }[],
): Promise<(VehicleOwner | undefined)[]> {
  const { rows } = await db.query<{ vehicle_id: string | null; sub_client_id: string | null }>(
    `select coalesce(i.vehicle_id, r.vehicle_id) as vehicle_id,
            case when i.vehicle_id is not null then i.sub_client_id else r.sub_client_id end as sub_client_id
       from unnest($1::text[], $2::text[]) with ordinality as a (reseller_id, reference, position)
       left join vehicles i on i.reseller_id = a.reseller_id and i.vehicle_id = a.reference
       left join vehicles r on r.reseller_id = a.reseller_id and r.external_ref = a.reference
      order by a.position`,
    [asked.map((a) => a.resellerId), asked.map((a) => a.reference)],
  )
  return rows.map(({ vehicle_id, sub_client_id }) => (vehicle_id === null ? undefined : ownerFromRow({ vehicle_id, sub_client_id })))
}

/** By our id or the caller's reference; nobody's but the viewer's. */
export async function selectVisibleVehicle(db: Db, viewer: Viewer, reference: string): Promise<VehicleOwner | undefined> {
  const [found] = await selectVehiclesByReference(db, [{ resellerId: viewer.resellerId, reference }])
  return viewer.subClientPin === undefined || found?.subClientId === viewer.subClientPin ? found : undefined
}

/** Two calls at once make one vehicle: the second waits for the first and answers with it. */
export async function insertUnregisteredVehicle(
  db: Db,
  resellerId: string,
  reference: string,
  owner: VehicleOwner,
  createdAt: Date,
): Promise<VehicleOwner> {
  await db.query(
    `insert into vehicles (reseller_id, vehicle_id, external_ref, sub_client_id, registered, created_at, updated_at)
     values ($1, $2, $3, $4, false, $5, $5)
     on conflict on constraint vehicles_external_ref_key do nothing`,
    [resellerId, owner.vehicleId, reference, owner.subClientId ?? null, createdAt],
  )
  const [found] = await selectVehiclesByReference(db, [{ resellerId, reference }])
  if (found === undefined) throw new Error(`vehicle ${JSON.stringify(reference)} was deleted while it was being created`)
  return found
}

function describedValues({ externalRef, vin, licensePlate, make, model, year }: VehicleDescription): unknown[] {
  return [externalRef, vin, licensePlate, make, model, year].map((value) => value ?? null)
}

type OwnerRow = { vehicle_id: string; sub_client_id: string | null }

function ownerFromRow(row: OwnerRow): VehicleOwner {
  return { vehicleId: row.vehicle_id, subClientId: row.sub_client_id ?? undefined }
}
