-- Owner: readings. The log of what devices said, and the newest of it.
-- A reading's source is the device that said it, or the vehicle when a caller reports for a vehicle without naming a device. All keys
-- start with the source, so that the tables can be distributed by it. The digest covers source, time and content: the same reading sent
-- again is the same row.

create table readings (
  source_id     text not null,
  recorded_at   timestamptz not null,
  digest        bytea not null,
  reseller_id   text not null,
  sub_client_id text,
  device_id     text,
  vehicle_id    text,
  kind          text not null,
  received_at   timestamptz not null,
  latitude      double precision,
  longitude     double precision,
  -- canonical names and units, as in packages/signals
  signals       jsonb,
  -- everything else: heading, altitude, satellites, ignition, event, lamps, fault codes, extra, implausible
  attributes    jsonb,
  constraint readings_pkey primary key (source_id, recorded_at, digest)
) partition by range (recorded_at);

-- The newest a source said of each vehicle, by recorded time: a gateway speaks for many vehicles, and a device that moves on starts anew,
-- because the odometer and the fault codes of the last vehicle are not this one's. signals and states map a name to
-- [value, recorded time in ms], because one message carries one sensor and the next another, and a late one must not overwrite a newer value.
create table latest_states (
  source_id        text not null,
  reseller_id      text not null,
  device_id        text,
  vehicle_id       text,
  -- for the key, which takes no null: what a device said that is in no vehicle is kept apart too
  vehicle_key      text not null generated always as (coalesce(vehicle_id, '')) stored,
  -- of the newest message that said anything
  recorded_at      timestamptz not null,
  -- oldest recorded time in the batch merged last: when it is not older than what is kept, keys can simply be overwritten
  merged_from      timestamptz not null,
  received_at      timestamptz not null,
  signals          jsonb not null default '{}',
  states           jsonb not null default '{}',
  fix_recorded_at  timestamptz,
  fix_received_at  timestamptz,
  latitude         double precision,
  longitude        double precision,
  fix              jsonb,
  -- whether something arrived since the vehicle was last scored
  due              boolean not null default true,
  constraint latest_states_pkey primary key (source_id, vehicle_key)
) with (fillfactor = 70);
-- The vehicle first: an index that starts with the reseller looks useful for any statement under row-level security, and while the table
-- has no statistics (a fleet that speaks for the first time) PostgreSQL went through all of the reseller's rows for each device of a list.
create index latest_states_by_vehicle on latest_states (vehicle_id, reseller_id);
create index latest_states_due on latest_states (vehicle_id) where due and vehicle_id is not null;

-- Merges `incoming` into `kept`, name by name, keeping the value with the newer time; on a tie the incoming one.
create function merge_latest(kept jsonb, incoming jsonb) returns jsonb language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(coalesce(k.key, i.key),
           case when k.value is null or (i.value->>1)::bigint >= (k.value->>1)::bigint then i.value else k.value end), '{}')
    from jsonb_each(kept) k full join jsonb_each(incoming) i on k.key = i.key
$$;

-- Creates the weekly partitions (Monday, UTC) that cover [from_at, to_at]. The API's roles own nothing, hence security definer.
create function ensure_reading_partitions(from_at timestamptz, to_at timestamptz) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  week timestamptz := date_trunc('week', from_at, 'UTC');
  partition text;
  created integer := 0;
begin
  perform pg_advisory_xact_lock(7305512241);
  while week <= to_at loop
    partition := 'readings_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
    if to_regclass('public.' || partition) is null then
      execute format('create table public.%I partition of public.readings for values from (%L) to (%L)', partition, week, week + interval '7 days');
      execute format('alter table public.%I enable row level security', partition);
      execute format('alter table public.%I force row level security', partition);
      created := created + 1;
    end if;
    week := week + interval '7 days';
  end loop;
  return created;
end $$;

-- Drops the partitions whose every reading is older than the given time. Returns how many.
create function drop_reading_partitions(before_at timestamptz) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  partition text;
  dropped integer := 0;
begin
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.readings'::regclass and c.relname ~ '^readings_[0-9]{8}$'
       and (to_date(right(c.relname, 8), 'YYYYMMDD') + 7)::timestamp at time zone 'UTC' <= before_at
  loop
    execute format('drop table public.%I', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke all on function ensure_reading_partitions(timestamptz, timestamptz), drop_reading_partitions(timestamptz) from public;
grant execute on function ensure_reading_partitions(timestamptz, timestamptz), drop_reading_partitions(timestamptz) to roadworthy_system;

select enable_tenancy('readings');
select enable_tenancy('latest_states');
