-- Owner: incidents. Also of alerts and access: findings with one cause are one incident, and a reseller says how long before a part may end it wants the work done.

create table incidents (
  reseller_id        text not null references resellers,
  incident_id        text not null,
  -- null where a device raised it that was in no vehicle
  vehicle_id         text,
  device_id          text,
  source             text not null check (source in ('engine', 'maintenance', 'device')),
  -- what makes it the same from one score to the next: a cause the engine names, a schedule, an event of a device
  cause              text not null,
  component          text not null,
  severity           text not null check (severity in ('info', 'low', 'medium', 'high', 'critical')),
  -- snoozed: until snoozed_until; after it, open
  status             text not null check (status in ('open', 'acknowledged', 'snoozed', 'resolved')),
  title              text not null,
  recommendation     text not null,
  -- how often it opened, and when it first came back within an hour after it had ended by itself
  occurrences        integer not null check (occurrences > 0),
  returned_at        timestamptz(3),
  opened_at          timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  acknowledged_at    timestamptz(3),
  acknowledged_by    text,
  assignee           text,
  snoozed_until      timestamptz(3),
  resolved_at        timestamptz(3),
  -- 'engine' when nothing of it was found any more; only then can it come back
  resolved_by        text check (resolved_by in ('engine', 'user', 'maintenance')),
  resolution_reason  text check (resolution_reason in ('work_done', 'false_alarm', 'other')),
  resolution_note    text,
  maintenance_id     text,
  -- the status it has again when it comes back
  resumes_as         text not null check (resumes_as in ('open', 'acknowledged', 'snoozed')),
  -- what events said of it last, and when one last said that it changed by itself
  published_live     boolean not null,
  published_severity text not null,
  change_published_at timestamptz(3),
  primary key (reseller_id, incident_id),
  constraint incidents_subject_check check (vehicle_id is not null or device_id is not null),
  constraint incidents_snooze_check check (status <> 'snoozed' or snoozed_until is not null),
  constraint incidents_resolution_check check (
    (status = 'resolved') = (resolved_at is not null) and (resolved_at is null) = (resolved_by is null)
    and (resolved_at is null) = (resolution_reason is null)),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id),
  foreign key (reseller_id, device_id) references devices (reseller_id, device_id)
);
create unique index incidents_live_key on incidents (reseller_id, vehicle_id, source, cause) where vehicle_id is not null and status <> 'resolved';
create unique index incidents_live_of_device_key on incidents (reseller_id, device_id, cause) where vehicle_id is null and status <> 'resolved';
-- A score asks for those that live or ended within the hour.
create index incidents_of_vehicle_by_end on incidents (reseller_id, vehicle_id, (coalesce(resolved_at, 'infinity')));
create index incidents_of_device_by_end on incidents (reseller_id, device_id, (coalesce(resolved_at, 'infinity'))) where vehicle_id is null;
create index incidents_listed on incidents (reseller_id, opened_at, incident_id);
create index incidents_by_vehicle on incidents (reseller_id, vehicle_id, opened_at, incident_id);
select enable_tenancy('incidents');

-- Null of those that ended before there were incidents, and, until it is placed, of one that a process of an earlier release opens.
alter table alerts add column incident_id text;
alter table alerts add constraint alerts_incident_fkey foreign key (reseller_id, incident_id) references incidents (reseller_id, incident_id) not valid;
create index alerts_by_incident on alerts (reseller_id, incident_id, opened_at, alert_id) where incident_id is not null;
create index alerts_without_incident on alerts (opened_at) where incident_id is null and status <> 'resolved';

-- How many days before the early end (P10) of a remaining life work is advised. Assumption: a week to find a slot and a part.
alter table resellers add column maintenance_lead_days integer not null default 7 check (maintenance_lead_days between 0 and 90);
