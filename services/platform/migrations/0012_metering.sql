-- Owner: metering. What was used, written in the transaction of the thing it counts, and the chains it is sealed into.

-- Where the days and months of what a reseller is billed begin.
alter table resellers add column time_zone text not null default 'Asia/Kolkata';

-- What a sub-client may have and use; null: no limit.
alter table sub_clients add column max_devices integer check (max_devices >= 0);
alter table sub_clients add column max_readings_per_month bigint check (max_readings_per_month >= 0);
alter table sub_clients add column max_predictions_per_month bigint check (max_predictions_per_month >= 0);

-- Not sealed yet. Only inserted into, by whoever counts, and emptied by the sealer, so that nobody waits for a row that others write too.
-- No foreign key: its check would have every commit of ingest lock the row of the reseller.
create table usage_entries (
  entry_id      bigint generated always as identity primary key,
  reseller_id   text not null,
  -- '' where the thing belongs to no sub-client
  sub_client_id text not null,
  meter         text not null check (meter in ('points_ingested', 'api_calls_external', 'api_calls_platform', 'predictions',
                                               'active_devices', 'active_device_days')),
  -- start of the quarter-hour in which the service received it, whatever time it tells of
  bucket        timestamptz not null,
  count         bigint not null check (count > 0)
);

-- Sealed: a chain per sub-client, in which each line's hash covers the one before. Never changed; what comes late is another line.
create table usage_lines (
  reseller_id   text not null references resellers,
  sub_client_id text not null,
  seq           bigint not null,
  bucket        timestamptz not null,
  meter         text not null,
  count         bigint not null,
  hash          bytea not null,
  primary key (reseller_id, sub_client_id, seq)
);
create index usage_lines_by_time on usage_lines (reseller_id, sub_client_id, bucket) include (seq, meter, count);

-- The end of each chain.
create table usage_chains (
  reseller_id   text not null references resellers,
  sub_client_id text not null,
  last_seq      bigint not null,
  last_hash     bytea not null,
  primary key (reseller_id, sub_client_id)
);

-- Months that are over and settled, with their ends as they were when they were closed: nothing is sealed into them any more, and another
-- time zone does not move them.
create table usage_periods (
  reseller_id text not null references resellers,
  -- YYYY-MM
  month       text not null,
  time_zone   text not null,
  starts_at   timestamptz not null,
  ends_at     timestamptz not null,
  primary key (reseller_id, month)
);

-- The sealed lines added up by calendar month of UTC, which quotas and limits go by.
create table usage_months (
  reseller_id   text not null references resellers,
  meter         text not null,
  month         date not null,
  sub_client_id text not null,
  count         bigint not null,
  primary key (reseller_id, meter, month, sub_client_id)
);

-- Thresholds that an event has told of.
create table usage_thresholds (
  reseller_id       text not null references resellers,
  -- '' for the quota of the reseller's plan
  sub_client_id     text not null,
  meter             text not null,
  month             date not null,
  threshold_percent integer not null,
  primary key (reseller_id, sub_client_id, meter, month, threshold_percent)
);

-- Devices of which a reading was stored in a day or a month of the reseller's zone, so that each is counted once.
create table usage_active_devices (
  reseller_id   text not null,
  sub_client_id text not null,
  device_id     text not null,
  -- 2026-11-05 or 2026-11
  period        text not null,
  -- quarter-hour of the first of those readings that was stored
  bucket        timestamptz not null,
  primary key (device_id, reseller_id, sub_client_id, period)
);
create index usage_active_devices_by_age on usage_active_devices using brin (bucket) with (autosummarize = on);

select enable_tenancy('usage_entries');
select enable_tenancy('usage_lines');
select enable_tenancy('usage_chains');
select enable_tenancy('usage_periods');
select enable_tenancy('usage_months');
select enable_tenancy('usage_thresholds');
select enable_tenancy('usage_active_devices');
revoke update on usage_entries from roadworthy_app, roadworthy_system;
revoke delete on usage_entries from roadworthy_app;
revoke insert, update, delete on usage_lines, usage_chains, usage_periods, usage_months, usage_thresholds from roadworthy_app;
revoke update, delete on usage_lines, usage_periods from roadworthy_system;

-- What was counted by UTC day until now is sealed as the first quarter-hour of that day.
insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count)
select reseller_id, sub_client_id, case meter when 'readings' then 'points_ingested' else meter end, day::timestamp at time zone 'UTC', count
  from usage_counters
 where count > 0
 order by day, reseller_id, sub_client_id, meter;
drop table usage_counters;
