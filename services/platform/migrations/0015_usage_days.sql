-- Owner: metering. The sealed lines added up by day, so that a report over a year reads days and not quarter-hours.

create table usage_days (
  reseller_id   text not null references resellers,
  sub_client_id text not null,
  -- first instant of the day in the zone that the chain says
  starts_at     timestamptz not null,
  meter         text not null,
  count         bigint not null,
  primary key (reseller_id, sub_client_id, starts_at, meter)
);

-- In the days of which zone all lines of the chain are added up; null: not yet. Where it is not the reseller's, they are added up anew.
alter table usage_chains add column days_zone text;

select enable_tenancy('usage_days');
revoke insert, update, delete on usage_days from roadworthy_app;
