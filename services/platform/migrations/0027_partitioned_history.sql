-- Owner: predictions. Also of maintenance: health_history and vehicle_use are partitioned by time, and what they held is their first partition.
-- Nothing is copied. Dropping a partition with a foreign key would lock resellers, so there are none any more.

do $$
declare
  t record;
  before text;
  until_at text;
begin
  for t in select * from (values ('health_history', 'scored_at'), ('vehicle_use', 'day')) v (name, at_column) loop
    before := t.name || '_before';
    execute format('alter table %I rename to %I', t.name, before);
    execute format('alter table %I rename constraint %I to %I', before, t.name || '_pkey', before || '_pkey');
    execute format('alter table %I drop constraint %I', before, t.name || '_reseller_id_fkey');
    execute format('drop policy tenant on %I', before);
    execute format('drop policy system on %I', before);
    execute format('revoke all on %I from roadworthy_app, roadworthy_system', before);

    execute format('create table %I (like %I including all excluding indexes) partition by range (%I)', t.name, before, t.at_column);
    execute format('alter table %I drop constraint %I', t.name, t.name || '_before_partitions');
    execute format('alter table %I add primary key (reseller_id, vehicle_id, %I)', t.name, t.at_column);
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
