import type { Db } from '@roadworthy/service-kit/db'

export type VehicleOwner = { readonly vehicleId: string; readonly subClientId: string | undefined }

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
  return rows.map((row) =>
    row.vehicle_id === null ? undefined : { vehicleId: row.vehicle_id, subClientId: row.sub_client_id ?? undefined },
  )
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
