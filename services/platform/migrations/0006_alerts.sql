-- Owner: alerts. One row from opening to resolution; a condition that comes back opens a new one.

create table alerts (
  reseller_id     text not null references resellers,
  alert_id        text not null,
  vehicle_id      text not null,
  type            text not null,
  component       text not null,
  severity        text not null check (severity in ('info', 'low', 'medium', 'high', 'critical')),
  status          text not null check (status in ('open', 'acknowledged', 'resolved')),
  description     text not null,
  message         text not null,
  urgency         text not null,
  code            text,
  evidence        jsonb not null default '{}',
  -- how often the engine reported it, and how many scores in a row it has left it out
  occurrences     integer not null,
  missed_scores   integer not null,
  opened_at       timestamptz not null,
  last_seen_at    timestamptz not null,
  -- recorded time of the newest reading when the engine last reported it
  last_reading_at timestamptz not null,
  acknowledged_at timestamptz,
  resolved_at     timestamptz,
  -- 'engine' when the condition went away by itself, 'user' when a person closed it
  resolved_by     text check (resolved_by in ('engine', 'user')),
  -- null while the engine goes on reporting it, which it may after a person resolved it
  condition_ended_at timestamptz,
  updated_at      timestamptz not null,
  primary key (reseller_id, alert_id),
  constraint alerts_resolution_check check ((status = 'resolved') = (resolved_at is not null) and (resolved_at is null) = (resolved_by is null)),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);
create unique index alerts_standing_key on alerts (reseller_id, vehicle_id, type, component, coalesce(code, '')) where condition_ended_at is null;
create index alerts_listed on alerts (reseller_id, opened_at, alert_id);
create index alerts_by_vehicle on alerts (reseller_id, vehicle_id, opened_at, alert_id);

select enable_tenancy('alerts');
