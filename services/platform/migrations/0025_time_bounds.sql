-- Owner: predictions. Also of maintenance and events: the three tables of the next files become partitioned by time, each with what it holds as the first
-- partition. PostgreSQL takes a table for a partition without reading it under a lock only when a validated constraint says what it holds.
-- Rows are written with times of at most a few minutes ahead; from the day below on they go to partitions of their own.
do $$
declare
  until_at constant timestamptz := date_trunc('week', now(), 'UTC') + interval '14 days';
begin
  execute format('alter table health_history add constraint health_history_before_partitions check (scored_at < %L) not valid', until_at);
  execute format('alter table vehicle_use add constraint vehicle_use_before_partitions check (day < %L) not valid', (until_at at time zone 'UTC')::date);
  execute format('alter table events add constraint events_before_partitions check (logged_at < %L) not valid', until_at);
end $$;
-- A unique index of a partitioned table has the time in it, and the first partition gets its own before it becomes one. Only the relay writes
-- here; while these are built, events wait in their outbox.
create unique index events_before_pkey on events (reseller_id, position, logged_at);
create index events_by_time on events (logged_at);
drop index events_by_age;
