-- Owner: readings. What else follows a reading where readings are on several nodes (ADR 0039): written beside the reading, on its node and in its
-- transaction, and taken from there by a worker. On one PostgreSQL it stays empty, because there the same transaction does it at once.

create table reading_effects (
  -- of one of the readings, so that it is on their node
  source_id   text not null,
  effect_id   uuid not null default gen_random_uuid(),
  reseller_id text not null,
  kind        text not null check (kind in ('usage', 'active device', 'alarm')),
  body        jsonb not null,
  primary key (source_id, effect_id)
);
select enable_tenancy('reading_effects');
revoke update on reading_effects from roadworthy_app, roadworthy_system;
revoke delete on reading_effects from roadworthy_app;

-- As in 0067, and for readings that are on several nodes, whose partitions can have no trigger. There a constraint refuses what is new, which
-- locks the partition against readers for a moment.
create or replace function close_readings_partition(partition text) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
declare
  is_distributed boolean := false;
begin
  if not exists (select from pg_inherits where inhparent = 'public.readings'::regclass and inhrelid = to_regclass(format('public.%I', partition))) then
    raise exception '% is no partition of readings', partition;
  end if;
  if exists (select from pg_extension where extname = 'citus') then
    execute $q$select exists (select from pg_dist_partition where logicalrelid = 'public.readings'::regclass)$q$ into is_distributed;
  end if;
  if is_distributed then
    if not exists (select from pg_constraint where conrelid = to_regclass(format('public.%I', partition)) and conname = 'sealed') then
      execute format('alter table public.%I add constraint sealed check (false) not valid', partition);
    end if;
  elsif not exists (select from pg_trigger where tgrelid = to_regclass(format('public.%I', partition)) and tgname = 'sealed') then
    execute format('create trigger sealed before insert on public.%I for each row execute function public.refuse_sealed_reading()', partition);
  end if;
end $$;

-- As in 0067, but a partition has its policies forced upon the owner where its table has: on several nodes they are not, because a shard is moved as the
-- owner, by logical replication, which writes no table whose policies hold for who writes.
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
  -- Reached through their parent, whose policies hold; by their own name they show nothing to anyone.
  execute format('alter table public.%I enable row level security', partition);
  if (select relforcerowsecurity from pg_class where oid = format('public.%I', parent)::regclass) then
    execute format('alter table public.%I force row level security', partition);
  end if;
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
