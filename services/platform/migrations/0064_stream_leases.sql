-- Owner: streams. Receivers divide the streams among them: a stream is read by those that hold a lease of it.
create table stream_receivers (
  receiver_id text primary key,
  -- by the database's clock; one that was killed is counted until then
  live_until  timestamptz(3) not null
);
alter table stream_receivers enable row level security;
alter table stream_receivers force row level security;
create policy system on stream_receivers to roadworthy_system using (true) with check (true);
grant select, insert, update, delete on stream_receivers to roadworthy_system;

create table stream_leases (
  reseller_id text not null references resellers,
  -- 0 for its first reader, 1 for its second, ...
  slot        smallint not null,
  receiver_id text not null,
  held_until  timestamptz(3) not null,
  primary key (reseller_id, slot)
);
create index stream_leases_of_receiver on stream_leases (receiver_id);
select enable_tenancy('stream_leases');
