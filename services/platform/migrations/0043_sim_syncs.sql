-- Owner: sims. Runs of the synchronisation with operators, and what is odd about a SIM.

create table sim_syncs (
  reseller_id       text not null references resellers,
  sync_id           text not null,
  scope             text not null check (scope in ('all', 'sims', 'usage', 'invoices')),
  is_full           boolean not null,
  -- what is still to be synchronised of them, in this order
  connection_ids    text[] not null,
  -- null: every one that is enabled
  only_connection_id text,
  -- null: all
  sim_ids           text[],
  status            text not null check (status in ('running', 'completed', 'partial', 'failed')),
  -- how far it is, so that another process goes on from there
  progress          jsonb,
  sims_seen         integer not null default 0,
  sims_created      integer not null default 0,
  sims_updated      integer not null default 0,
  sims_unchanged    integer not null default 0,
  sims_failed       integer not null default 0,
  usage_updated     integer not null default 0,
  -- the first hundred
  errors            jsonb not null default '[]',
  failed_connections integer not null default 0,
  requested_by      text not null,
  started_at        timestamptz(3) not null,
  finished_at       timestamptz(3),
  primary key (reseller_id, sync_id),
  constraint sim_syncs_finished_check check ((status = 'running') = (finished_at is null))
);
-- Single flight.
create unique index sim_syncs_running_key on sim_syncs (reseller_id) where status = 'running';
create index sim_syncs_listed on sim_syncs (reseller_id, started_at, sync_id);
create index sim_syncs_by_age on sim_syncs (started_at);

-- One that stands of a kind and SIM.
create table sim_anomalies (
  reseller_id text not null,
  anomaly_id  text not null,
  sim_id      text not null,
  kind        text not null check (kind in ('wrong_device', 'usage_above_habit', 'traffic_in_custody')),
  detail      jsonb not null,
  opened_at   timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  ended_at    timestamptz(3),
  primary key (reseller_id, anomaly_id),
  foreign key (reseller_id, sim_id) references sims (reseller_id, sim_id)
);
create unique index sim_anomalies_standing_key on sim_anomalies (reseller_id, sim_id, kind) where ended_at is null;

select enable_tenancy('sim_syncs');
select enable_tenancy('sim_anomalies');
