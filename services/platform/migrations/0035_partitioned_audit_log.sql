-- Owner: access. Also of webhooks: audit_log and webhook_attempts are partitioned by time, and what they held is their first partition. Nothing
-- is copied, and no index is built. Dropping a partition with a foreign key would lock resellers or deliveries, so there are none any more.

-- Up to when the log of a reseller has been removed: a reader whose cursor is older has missed something, and is told.
create table audit_log_starts (
  reseller_id   text not null references resellers,
  removed_up_to timestamptz(3) not null,
  primary key (reseller_id)
);
select enable_tenancy('audit_log_starts');
revoke insert, update, delete on audit_log_starts from roadworthy_app;

do $$
declare
  t record;
  foreign_key name;
  before text;
  until_at timestamptz;
begin
  -- All that is locked below, in the order in which the service comes by it.
  lock table resellers, webhook_deliveries, audit_log, webhook_attempts in access exclusive mode;
  for t in select * from (values ('audit_log', 'at', 'reseller_id, audit_id, at',
                                  array['listed', 'by_object', 'by_actor', 'by_time']),
                                 ('webhook_attempts', 'attempted_at', 'reseller_id, delivery_id, attempt_id, attempted_at',
                                  array['by_time'])) v (name, at_column, key, indexes) loop
    before := t.name || '_before';
    execute format('alter table %I rename to %I', t.name, before);
    execute format('alter table %I rename constraint %I to %I', before, t.name || '_pkey', before || '_pkey');
    for i in 1 .. array_length(t.indexes, 1) loop
      execute format('alter index %I rename to %I', t.name || '_' || t.indexes[i], before || '_' || t.indexes[i]);
    end loop;
    for foreign_key in select conname from pg_constraint where conrelid = before::regclass and contype = 'f' loop
      execute format('alter table %I drop constraint %I', before, foreign_key);
    end loop;
    execute format('drop policy tenant on %I', before);
    execute format('drop policy system on %I', before);
    execute format('revoke all on %I from roadworthy_app, roadworthy_system', before);

    execute format('create table %I (like %I including all excluding indexes) partition by range (%I)', t.name, before, t.at_column);
    execute format('alter table %I drop constraint %I', t.name, t.name || '_before_partitions');
    if t.name = 'audit_log' then
      create index audit_log_listed on audit_log (reseller_id, at desc, audit_id desc);
      create index audit_log_by_object on audit_log (reseller_id, object_id, at desc, audit_id desc);
      create index audit_log_by_actor on audit_log (reseller_id, actor_id, at desc, audit_id desc);
      create index audit_log_by_time on audit_log (at);
    else
      create index webhook_attempts_by_time on webhook_attempts (attempted_at);
    end if;
    select substring(pg_get_constraintdef(oid) from '''([^'']+)''')::timestamptz into strict until_at
      from pg_constraint where conrelid = before::regclass and conname = t.name || '_before_partitions';
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', t.name, before, until_at);
    -- Of this table alone and of the partitions to come: the first one keeps its key without the time, which holds more, and building
    -- another would hold up who writes. PostgreSQL calls the key of the whole invalid, and nothing goes by it.
    execute format('alter table only %I add primary key (%s)', t.name, t.key);
    perform enable_tenancy(t.name::regclass);
  end loop;
end $$;

-- Append-only, as before.
revoke update, delete on audit_log from roadworthy_app;
revoke update on audit_log from roadworthy_system;
-- The version before deletes old audit rows by ctid, which means one row in a table and another in each partition: it finds nothing but in the
-- first, where it means what it means.
create policy rows_of_before on audit_log as restrictive for delete to roadworthy_app, roadworthy_system
  using (tableoid = to_regclass('public.audit_log_before'));
