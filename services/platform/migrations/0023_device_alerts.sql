-- Owner: readings. What devices raise by an `event` (sos, crash …) is noted in the commit of the reading, and becomes an alert beside it.

-- One row for each vehicle and event, until it is taken: a device that repeats itself adds to the count and to nothing else.
create table reading_alarms (
  reseller_id      text not null references resellers,
  vehicle_id       text not null,
  event            text not null,
  -- of the newest by recorded time, as is the position; null where no device was named
  device_id        text,
  count            integer not null,
  first_recorded_at timestamptz not null,
  last_recorded_at timestamptz not null,
  latitude         double precision,
  longitude        double precision,
  primary key (reseller_id, vehicle_id, event)
);
select enable_tenancy('reading_alarms');

-- Of alerts/: what a device raised is an alert of its own. It ends when a person resolves it.
alter table alerts drop constraint alerts_source_check;
alter table alerts add constraint alerts_source_check check (source in ('engine', 'maintenance', 'device'));
