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
