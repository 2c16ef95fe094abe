-- Owner: readings. Partitions are made beside their table and attached, which holds up nobody who reads or writes it.
-- `create table … partition of` locks the table against everybody and, behind a backup, makes everybody wait for the backup. Attaching
-- locks it against other changes of its partitions only. No wait for a lock is long, because others wait behind it.

-- Makes the partition that holds [from_at, to_at), named after its first day in UTC; nothing when there is one of that name. The API's roles
-- own nothing, hence security definer.
create function create_partition(parent text, from_at timestamptz, to_at timestamptz) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' set timezone = 'UTC' as $$
declare
  partition text := parent || '_' || to_char(from_at, 'YYYYMMDD');
  storage text;
begin
  if not exists (select from pg_partitioned_table where partrelid = to_regclass(format('public.%I', parent))) then
    raise exception '% is not partitioned', parent;
  end if;
  perform pg_advisory_xact_lock(7305512241);
  if to_regclass(format('public.%I', partition)) is not null then
    return false;
  end if;
  execute format('create table public.%I (like public.%I including all)', partition, parent);
  -- Reached through their parent, whose policies hold; by their own name they show nothing to anyone.
  execute format('alter table public.%I enable row level security', partition);
  execute format('alter table public.%I force row level security', partition);
  -- Stored like the others of its table: a partitioned table has no storage parameters to inherit.
  select array_to_string(c.reloptions, ', ') into storage
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = format('public.%I', parent)::regclass
   order by c.oid desc limit 1;
  if storage is not null then
    execute format('alter table public.%I set (%s)', partition, storage);
  end if;
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)', parent, partition, from_at, to_at);
  return true;
end $$;
revoke all on function create_partition(text, timestamptz, timestamptz) from public;
grant execute on function create_partition(text, timestamptz, timestamptz) to roadworthy_system;

-- Used by ingest when a reading has no partition, and by processes of the version before.
create or replace function ensure_reading_partitions(from_at timestamptz, to_at timestamptz) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  week timestamptz := date_trunc('week', from_at, 'UTC');
  created integer := 0;
begin
  while week <= to_at loop
    if create_partition('readings', week, week + interval '7 days') then
      created := created + 1;
    end if;
    week := week + interval '7 days';
  end loop;
  return created;
end $$;

-- Processes of the version before drop partitions by it, under a lock that everybody waits behind.
alter function drop_reading_partitions(timestamptz) set lock_timeout = '200ms';
