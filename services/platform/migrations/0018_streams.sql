-- Owner: streams. Where resellers' telemetry comes from by Kafka, how far it was read, and how those that read it are doing.

create table stream_connections (
  reseller_id     text primary key references resellers,
  enabled         boolean not null,
  brokers         text[] not null,
  topic           text not null,
  group_id        text not null,
  start_at        text not null check (start_at in ('earliest', 'latest')),
  has_tls         boolean not null,
  tls_ca          text,
  tls_certificate text,
  sasl_mechanism  text,
  sasl_username   text,
  -- JSON of the password and of the private key, sealed
  secrets_sealed  bytea not null,
  has_password    boolean not null,
  has_key         boolean not null,
  -- another one with every change, so that whoever reads notices
  revision        text not null,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null
);

-- Everything before next_offset is settled: stored, known already, or set aside. Written in the transaction of the readings.
create table stream_offsets (
  reseller_id text not null references resellers,
  group_id    text not null,
  -- what the cluster calls this topic and no other, even one of the same name that is made after it
  topic_id    text not null,
  partition   integer not null,
  next_offset bigint not null,
  primary key (reseller_id, group_id, topic_id, partition)
);

-- One row for each process that reads a connection, written every few seconds while it does.
create table stream_consumers (
  reseller_id text not null references resellers,
  consumer_id text not null,
  state       text not null check (state in ('connecting', 'running', 'waiting', 'failed')),
  detail      text,
  partitions  integer[] not null,
  lag         bigint,
  stored      bigint not null,
  duplicates  bigint not null,
  set_aside   bigint not null,
  last_message_at timestamptz(3),
  since       timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (reseller_id, consumer_id)
);

select enable_tenancy('stream_connections');
select enable_tenancy('stream_offsets');
select enable_tenancy('stream_consumers');

create function notify_stream_connection_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('stream_connection_changed', coalesce(new.reseller_id, old.reseller_id));
  return null;
end $$;
create trigger stream_connections_changed after insert or update or delete on stream_connections
  for each row execute function notify_stream_connection_changed();
