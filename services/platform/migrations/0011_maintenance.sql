-- Owner: maintenance. Work that was done and is planned, what falls due when, the odometer as it is kept, and how predictions did.

create table maintenance_records (
  reseller_id       text not null references resellers,
  maintenance_id    text not null,
  vehicle_id        text not null,
  component         text not null,
  status            text not null check (status in ('planned', 'completed')),
  -- of a schedule that may be gone by now
  schedule_id       text,
  due_at            timestamptz(3),
  completed_at      timestamptz(3),
  odometer_km       double precision check (odometer_km >= 0),
  engine_hours      double precision check (engine_hours >= 0),
  cost_amount_minor bigint check (cost_amount_minor >= 0),
  cost_currency     text,
  notes             text,
  condition_found   text check (condition_found in ('sound', 'worn', 'failed')),
  -- whether the part is new afterwards: its life begins there
  renewed           boolean not null,
  -- the prediction that led to it, or that stood when the work was done; it may be gone by now
  prediction_id     text,
  created_at        timestamptz(3) not null,
  updated_at        timestamptz(3) not null,
  primary key (reseller_id, maintenance_id),
  constraint maintenance_records_completed_check check ((status = 'completed') = (completed_at is not null)),
  constraint maintenance_records_cost_check check ((cost_amount_minor is null) = (cost_currency is null)),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);
create index maintenance_records_listed on maintenance_records (reseller_id, created_at, maintenance_id);
create index maintenance_records_renewals on maintenance_records (reseller_id, vehicle_id, component, completed_at) where renewed and status = 'completed';

-- What the prediction that stood had said, beside what happened. Only the last one told before the work is held against it.
create table prediction_outcomes (
  reseller_id    text not null references resellers,
  maintenance_id text not null,
  prediction_id  text not null,
  rul_days       integer not null,
  rul_p10_days   double precision not null,
  rul_p90_days   double precision not null,
  told_at        timestamptz(3) not null,
  primary key (reseller_id, maintenance_id),
  foreign key (reseller_id, maintenance_id) references maintenance_records (reseller_id, maintenance_id) on delete cascade
);

create table maintenance_schedules (
  reseller_id         text not null references resellers,
  schedule_id         text not null,
  vehicle_id          text not null,
  component           text not null,
  title               text not null,
  every_days          integer check (every_days > 0),
  every_km            double precision check (every_km > 0),
  every_engine_hours  double precision check (every_engine_hours > 0),
  remind_days         integer not null check (remind_days >= 0),
  remind_km           double precision not null check (remind_km >= 0),
  remind_engine_hours double precision not null check (remind_engine_hours >= 0),
  last_at             timestamptz(3) not null,
  -- null until it is known what the vehicle's odometer or hour meter showed
  last_odometer_km    double precision,
  last_engine_hours   double precision,
  -- as of the last review
  status              text not null check (status in ('unknown', 'ok', 'due_soon', 'overdue')),
  projected_at        timestamptz(3),
  reviewed_at         timestamptz(3) not null,
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null,
  primary key (reseller_id, schedule_id),
  constraint maintenance_schedules_every_check check (coalesce(every_days, every_km, every_engine_hours) is not null),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);
create index maintenance_schedules_listed on maintenance_schedules (reseller_id, created_at, schedule_id);
create index maintenance_schedules_by_vehicle on maintenance_schedules (reseller_id, vehicle_id, component);
create index maintenance_schedules_to_review on maintenance_schedules (reviewed_at);

-- What a vehicle's odometer and hour meter stand at. Readings move them forward only; a person's correction may move them back.
create table vehicle_meters (
  reseller_id        text not null references resellers,
  vehicle_id         text not null,
  odometer_km        double precision,
  -- recorded time of the reading behind it, or when a person said so
  odometer_at        timestamptz(3),
  -- added to what the vehicle says, from the given time on: since its instrument cluster was replaced, say
  odometer_offset_km double precision not null default 0,
  corrected_at       timestamptz(3),
  engine_hours       double precision,
  engine_hours_at    timestamptz(3),
  -- what the vehicle last said of its run time
  run_time_s         double precision,
  primary key (reseller_id, vehicle_id),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
) with (fillfactor = 70);

-- What was driven on each UTC day, and what the meters stood at at its end.
create table vehicle_use (
  reseller_id  text not null references resellers,
  vehicle_id   text not null,
  day          date not null,
  odometer_km  double precision,
  recorded_at  timestamptz(3) not null,
  driven_km    double precision not null,
  engine_hours double precision not null,
  primary key (reseller_id, vehicle_id, day)
) with (fillfactor = 70);

-- For deleting what is past its retention.
create index vehicle_use_by_age on vehicle_use using brin (day) with (autosummarize = on);

create table odometer_corrections (
  reseller_id         text not null references resellers,
  correction_id       text not null,
  vehicle_id          text not null,
  odometer_km         double precision,
  engine_hours        double precision,
  former_odometer_km  double precision,
  former_engine_hours double precision,
  reason              text not null,
  -- the key, or the person, that made it
  corrected_by        text not null,
  corrected_at        timestamptz(3) not null,
  primary key (reseller_id, correction_id),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);
create index odometer_corrections_listed on odometer_corrections (reseller_id, vehicle_id, corrected_at, correction_id);

-- Addresses under which a calendar program fetches the maintenance of a vehicle. The token is random and only its hash is kept.
create table calendar_links (
  reseller_id   text not null references resellers,
  vehicle_id    text not null,
  token_sha256  bytea not null,
  -- the vehicle's owner then: the link ends when the vehicle goes to another
  sub_client_id text,
  created_at    timestamptz(3) not null,
  primary key (reseller_id, vehicle_id),
  constraint calendar_links_token_key unique (token_sha256),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);

select enable_tenancy('maintenance_records');
select enable_tenancy('prediction_outcomes');
select enable_tenancy('maintenance_schedules');
select enable_tenancy('vehicle_meters');
select enable_tenancy('vehicle_use');
select enable_tenancy('odometer_corrections');
select enable_tenancy('calendar_links');

-- Of alerts/: an alert is the engine's or a schedule's, and each ends its own only.
alter table alerts add column source text not null default 'engine' check (source in ('engine', 'maintenance'));
alter table alerts add column schedule_id text;
alter table alerts add constraint alerts_schedule_check check ((source = 'maintenance') = (schedule_id is not null));
alter table alerts drop constraint alerts_resolved_by_check;
alter table alerts add constraint alerts_resolved_by_check check (resolved_by in ('engine', 'user', 'maintenance'));
drop index alerts_standing_key;
create unique index alerts_standing_key on alerts (reseller_id, vehicle_id, type, component, coalesce(code, ''), coalesce(schedule_id, ''))
  where condition_ended_at is null;
create index alerts_of_schedules on alerts (reseller_id, schedule_id) where schedule_id is not null and condition_ended_at is null;

-- Of predictions/: when and with which interval a prediction was last told, for what happens to be held against it.
alter table predictions add column told_at timestamptz;
alter table predictions add column told_rul_p10_days double precision;
alter table predictions add column told_rul_p90_days double precision;
