-- Owner: events. What happened, written with the change it tells of, and the log that is made of it.

-- Written in the transaction of the change and emptied by the relay. Its order is that of writing, not of committing.
create table event_outbox (
  outbox_id     bigint generated always as identity,
  reseller_id   text not null references resellers,
  event_id      text not null,
  type          text not null,
  sub_client_id text,
  -- json, not jsonb: the text is what will be sent
  data          json not null,
  occurred_at   timestamptz not null,
  primary key (reseller_id, outbox_id)
);
create index event_outbox_in_order on event_outbox (outbox_id);

-- The log. Only the relay adds to it, one transaction at a time, so that positions become visible in their order: who has read up to a
-- position has missed nothing before it, however late a transaction committed.
create sequence event_positions;
create table events (
  reseller_id   text not null references resellers,
  position      bigint not null,
  event_id      text not null,
  type          text not null,
  sub_client_id text,
  occurred_at   timestamptz not null,
  logged_at     timestamptz not null,
  -- the bytes that webhooks sign and send
  body          text not null,
  primary key (reseller_id, position),
  constraint events_event_id_key unique (reseller_id, event_id)
);
create index events_by_type on events (reseller_id, type, position);
create index events_by_age on events using brin (logged_at) with (autosummarize = on);

-- Up to where the log of a reseller has been removed: a reader whose cursor is older has missed something, and is told.
create table event_log_starts (
  reseller_id        text not null references resellers,
  removed_up_to      bigint not null,
  primary key (reseller_id)
);

select enable_tenancy('event_outbox');
select enable_tenancy('events');
select enable_tenancy('event_log_starts');
grant usage on sequence event_positions to roadworthy_system;
