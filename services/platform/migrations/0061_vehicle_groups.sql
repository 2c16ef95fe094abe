-- Owner: fleet. Vehicles under a name, so that a rule of notifications or a list can be about a depot or a contract.

create table vehicle_groups (
  reseller_id   text not null references resellers,
  group_id      text not null,
  name          text not null,
  -- null: of the whole reseller
  sub_client_id text,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (reseller_id, group_id),
  foreign key (reseller_id, sub_client_id) references sub_clients (reseller_id, sub_client_id)
);
create index vehicle_groups_listed on vehicle_groups (reseller_id, created_at, group_id);
create unique index vehicle_groups_name_key on vehicle_groups (reseller_id, coalesce(sub_client_id, ''), lower(name));
select enable_tenancy('vehicle_groups');

-- A vehicle that moved to another sub-client than the group's keeps its row here and does not count.
create table vehicle_group_members (
  reseller_id text not null,
  group_id    text not null,
  vehicle_id  text not null,
  primary key (reseller_id, group_id, vehicle_id),
  foreign key (reseller_id, group_id) references vehicle_groups (reseller_id, group_id) on delete cascade,
  foreign key (reseller_id, vehicle_id) references vehicles (reseller_id, vehicle_id)
);
create index vehicle_group_members_of_vehicle on vehicle_group_members (reseller_id, vehicle_id);
select enable_tenancy('vehicle_group_members');
