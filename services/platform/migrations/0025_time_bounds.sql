-- Owner: predictions. Also of maintenance: the two tables of the next files become partitioned by time, each with what it holds as the first
-- partition. PostgreSQL takes a table for a partition without reading it under a lock only when a validated constraint says what it holds.
-- Rows are written with times of at most a few minutes ahead; from the day below on they go to partitions of their own.
do $$
declare
  until_at constant timestamptz := date_trunc('week', now(), 'UTC') + interval '14 days';
begin
  execute format('alter table health_history add constraint health_history_before_partitions check (scored_at < %L) not valid', until_at);
  execute format('alter table vehicle_use add constraint vehicle_use_before_partitions check (day < %L) not valid', (until_at at time zone 'UTC')::date);
end $$;
