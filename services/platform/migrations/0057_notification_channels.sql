-- Owner: notifications. Where messages go that are for a team: chats, topics, programs. Rules name channels among their recipients.

create table notification_channels (
  reseller_id   text not null references resellers,
  channel_id    text not null,
  name          text not null,
  kind          text not null check (kind in ('slack', 'teams', 'telegram', 'ntfy', 'webhook')),
  -- null: of the reseller
  sub_client_id text,
  -- what people may see of the target
  shown_target  text not null,
  -- addresses and credentials, sealed: who has them can write there
  target_sealed bytea not null,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (reseller_id, channel_id),
  foreign key (reseller_id, sub_client_id) references sub_clients (reseller_id, sub_client_id)
);
create index notification_channels_listed on notification_channels (reseller_id, created_at, channel_id);
select enable_tenancy('notification_channels');

-- null: a test of a channel
alter table notifications alter column rule_id drop not null;
create index notifications_of_recipient on notifications (reseller_id, recipient, created_at, notification_id);
