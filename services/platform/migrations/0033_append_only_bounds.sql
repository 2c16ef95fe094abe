-- Owner: access. Also of webhooks: audit_log and webhook_attempts become partitioned by time two files further on, each with what it holds as
-- the first partition, as others did from 0025_time_bounds.sql on. Rows are written with times of at most a few minutes ahead; from the
-- day below on they go to partitions of their own.
do $$
declare
  until_at constant timestamptz := date_trunc('week', now(), 'UTC') + interval '336 hours';
begin
  execute format('alter table audit_log add constraint audit_log_before_partitions check (at < %L) not valid', until_at);
  execute format('alter table webhook_attempts add constraint webhook_attempts_before_partitions check (attempted_at < %L) not valid', until_at);
end $$;
