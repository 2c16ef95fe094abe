-- Owner: sims. SIMs of a reseller, what was done with them and why, what is asked of the operators' platforms, and what the SIMs used.

create table operator_connections (
  reseller_id         text not null references resellers,
  connection_id       text not null,
  operator            text not null check (operator in ('cisco', 'airtel')),
  name                text not null,
  enabled             boolean not null,
  base_url            text not null,
  -- by operator: account, basket, the rate plan that SIMs are parked on
  settings            jsonb not null,
  -- JSON of the credentials, sealed
  secrets_sealed      bytea not null,
  -- another one with every change
  revision            text not null,
  custody_min_days    integer not null check (custody_min_days between 0 and 3650),
  custody_max_days    integer not null check (custody_max_days between 1 and 3650),
  custody_on_expiry   text not null check (custody_on_expiry in ('suspend', 'activate')),
  termination_grace_days integer not null check (termination_grace_days between 0 and 365),
  sync_every_minutes  integer not null check (sync_every_minutes between 5 and 10080),
  -- everything that changed at the operator until then is known here
  synced_until        timestamptz(3),
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null,
  primary key (reseller_id, connection_id)
);

create table sims (
  reseller_id         text not null references resellers,
  sim_id              text not null,
  connection_id       text not null,
  -- as the operator gives it: 19 digits, or 20 with the check digit
  iccid               text not null check (iccid ~ '^[0-9]{18,20}$'),
  -- what it is found and compared by: its first 19 digits
  iccid_key           text not null,
  imsi                text,
  msisdn              text,
  eid                 text,
  -- of the device that the operator saw the SIM in
  imei                text,
  status              text not null check (status in ('inventory', 'test', 'active', 'suspended', 'safe_custody', 'terminating', 'terminated')),
  -- what `terminating` goes back to
  status_before       text,
  status_since        timestamptz(3) not null,
  suspended_by        text check (suspended_by in ('customer', 'system', 'operator')),
  suspended_reason    text,
  custody_until       timestamptz(3),
  terminates_at       timestamptz(3),
  -- our rate plan (billing); the operator's own names are below
  plan_id             text,
  operator_plan       text,
  -- the one to go back to after safe custody, where the SIM is parked on another meanwhile
  operator_plan_before text,
  -- the operator has it in safe custody, also where that is over here
  is_parked           boolean not null,
  communication_plan  text,
  apn                 text,
  ip_address          text,
  sub_client_id       text,
  device_id           text,
  data_limit_bytes    bigint check (data_limit_bytes > 0),
  -- of the cycle that runs at the operator; cumulative
  cycle_start         timestamptz(3),
  cycle_end           timestamptz(3),
  cycle_bytes         bigint not null default 0,
  cycle_sms           bigint not null default 0,
  cycle_sessions      bigint not null default 0,
  usage_at            timestamptz(3),
  activated_at        timestamptz(3),
  -- as the operator spells it
  operator_status     text,
  operator_changed_at timestamptz(3),
  operator_synced_at  timestamptz(3),
  metadata            jsonb not null default '{}',
  last_history_seq    bigint not null,
  last_usage_seq      bigint not null,
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null,
  primary key (reseller_id, sim_id),
  constraint sims_iccid_key unique (reseller_id, iccid_key),
  foreign key (reseller_id, connection_id) references operator_connections (reseller_id, connection_id),
  foreign key (reseller_id, sub_client_id) references sub_clients (reseller_id, sub_client_id),
  foreign key (reseller_id, device_id) references devices (reseller_id, device_id)
);
create unique index sims_device_key on sims (reseller_id, device_id) where device_id is not null and status <> 'terminated';
create index sims_listed on sims (reseller_id, created_at, sim_id);
create index sims_by_sub_client on sims (reseller_id, sub_client_id);
create index sims_by_connection on sims (reseller_id, connection_id);
create index sims_by_msisdn on sims (reseller_id, msisdn) where msisdn is not null;

-- What is asked of the operators' platforms. A row is there before anything is sent, and at most one of a SIM is live.
create table sim_actions (
  reseller_id   text not null,
  action_id     text not null,
  sim_id        text not null,
  connection_id text not null,
  -- whose it was then
  sub_client_id text,
  -- what was asked for: activate, activate_test, suspend, safe_custody, terminate, or a date that came: expire_custody, end_grace
  kind          text not null,
  -- what the SIM was in then, and is in once this is done
  status_from   text not null,
  status_to     text not null,
  -- of the operator's interface; null where its platform has nothing to do
  operator_action text,
  operator_from text,
  operator_plan text,
  -- intended: nothing was sent. sending: it may have been sent. running: the operator took it. done, failed: over
  state         text not null check (state in ('intended', 'sending', 'running', 'done', 'failed')),
  custody_until timestamptz(3),
  reason        text,
  source        text not null check (source in ('request', 'system')),
  actor_type    text not null,
  actor_id      text not null,
  -- the operator's name for it, and for what it was at before
  job           text,
  other_jobs    text[] not null,
  send_count    integer not null,
  look_count    integer not null,
  error_code    text,
  error_message text,
  requested_at  timestamptz(3) not null,
  -- when it was last about to be sent
  sent_at       timestamptz(3),
  settled_at    timestamptz(3),
  primary key (reseller_id, action_id),
  foreign key (reseller_id, sim_id) references sims (reseller_id, sim_id)
);
create unique index sim_actions_live on sim_actions (reseller_id, sim_id) where state in ('intended', 'sending', 'running');
create index sim_actions_of_sim on sim_actions (reseller_id, sim_id, requested_at, action_id);

-- Each row is the whole state after a change: invoices are made from it. Only added to.
create table sim_history (
  reseller_id   text not null,
  sim_id        text not null,
  seq           bigint not null,
  -- by our clock: what is billed goes by it
  at            timestamptz(3) not null,
  -- what happened: created, status, allocation, plan, details (of these, what changed is in the audit log)
  change        text not null,
  status        text not null,
  sub_client_id text,
  device_id     text,
  plan_id       text,
  -- who: a key, a person, the service itself, or the operator
  source        text not null check (source in ('request', 'system', 'operator')),
  actor_type    text not null,
  actor_id      text not null,
  reason        text,
  action_id     text,
  primary key (reseller_id, sim_id, seq),
  foreign key (reseller_id, sim_id) references sims (reseller_id, sim_id)
);
create index sim_history_by_time on sim_history (reseller_id, at);
-- Whose SIMs are billed to a sub-client.
create index sim_history_by_sub_client on sim_history (reseller_id, sub_client_id, sim_id) where sub_client_id is not null;

-- What the counter of a SIM rose by, when it was received, and whose the SIM was then. Only added to: data use is billed from it.
create table sim_usage (
  reseller_id   text not null,
  sim_id        text not null,
  seq           bigint not null,
  received_at   timestamptz(3) not null,
  cycle_start   timestamptz(3) not null,
  bytes         bigint not null check (bytes > 0),
  sub_client_id text,
  plan_id       text,
  primary key (reseller_id, sim_id, seq),
  foreign key (reseller_id, sim_id) references sims (reseller_id, sim_id)
);
-- Of a SIM in a span: by day, for its habit, for a month. What it needs is in it: the entries of one SIM lie on as many pages as there are entries.
create index sim_usage_by_time on sim_usage (reseller_id, sim_id, received_at) include (seq, bytes, sub_client_id, plan_id);
-- What a cycle that ended was counted to, when its last counter comes.
create index sim_usage_by_cycle on sim_usage (reseller_id, sim_id, cycle_start) include (bytes);

-- A SIM that becomes known is looked for among the numbers that devices are said to have.
create index devices_by_sim_number on devices (reseller_id, regexp_replace(sim_number, '[^0-9]', '', 'g'))
  where sim_number is not null and status <> 'decommissioned';

select enable_tenancy('operator_connections');
select enable_tenancy('sims');
select enable_tenancy('sim_actions');
select enable_tenancy('sim_history');
select enable_tenancy('sim_usage');
revoke update, delete on sim_history, sim_usage from roadworthy_app, roadworthy_system;
