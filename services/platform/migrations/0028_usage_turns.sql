-- Owner: metering. Sealing in turns: a reseller at a time, a bounded piece at a time, found by an index whatever is waiting.

-- Whether the sealer has added this entry up with the others of its sub-client, meter and quarter-hour. Who counts leaves it at false.
alter table usage_entries add column folded boolean not null default false;
-- What nobody has looked at yet, oldest first.
create index usage_entries_raw on usage_entries (reseller_id, bucket, entry_id) where not folded;
-- At most one for each key, besides those that a process of an earlier release folds.
create index usage_entries_folded on usage_entries (reseller_id, bucket, meter, sub_client_id) where folded;

-- Whose turn it is, a row for each reseller.
create table usage_turns (
  reseller_id   text primary key references resellers on delete cascade,
  -- the one that was looked at longest ago comes next, in whichever process and after whatever crash
  visited_at    timestamptz not null default '-infinity',
  -- its last turn ended before everything was done
  is_unfinished boolean not null default false,
  -- the oldest quarter-hour that may have folded entries; null: there are none
  oldest_bucket timestamptz,
  -- the sub-client whose number of devices was looked at last
  devices_after text not null default ''
) with (fillfactor = 70);
create index usage_turns_by_visit on usage_turns (visited_at);
create index usage_turns_unfinished on usage_turns (visited_at) where is_unfinished;
select enable_tenancy('usage_turns');
-- Inserted into with the reseller, by whoever makes one.
revoke update, delete on usage_turns from roadworthy_app;

insert into usage_turns (reseller_id) select reseller_id from resellers;
create function give_reseller_a_turn() returns trigger language plpgsql as $$
begin
  insert into usage_turns (reseller_id) values (new.reseller_id) on conflict do nothing;
  return null;
end $$;
create trigger resellers_have_turns after insert on resellers for each row execute function give_reseller_a_turn();

-- A chain is added up by days in pieces: the zone whose days are being added up, and the line that was added last. days_zone stays null until
-- all of them are.
alter table usage_chains add column days_building_zone text;
alter table usage_chains add column days_built_seq bigint not null default 0;
-- Chains by the days of another zone than the reseller's.
create index usage_chains_by_days on usage_chains (reseller_id, days_zone, sub_client_id);

create index sub_clients_with_device_limit on sub_clients (reseller_id, sub_client_id) where max_devices > 0;
create index sub_clients_with_reading_limit on sub_clients (reseller_id, sub_client_id) where max_readings_per_month is not null;
