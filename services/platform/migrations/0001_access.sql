-- Owner: access. Who may call, as whom, and how often.
-- Tenancy: every table carries reseller_id. roadworthy_app sees the resellers named in app.resellers for its transaction and no other
-- (unset, or empty as a connection has it after its first transaction: none); roadworthy_system sees all. Neither owns anything. The sub-select makes PostgreSQL read the setting once a statement.

grant usage on schema public to roadworthy_app, roadworthy_system;

create function enable_tenancy(t regclass) returns void language plpgsql as $$
declare
  ours constant text := 'reseller_id = any ((select nullif(current_setting(''app.resellers'', true), ''''))::text[])';
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('create policy tenant on %s to roadworthy_app using (%s) with check (%s)', t, ours, ours);
  execute format('create policy system on %s to roadworthy_system using (true) with check (true)', t);
  execute format('grant select, insert, update, delete on %s to roadworthy_app, roadworthy_system', t);
end $$;
revoke all on function enable_tenancy(regclass) from public;

create table resellers (
  reseller_id  text primary key check (reseller_id ~ '^[a-z0-9-]{1,64}$'),
  name         text not null,
  plan         text not null default 'enterprise' check (plan in ('starter', 'professional', 'enterprise')),
  subscription text not null default 'active' check (subscription in ('trialing', 'active', 'past_due', 'canceled')),
  created_at   timestamptz not null default now()
);

create table api_keys (
  reseller_id   text not null references resellers,
  key_id        text not null,
  name          text not null,
  key_sha256    bytea not null,
  prefix        text not null,
  last4         text not null,
  scopes        text[] not null,
  sub_client_id text,
  -- null: the plan's default; 0: unlimited
  per_minute    integer check (per_minute >= 0),
  per_day       integer check (per_day >= 0),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  created_at    timestamptz not null default now(),
  primary key (reseller_id, key_id),
  constraint api_keys_sha256_key unique (key_sha256)
);
create index api_keys_listed on api_keys (reseller_id, created_at, key_id);

create table users (
  reseller_id     text not null references resellers,
  user_id         text not null,
  email           text not null,
  password_scrypt text not null,
  role            text not null default 'owner' check (role in ('owner', 'member', 'viewer')),
  created_at      timestamptz not null default now(),
  primary key (reseller_id, user_id),
  constraint users_email_key unique (email)
);

-- What a key has used of its limits, so that a restart forgives at most a second of traffic.
create table rate_windows (
  reseller_id   text not null references resellers,
  key_id        text not null,
  -- milliseconds since the epoch of the calls in the last minute, oldest first
  recent_ms     bigint[] not null,
  day           date not null,
  day_count     integer not null,
  primary key (reseller_id, key_id)
);

create table idempotency_keys (
  reseller_id  text not null references resellers,
  -- '' where the caller's key is not pinned; a pinned key never gets an answer that another key was given
  sub_client_id text not null,
  method       text not null,
  path         text not null,
  key          text not null,
  body_sha256  bytea not null,
  -- null while the first request is running
  status       integer,
  response     bytea,
  created_at   timestamptz not null default now(),
  primary key (reseller_id, sub_client_id, method, path, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Counted in the transaction of the thing counted. day is UTC.
create table usage_counters (
  reseller_id   text not null references resellers,
  -- '' where the thing belongs to no sub-client
  sub_client_id text not null,
  meter         text not null,
  day           date not null,
  count         bigint not null,
  primary key (reseller_id, meter, day, sub_client_id)
);

select enable_tenancy('resellers');
select enable_tenancy('api_keys');
select enable_tenancy('users');
select enable_tenancy('rate_windows');
select enable_tenancy('idempotency_keys');
select enable_tenancy('usage_counters');

-- A revoked or changed key must stop working in every process within a second.
create function notify_api_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key_changed', encode(old.key_sha256, 'hex'));
  return null;
end $$;
create trigger api_keys_changed after update of scopes, sub_client_id, per_minute, per_day, expires_at, revoked_at or delete on api_keys
  for each row execute function notify_api_key_changed();
create function notify_reseller_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('reseller_changed', new.reseller_id);
  return null;
end $$;
create trigger resellers_changed after update on resellers for each row execute function notify_reseller_changed();
