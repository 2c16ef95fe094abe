-- Owner: access. Also of webhooks. Reads the tables through, in a transaction of its own because it holds up nobody.
alter table audit_log validate constraint audit_log_before_partitions;
alter table webhook_attempts validate constraint webhook_attempts_before_partitions;
