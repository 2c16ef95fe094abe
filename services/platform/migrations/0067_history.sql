-- Owner: history. Files that hold the readings of before, and up to when readings are in files (ADR 0038).

create table sealed_readings_files (
  file_id           text primary key,
  reseller_id       text not null references resellers,
  -- The week (Monday, UTC) whose partition it was made from, and the month in UTC that its folder is named after.
  week_from         timestamptz(3) not null,
  month             text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  path              text not null unique,
  -- writing: nobody reads it. verified: on disk, read back and compared. live: answers are read from it. replaced: to be deleted.
  state             text not null check (state in ('writing', 'verified', 'live', 'replaced')),
  state_since       timestamptz not null default clock_timestamp(),
  -- of the file; null while it is being written
  bytes             bigint,
  sha256            bytea,
  -- over every value of every reading, in order; the same for the rows of PostgreSQL and for those of the file
  content_sha256    bytea,
  reading_count     bigint,
  first_recorded_at timestamptz,
  last_recorded_at  timestamptz,
  first_source_id   text collate "C",
  last_source_id    text collate "C",
  -- whose readings are in it; '' for those of none
  sub_client_ids    text[],
  check (state = 'writing' or (bytes is not null and sha256 is not null and content_sha256 is not null and reading_count > 0
         and first_recorded_at is not null and last_recorded_at is not null and first_source_id is not null and last_source_id is not null
         and sub_client_ids is not null))
);
create index sealed_readings_files_found on sealed_readings_files (reseller_id, last_recorded_at) where state = 'live';
create index sealed_readings_files_of_week on sealed_readings_files (week_from);
create index sealed_readings_files_unfinished on sealed_readings_files (state_since) where state <> 'live';
select enable_tenancy('sealed_readings_files');
revoke insert, update, delete on sealed_readings_files from roadworthy_app;

-- One row, once anything is sealed. Readings recorded before `until_at` are in live files, and nowhere else that counts.
create table readings_sealed (
  only_row boolean primary key default true check (only_row),
  until_at timestamptz(3) not null,
  since    timestamptz not null default clock_timestamp()
);
alter table readings_sealed enable row level security;
alter table readings_sealed force row level security;
create policy system on readings_sealed to roadworthy_system using (true) with check (true);
grant select, insert, update on readings_sealed to roadworthy_system;

-- Who asks for the live files asks for it in the same statement, and so sees both of one moment.
create function readings_sealed_until() returns timestamptz language sql stable security definer
  set search_path = pg_catalog, public, pg_temp as $$ select until_at from public.readings_sealed $$;
revoke all on function readings_sealed_until() from public;
grant execute on function readings_sealed_until() to roadworthy_app, roadworthy_system;

-- Class 22, data exception: ingest takes the reading for the cause, refuses it alone and stores the others of its commit.
create function refuse_sealed_reading() returns trigger language plpgsql as $$
begin
  raise exception 'readings recorded at % are sealed', new.recorded_at using errcode = 'datetime_field_overflow';
end $$;

-- From its commit on, nothing is added to the partition, and all that was is visible: the lock waits for whoever is writing, and nobody who reads
-- waits for it, a backup included. Longer than an autovacuum takes to give way.
create function close_readings_partition(partition text) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
begin
  if not exists (select from pg_inherits where inhparent = 'public.readings'::regclass and inhrelid = to_regclass(format('public.%I', partition))) then
    raise exception '% is no partition of readings', partition;
  end if;
  if not exists (select from pg_trigger where tgrelid = to_regclass(format('public.%I', partition)) and tgname = 'sealed') then
    execute format('create trigger sealed before insert on public.%I for each row execute function public.refuse_sealed_reading()', partition);
  end if;
end $$;
revoke all on function close_readings_partition(text) from public;
grant execute on function close_readings_partition(text) to roadworthy_system;

-- Nothing may be stored where it would not be read.
create or replace function ensure_reading_partitions(from_at timestamptz, to_at timestamptz) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  week timestamptz := date_trunc('week', from_at, 'UTC');
  created integer := 0;
begin
  if from_at < readings_sealed_until() then
    raise exception 'readings recorded at % are sealed', from_at using errcode = 'datetime_field_overflow';
  end if;
  while week <= to_at loop
    if create_partition('readings', week, week + interval '7 days') then
      created := created + 1;
    end if;
    week := week + interval '7 days';
  end loop;
  return created;
end $$;

-- As in 0024, but for weeks that are sealed: of those there is no partition any more.
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

-- For how many days readings are kept, where that is not as the service has it. `sub_client_id` is '' for what holds for the whole reseller.
create table readings_retention (
  reseller_id   text not null references resellers,
  sub_client_id text not null,
  -- null: for ever
  days          integer check (days > 0),
  primary key (reseller_id, sub_client_id)
);
select enable_tenancy('readings_retention');
