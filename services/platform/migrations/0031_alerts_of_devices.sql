-- Owner: readings. Also of alerts: what a device raises while it is in no vehicle is an alert of the device.

-- What reading_alarms is for vehicles. A table of its own, because a process of an earlier release would take a row without a vehicle and drop it.
create table unlinked_device_alarms (
  reseller_id       text not null references resellers,
  device_id         text not null,
  event             text not null,
  count             integer not null,
  first_recorded_at timestamptz not null,
  last_recorded_at  timestamptz not null,
  -- of the newest by recorded time
  latitude          double precision,
  longitude         double precision,
  primary key (reseller_id, device_id, event)
);
select enable_tenancy('unlinked_device_alarms');

-- A process of an earlier release finds alerts by their vehicle only, so that it neither shows nor changes one without.
alter table alerts alter column vehicle_id drop not null;
-- The device that raised it, where one did.
alter table alerts add column device_id text;
-- Rows from before have a vehicle and no device: there is nothing to validate.
alter table alerts add constraint alerts_subject_check check (vehicle_id is not null or device_id is not null) not valid;
alter table alerts add constraint alerts_device_fkey foreign key (reseller_id, device_id) references devices (reseller_id, device_id) not valid;
-- What alerts_standing_key is for vehicles: among those without a vehicle only devices raise any, one of each type.
create unique index alerts_standing_of_device_key on alerts (reseller_id, device_id, type) where vehicle_id is null and condition_ended_at is null;
create index alerts_by_device on alerts (reseller_id, device_id, opened_at, alert_id) where device_id is not null;
