-- Owner: devices. Registered devices, their credentials, and the answers kept for a repeated registration.

create table devices (
  reseller_id            text not null references resellers,
  device_id              text not null check (device_id ~ '^dev-[a-z0-9]{8,40}$'),
  name                   text,
  imei                   text check (imei ~ '^[0-9]{14,16}$'),
  device_type            text not null,
  connection_method      text not null,
  sim_number             text,
  status                 text not null check (status in ('pending', 'active', 'suspended', 'decommissioned')),
  sub_client_id          text,
  vehicle_id             text,
  -- a vehicle may carry several devices; its record names the one linked last
  vehicle_linked_at      timestamptz(3),
  -- when it came into its vehicle, once it has been in another: what it recorded before is not this vehicle's; null in its first one
  vehicle_since          timestamptz(3),
  -- Our broker verifies SHA-256 of the random secret; the PBKDF2 verifier is for brokers of others.
  mqtt_secret_sha256     bytea,
  mqtt_password_hash     text,
  previous_secret_sha256 bytea,
  previous_secret_until  timestamptz(3),
  created_at             timestamptz(3) not null default now(),
  updated_at             timestamptz(3) not null default now(),
  decommissioned_at      timestamptz(3),
  constraint devices_pkey primary key (reseller_id, device_id),
  constraint devices_device_id_key unique (device_id),
  foreign key (reseller_id, sub_client_id) references sub_clients (reseller_id, sub_client_id),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);
-- Per reseller, never global: a global one would tell a stranger that another reseller has this device.
create unique index devices_imei_key on devices (reseller_id, imei) where status <> 'decommissioned';
create index devices_listed on devices (reseller_id, created_at, device_id);
create index devices_by_sub_client on devices (reseller_id, sub_client_id);
create index devices_by_vehicle on devices (reseller_id, vehicle_id);

-- The first answer to a registration, credentials included, encrypted; replayed for the same body within 24 h while the device lives.
create table device_registrations (
  reseller_id text not null references resellers,
  device_id   text not null,
  body_sha256 bytea not null,
  answer      bytea not null,
  created_at  timestamptz not null default now(),
  primary key (reseller_id, device_id),
  foreign key (reseller_id, device_id) references devices (reseller_id, device_id)
);

-- Which devices were ever linked to a vehicle, so that its readings are found by their primary key after devices move.
-- source_id is the device's id, as the readings call it.
create table vehicle_sources (
  reseller_id text not null,
  vehicle_id  text not null,
  source_id   text not null,
  primary key (reseller_id, vehicle_id, source_id)
);

select enable_tenancy('devices');
select enable_tenancy('device_registrations');
select enable_tenancy('vehicle_sources');

-- Not for a pending device that becomes active: whoever still believes it pending makes it active once more, for nothing, while a fleet
-- that speaks for the first time would have every process ask for all its devices again with each of them.
create trigger devices_changed after update on devices for each row
  when (
    not (old.status = 'pending' and new.status = 'active')
    or (old.sub_client_id, old.vehicle_id, old.vehicle_linked_at) is distinct from (new.sub_client_id, new.vehicle_id, new.vehicle_linked_at)
  )
  execute function notify_fleet_changed();
create trigger devices_deleted after delete on devices for each row execute function notify_fleet_changed();

-- A decommissioned, suspended or re-keyed device loses its live MQTT session in whichever process holds it.
create function notify_device_access_changed() returns trigger language plpgsql as $$
begin
  -- A pending device that becomes active has just spoken: its session stays.
  if (new.status is distinct from old.status and new.status not in ('pending', 'active')) or new.mqtt_secret_sha256 is distinct from old.mqtt_secret_sha256 then
    perform pg_notify('device_access_changed', new.device_id);
  end if;
  return null;
end $$;
create trigger devices_access_changed after update on devices for each row execute function notify_device_access_changed();

-- So do all devices of a sub-client or reseller that is not served any more: their readings would only be acknowledged away.
create function notify_sub_client_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_access_changed', d.device_id)
     from devices d
    where d.reseller_id = new.reseller_id and d.sub_client_id = new.sub_client_id and d.status <> 'decommissioned';
  return null;
end $$;
create trigger sub_clients_access_changed after update on sub_clients for each row
  when (new.status <> 'active' and new.status is distinct from old.status) execute function notify_sub_client_access_changed();

create function notify_reseller_access_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('device_access_changed', d.device_id)
     from devices d
    where d.reseller_id = new.reseller_id and d.status <> 'decommissioned';
  return null;
end $$;
create trigger resellers_access_changed after update on resellers for each row
  when (new.subscription not in ('active', 'trialing') and new.subscription is distinct from old.subscription)
  execute function notify_reseller_access_changed();
