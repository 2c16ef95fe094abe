// What people know a vehicle by, as a piece of a statement.

/** Of the vehicle `v`, as JSON; null where there is none. For the few rows that are shown: it may look for a device. */
export const VEHICLE_REFERENCE = `
  case when v.vehicle_id is not null then jsonb_build_object(
    'id', v.vehicle_id, 'licensePlate', v.license_plate, 'externalRef', v.external_ref, 'vin', v.vin,
    'name', coalesce(v.name, case when v.license_plate is null then (
      select d.name
        from devices d
       where d.reseller_id = v.reseller_id and d.vehicle_id = v.vehicle_id and d.status <> 'decommissioned'
       order by d.vehicle_linked_at desc nulls last, d.device_id
       limit 1) end)) end`
