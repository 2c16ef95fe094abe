-- Owner: presence. Which devices are there: the connections they have, and what was last told of each.

-- A device's connections to the broker, each for as long as it lasts and its holder's lease.
create table device_connections (
  reseller_id   text not null references resellers,
  device_id     text not null,
  connection_id text not null,
  -- the process it is a connection to
  holder_id     text not null,
  connected_at  timestamptz(3) not null,
  primary key (device_id, connection_id, reseller_id)
);
create index device_connections_by_holder on device_connections (holder_id, reseller_id);

-- Until when the connections to a process are believed. It renews this while it lives; one that was killed cannot say that they ended.
create table connection_leases (
  reseller_id text not null references resellers,
  holder_id   text not null,
  lease_until timestamptz(3) not null,
  primary key (holder_id, reseller_id)
);
create index connection_leases_by_end on connection_leases (lease_until);

create table device_presence (
  reseller_id     text not null,
  device_id       text not null,
  -- as last told
  is_online       boolean not null default false,
  -- when that was told; null: nothing was yet
  changed_at      timestamptz(3),
  -- end of its last connection
  disconnected_at timestamptz(3),
  -- when it is to be looked at; null: when something is heard of it
  look_at         timestamptz(3),
  primary key (device_id, reseller_id),
  foreign key (reseller_id, device_id) references devices (reseller_id, device_id) on delete cascade
);
create index device_presence_due on device_presence (is_online, look_at) where look_at is not null;

select enable_tenancy('device_connections');
select enable_tenancy('connection_leases');
select enable_tenancy('device_presence');
revoke insert, update, delete on device_connections, connection_leases, device_presence from roadworthy_app;

-- awaited: nobody is looking at this source until it says something. woken: it was awaited, and has. Ingest turns the first into the second in
-- the row it writes anyway, so that what is heard of a silent device is found without going through all that are not. What was known before
-- is awaited, and tells of itself when it next speaks.
alter table latest_states add column awaited boolean not null default true;
alter table latest_states add column woken boolean not null default false;
alter table latest_states alter column woken set default true;
create index latest_states_woken on latest_states (source_id) where woken and device_id is not null;
