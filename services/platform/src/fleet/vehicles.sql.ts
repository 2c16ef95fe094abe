import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { VehicleChanges, VehicleDescription, VehicleStatus } from './vehicle.ts'
import type { Viewer } from './viewer.ts'

export type VehicleOwner = { readonly vehicleId: string; readonly subClientId: string | undefined; readonly isRetired?: boolean }

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
    'select vehicle_id, sub_client_id, status from vehicles where reseller_id = $1 and vin = $2 for no key update',
    [resellerId, vin],
  )
  return rows[0] === undefined ? undefined : ownerFromRow(rows[0])
}

export async function selectVehicleByExternalRef(db: Db, resellerId: string, externalRef: string): Promise<VehicleOwner | undefined> {
  const { rows } = await db.query<OwnerRow>(
    'select vehicle_id, sub_client_id, status from vehicles where reseller_id = $1 and external_ref = $2 for no key update',
    [resellerId, externalRef],
  )
  return rows[0] === undefined ? undefined : ownerFromRow(rows[0])
}

/** The oldest with this plate in the sub-client (or in none) that is not retired. One with another VIN than the given one is another vehicle. */
export async function selectVehicleByPlate(
  db: Db,
  resellerId: string,
  subClientId: string | undefined,
  licensePlate: string,
  vin: string | undefined,
): Promise<VehicleOwner | undefined> {
  const { rows } = await db.query<OwnerRow>(
    `select vehicle_id, sub_client_id, status
       from vehicles
      where reseller_id = $1 and license_plate = $2 and status = 'active' and sub_client_id is not distinct from $3::text and ($4::text is null or vin is null)
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
       (reseller_id, vehicle_id, sub_client_id, external_ref, vin, license_plate, make, model, year, name, vehicle_class, fuel_type, drivetrain,
        battery_nominal_v, registered, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, true, $15, $15)`,
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
            make = n.make, model = n.model, year = n.year, name = n.name, vehicle_class = n.vehicle_class, fuel_type = n.fuel_type,
            drivetrain = n.drivetrain, battery_nominal_v = n.battery_nominal_v, registered = true, updated_at = $15
       from (select coalesce($3, sub_client_id) as sub_client_id,
                    coalesce($4, external_ref) as external_ref,
                    coalesce($5, vin) as vin,
                    coalesce($6, license_plate) as license_plate,
                    coalesce($7, make) as make,
                    coalesce($8, model) as model,
                    coalesce($9, year) as year,
                    coalesce($10, name) as name,
                    coalesce($11, vehicle_class) as vehicle_class,
                    coalesce($12, fuel_type) as fuel_type,
                    coalesce($13, drivetrain) as drivetrain,
                    coalesce($14, battery_nominal_v) as battery_nominal_v
               from vehicles
              where reseller_id = $1 and vehicle_id = $2
                for no key update) n
      where v.reseller_id = $1 and v.vehicle_id = $2
        and (v.sub_client_id, v.external_ref, v.vin, v.license_plate, v.make, v.model, v.year, v.name, v.vehicle_class, v.fuel_type,
             v.drivetrain, v.battery_nominal_v, v.registered)
            is distinct from (n.sub_client_id, n.external_ref, n.vin, n.license_plate, n.make, n.model, n.year, n.name, n.vehicle_class,
                              n.fuel_type, n.drivetrain, n.battery_nominal_v, true)`,
    [resellerId, vehicleId, subClientId ?? null, ...describedValues(vehicle), at],
  )
}

const columns: Readonly<Record<keyof VehicleChanges, string>> = {
  externalRef: 'external_ref',
  vin: 'vin',
  licensePlate: 'license_plate',
  make: 'make',
  model: 'model',
  year: 'year',
  name: 'name',
  vehicleClass: 'vehicle_class',
  fuelType: 'fuel_type',
  drivetrain: 'drivetrain',
  batteryNominalV: 'battery_nominal_v',
  subClientId: 'sub_client_id',
  status: 'status',
}

/** What is not given stays. Violates the same constraints as an insert; where nothing changes `updated_at` stays too. */
export async function changeVehicleRow(db: Db, resellerId: string, vehicleId: string, changes: VehicleChanges, at: Date): Promise<void> {
  const row = Object.fromEntries(Object.entries(changes).map(([field, value]) => [columns[field as keyof VehicleChanges], value ?? null]))
  // The row as it is, with what was given laid over it.
  await db.query(
    `update vehicles v
        set external_ref = n.external_ref, vin = n.vin, license_plate = n.license_plate, make = n.make, model = n.model, year = n.year,
            name = n.name, vehicle_class = n.vehicle_class, fuel_type = n.fuel_type, drivetrain = n.drivetrain,
            battery_nominal_v = n.battery_nominal_v, sub_client_id = n.sub_client_id, status = n.status, registered = true,
            retired_at = case when n.status = 'retired' then coalesce(v.retired_at, $4) end, updated_at = $4
       from (select (jsonb_populate_record(h, $3::jsonb)).*
               from vehicles h
              where h.reseller_id = $1 and h.vehicle_id = $2
                for no key update) n
      where v.reseller_id = $1 and v.vehicle_id = $2
        and (v.external_ref, v.vin, v.license_plate, v.make, v.model, v.year, v.name, v.vehicle_class, v.fuel_type, v.drivetrain,
             v.battery_nominal_v, v.sub_client_id, v.status)
            is distinct from (n.external_ref, n.vin, n.license_plate, n.make, n.model, n.year, n.name, n.vehicle_class, n.fuel_type,
                              n.drivetrain, n.battery_nominal_v, n.sub_client_id, n.status)`,
    [resellerId, vehicleId, JSON.stringify(row), at],
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
  const { rows } = await db.query<{ vehicle_id: string | null; sub_client_id: string | null; status: VehicleStatus }>(
    `select coalesce(i.vehicle_id, r.vehicle_id) as vehicle_id,
            case when i.vehicle_id is not null then i.sub_client_id else r.sub_client_id end as sub_client_id,
            case when i.vehicle_id is not null then i.status else r.status end as status
       from unnest($1::text[], $2::text[]) with ordinality as a (reseller_id, reference, position)
       left join vehicles i on i.reseller_id = a.reseller_id and i.vehicle_id = a.reference
       left join vehicles r on r.reseller_id = a.reseller_id and r.external_ref = a.reference
      order by a.position`,
    [asked.map((a) => a.resellerId), asked.map((a) => a.reference)],
  )
  return rows.map(({ vehicle_id, ...row }) => (vehicle_id === null ? undefined : ownerFromRow({ vehicle_id, ...row })))
}

/** By our id or the caller's reference; nobody's but the viewer's. */
export async function selectVisibleVehicle(db: Db, viewer: Viewer, reference: string): Promise<VehicleOwner | undefined> {
  const [found] = await selectVehiclesByReference(db, [{ resellerId: viewer.resellerId, reference }])
  return viewer.subClientPin === undefined || found?.subClientId === viewer.subClientPin ? found : undefined
}

/** Who names a vehicle that nobody registered: the reseller, by a key or through its own stream, or a device by its own credentials. */
export type NamedBy = 'reseller' | 'device'

export type NamedVehicle = VehicleOwner & { readonly reference: string; readonly by: NamedBy }

/** Of vehicles that were created by a reading which named them, and are neither registered since nor retired. */
export type NamedVehicleLimits = { readonly ofReseller: number; readonly ofDevices: number }

/**
 * Creates vehicles that readings named, as far as there is room, and answers in their order with the vehicle of each reference: the new one,
 * or the one that was there already. Undefined where there was no room. Whoever counts waits for whoever creates, so the limits hold.
 */
export async function insertNamedVehicles(
  db: Db,
  resellerId: string,
  named: readonly NamedVehicle[],
  limits: NamedVehicleLimits,
  createdAt: Date,
): Promise<(VehicleOwner | undefined)[]> {
  await db.query("select pg_advisory_xact_lock(hashtextextended($1 || ' named vehicles', 0))", [resellerId])
  await db.query(
    `with wanted as (
       select distinct on (a.reference) a.*
         from unnest($2::text[], $3::text[], $4::text[], $5::boolean[]) with ordinality
              as a (vehicle_id, reference, sub_client_id, by_device, position)
        where not exists (select from vehicles v where v.reseller_id = $1 and (v.vehicle_id = a.reference or v.external_ref = a.reference))
        order by a.reference, a.position
     ), standing as (
       select count(*) as of_reseller, count(*) filter (where named_by_device) as of_devices
         from vehicles
        where reseller_id = $1 and not registered and status = 'active'
     ), counted as (
       select w.*, s.of_reseller + count(*) over so_far as of_reseller, s.of_devices + count(*) filter (where w.by_device) over so_far as of_devices
         from wanted w cross join standing s
       window so_far as (order by w.position)
     )
     insert into vehicles (reseller_id, vehicle_id, external_ref, sub_client_id, registered, named_by_device, created_at, updated_at)
     select $1, vehicle_id, reference, sub_client_id, false, by_device, $8, $8
       from counted
      where of_reseller <= $6 and (not by_device or of_devices <= $7)
     on conflict on constraint vehicles_external_ref_key do nothing`,
    [
      resellerId,
      named.map(({ vehicleId }) => vehicleId),
      named.map(({ reference }) => reference),
      named.map(({ subClientId }) => subClientId ?? null),
      named.map(({ by }) => by === 'device'),
      limits.ofReseller,
      limits.ofDevices,
      createdAt,
    ],
  )
  return await selectVehiclesByReference(
    db,
    named.map(({ reference }) => ({ resellerId, reference })),
  )
}

function describedValues(vehicle: VehicleDescription): unknown[] {
  const { externalRef, vin, licensePlate, make, model, year, name, vehicleClass, fuelType, drivetrain, batteryNominalV } = vehicle
  const values = [externalRef, vin, licensePlate, make, model, year, name, vehicleClass, fuelType, drivetrain, batteryNominalV]
  return values.map((value) => value ?? null)
}

type OwnerRow = { vehicle_id: string; sub_client_id: string | null; status: VehicleStatus }

function ownerFromRow(row: OwnerRow): VehicleOwner {
  const owner = { vehicleId: row.vehicle_id, subClientId: row.sub_client_id ?? undefined }
  return row.status === 'retired' ? { ...owner, isRetired: true } : owner
}
