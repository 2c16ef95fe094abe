-- Owner: readings. Ingest copies readings into the partition that holds them (ADR 0054), and COPY refuses a table that has policies. They stay on `readings`,
-- through which everybody reads; by the name of a partition the API's role can add readings and do nothing else.

create function open_partition_for_copy(partition regclass) returns void language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  execute format('alter table %s no force row level security', partition);
  execute format('alter table %s disable row level security', partition);
  execute format('grant insert on %s to roadworthy_app', partition);
end $$;
revoke all on function open_partition_for_copy(regclass) from public;

select open_partition_for_copy(inhrelid) from pg_inherits where inhparent = 'public.readings'::regclass;

-- As in 0068, but for the partitions of readings.
create or replace function create_partition(parent text, from_at timestamptz, to_at timestamptz) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' set timezone = 'UTC' as $$
declare
  partition text := parent || '_' || to_char(from_at, 'YYYYMMDD');
  storage text;
begin
  if not exists (select from pg_partitioned_table where partrelid = to_regclass(format('public.%I', parent))) then
    raise exception '% is not partitioned', parent;
  end if;
  if parent = 'readings' and from_at < readings_sealed_until() then
    return false;
  end if;
  perform pg_advisory_xact_lock(7305512241);
  if to_regclass(format('public.%I', partition)) is not null then
    return false;
  end if;
  execute format('create table public.%I (like public.%I including all)', partition, parent);
  -- Stored like the others of its table: a partitioned table has no storage parameters to inherit.
  select array_to_string(c.reloptions, ', ') into storage
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = format('public.%I', parent)::regclass
   order by c.oid desc limit 1;
  if storage is not null then
    execute format('alter table public.%I set (%s)', partition, storage);
  end if;
  if parent = 'readings' then
    perform open_partition_for_copy(format('public.%I', partition)::regclass);
  else
    -- Reached through their parent, whose policies hold; by their own name they show nothing to anyone.
    execute format('alter table public.%I enable row level security', partition);
    if (select relforcerowsecurity from pg_class where oid = format('public.%I', parent)::regclass) then
      execute format('alter table public.%I force row level security', partition);
    end if;
  end if;
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)', parent, partition, from_at, to_at);
  return true;
end $$;
