-- Owner: fleet. Sub-clients of a reseller, and vehicles.

create table sub_clients (
  reseller_id   text not null references resellers,
  sub_client_id text not null check (sub_client_id ~ '^[a-z0-9-]{1,64}$'),
  name          text not null,
  contact_email text,
  contact_phone text,
  metadata      jsonb not null default '{}',
  status        text not null default 'active' check (status in ('active', 'suspended', 'deactivated')),
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  constraint sub_clients_pkey primary key (reseller_id, sub_client_id)
);
create index sub_clients_listed on sub_clients (reseller_id, created_at, sub_client_id);

create table vehicles (
  reseller_id   text not null references resellers,
  vehicle_id    text not null,
  -- the caller's own name for the vehicle, when it was first heard of in telemetry
  external_ref  text,
  vin           text,
  license_plate text,
  make          text,
  model         text,
  year          integer,
  sub_client_id text,
  -- false: created by a reading that named it, not by the reseller
  registered    boolean not null default true,
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  primary key (reseller_id, vehicle_id),
  constraint vehicles_vin_key unique (reseller_id, vin),
  constraint vehicles_external_ref_key unique (reseller_id, external_ref),
  foreign key (reseller_id, sub_client_id) references sub_clients (reseller_id, sub_client_id)
);
create index vehicles_listed on vehicles (reseller_id, created_at, vehicle_id);
create index vehicles_by_sub_client on vehicles (reseller_id, sub_client_id);
create index vehicles_by_plate on vehicles (reseller_id, license_plate);

select enable_tenancy('sub_clients');
select enable_tenancy('vehicles');

-- Processes keep resolved devices, vehicles and sub-clients in memory; a change drops them there.
create function notify_fleet_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleet_changed', coalesce(new.reseller_id, old.reseller_id));
  return null;
end $$;
create trigger sub_clients_changed after update or delete on sub_clients for each row execute function notify_fleet_changed();
create trigger vehicles_changed after update or delete on vehicles for each row execute function notify_fleet_changed();
