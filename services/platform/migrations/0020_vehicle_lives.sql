-- Owner: fleet. Vehicles that readings name, what more is known of a vehicle, and its retirement.

-- How many vehicles a reseller's devices may create by naming them in a reading; 0: none.
alter table resellers add column device_vehicle_limit integer not null default 0 check (device_vehicle_limit between 0 and 100000);

alter table vehicles
  -- created by a reading that a device sent itself
  add column named_by_device boolean not null default false,
  add column name text,
  add column vehicle_class text,
  add column fuel_type text,
  add column drivetrain text,
  add column battery_nominal_v smallint,
  add column status text not null default 'active' check (status in ('active', 'retired')),
  add column retired_at timestamptz(3);

-- Counted before another is created.
create index vehicles_unregistered on vehicles (reseller_id) where not registered and status = 'active';
