-- Owner: predictions. Also of maintenance and events: health_history, vehicle_use and events are partitioned by time, and what they held is
-- their first partition. Nothing is copied. Dropping a partition with a foreign key would lock resellers, so there are none any more.

do $$
declare
  t record;
  before text;
  until_at text;
begin
  for t in select * from (values ('health_history', 'scored_at', 'reseller_id, vehicle_id, scored_at'),
                                  ('vehicle_use', 'day', 'reseller_id, vehicle_id, day'),
                                  ('events', 'logged_at', 'reseller_id, position, logged_at')) v (name, at_column, key) loop
    before := t.name || '_before';
    execute format('alter table %I rename to %I', t.name, before);
    if t.name = 'events' then
      -- That an event's id is unique follows from the relay, which moves each out of the outbox once.
      alter table events_before drop constraint events_pkey, drop constraint events_event_id_key,
        add constraint events_before_pkey primary key using index events_before_pkey;
      alter index events_by_type rename to events_before_by_type;
      alter index events_by_time rename to events_before_by_time;
    else
      execute format('alter table %I rename constraint %I to %I', before, t.name || '_pkey', before || '_pkey');
    end if;
    execute format('alter table %I drop constraint %I', before, t.name || '_reseller_id_fkey');
    execute format('drop policy tenant on %I', before);
    execute format('drop policy system on %I', before);
    execute format('revoke all on %I from roadworthy_app, roadworthy_system', before);

    execute format('create table %I (like %I including all excluding indexes) partition by range (%I)', t.name, before, t.at_column);
    execute format('alter table %I drop constraint %I', t.name, t.name || '_before_partitions');
    execute format('alter table %I add primary key (%s)', t.name, t.key);
    if t.name = 'events' then
      create index events_by_type on events (reseller_id, type, position);
      create index events_by_time on events (logged_at);
    end if;
    select substring(pg_get_constraintdef(oid) from '''([^'']+)''') into strict until_at
      from pg_constraint where conrelid = before::regclass and conname = t.name || '_before_partitions';
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', t.name, before, until_at);
    perform enable_tenancy(t.name::regclass);
    -- Processes of the version before delete by ctid, which means one row in a table and another in each partition: they find nothing but
    -- in the first, where it means what they mean. Other partitions are dropped whole.
    execute format('create policy rows_of_before on %I as restrictive for delete to roadworthy_app, roadworthy_system using (tableoid = to_regclass(%L))',
                   t.name, 'public.' || before);
  end loop;
end $$;
