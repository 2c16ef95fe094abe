-- Owner: readings. What devices sent a moment ago, for people who look at it (ADR 0028).

-- Whose messages are recorded as they are sent, and until when.
create table message_recordings (
  reseller_id    text not null references resellers,
  device_id      text not null,
  recorded_until timestamptz(3) not null,
  primary key (reseller_id, device_id)
);
select enable_tenancy('message_recordings');

create function notify_message_recordings_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('message_recordings_changed', '');
  return null;
end $$;
create trigger message_recordings_changed after insert or update or delete on message_recordings for each statement
  execute function notify_message_recordings_changed();

-- The last 50 of each device: those that were refused, and all that came while they were recorded.
create table device_messages (
  message_no    bigint generated always as identity primary key,
  reseller_id   text not null references resellers,
  device_id     text not null,
  -- of the device when it came
  sub_client_id text,
  received_at   timestamptz(3) not null,
  receiver      text check (receiver in ('rest', 'mqtt', 'stream')),
  status        text not null check (status in ('stored', 'duplicate', 'refused')),
  -- leads to the reading, which is not kept twice
  reading_id    text,
  -- as it was sent, up to a length; what is no JSON too
  body          text not null,
  body_bytes    integer not null,
  is_body_cut   boolean not null,
  -- [{"field":"rpmm","reason":"…"}] and {"code":"…","message":"…","field":"…"}
  warnings      jsonb,
  error         jsonb
);
create index device_messages_of_device on device_messages (reseller_id, device_id, message_no);
create index device_messages_by_age on device_messages (received_at);
select enable_tenancy('device_messages');
