-- Owner: predictions. What the engine last said of each vehicle, its history, one open prediction per component, and which worker scores
-- which vehicle.

-- A vehicle is left alone until held_until: while a worker scores it (a lease, so that one that dies gives it back), and for an interval
-- after it was scored. Whether there is anything to score is latest_states.due, which this table never touches.
create table scoring_claims (
  reseller_id text not null references resellers,
  vehicle_id  text not null,
  -- of the worker that claimed it last; a worker whose claim was taken over stores nothing
  claim_id    text not null,
  held_until  timestamptz not null,
  primary key (reseller_id, vehicle_id)
) with (fillfactor = 70);

create table vehicle_health (
  reseller_id             text not null references resellers,
  vehicle_id              text not null,
  health_score            double precision not null,
  health_status           text not null check (health_status in ('healthy', 'warning', 'critical')),
  risk_level              text not null check (risk_level in ('none', 'low', 'medium', 'high')),
  maintenance_probability double precision not null,
  anomaly_score           double precision not null,
  confidence              double precision not null,
  -- the engine's whole answer (spec §2.7), as it gave it
  result                  jsonb not null,
  scored_at               timestamptz not null,
  primary key (reseller_id, vehicle_id),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);

create table health_history (
  reseller_id   text not null references resellers,
  vehicle_id    text not null,
  scored_at     timestamptz not null,
  health_score  double precision not null,
  health_status text not null,
  primary key (reseller_id, vehicle_id, scored_at)
);
-- For deleting what is past its retention: rows come nearly in order of time, so a few pages tell where the old ones are.
create index health_history_by_age on health_history using brin (scored_at) with (autosummarize = on);

create table predictions (
  reseller_id   text not null references resellers,
  prediction_id text not null,
  vehicle_id    text not null,
  component     text not null,
  issue         text not null,
  rul_days      integer not null check (rul_days >= 0),
  rul_p10_days  double precision not null,
  rul_p90_days  double precision not null,
  confidence    double precision not null,
  severity      text not null check (severity in ('info', 'low', 'medium', 'high', 'critical')),
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (reseller_id, prediction_id),
  constraint predictions_component_key unique (reseller_id, vehicle_id, component),
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);
create index predictions_listed on predictions (reseller_id, created_at, prediction_id);

select enable_tenancy('scoring_claims');
select enable_tenancy('vehicle_health');
select enable_tenancy('health_history');
select enable_tenancy('predictions');

-- A vehicle's readings are found by the sources that ever spoke for it, also after a device moved on.
create function remember_vehicle_source() returns trigger language plpgsql as $$
begin
  insert into vehicle_sources (reseller_id, vehicle_id, source_id) values (new.reseller_id, new.vehicle_id, new.source_id) on conflict do nothing;
  return null;
end $$;
create trigger latest_states_first_heard after insert on latest_states for each row
  when (new.vehicle_id is not null) execute function remember_vehicle_source();
