-- Owner: webhooks. Endpoints that are told of events, what is to be told to each, and what came of every attempt.

create table webhook_endpoints (
  reseller_id      text not null references resellers,
  endpoint_id      text not null,
  url              text not null,
  description      text not null default '',
  -- null: every type, also those that are added one day
  event_types      text[],
  -- null: events of every sub-client, and those of none
  sub_client_id    text,
  header_names     text[] not null default '{}',
  -- JSON of added headers and of signing secrets, sealed
  headers_sealed   bytea,
  secrets_sealed   bytea not null,
  previous_secret_expires_at timestamptz(3),
  status           text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled', 'deleted')),
  disabled_reason  text check (disabled_reason in ('failing', 'gone')),
  -- of the failed attempts since the last success
  failing_since    timestamptz(3),
  failure_count    integer not null default 0,
  warned_at        timestamptz(3),
  last_success_at  timestamptz(3),
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null,
  primary key (reseller_id, endpoint_id)
);
create index webhook_endpoints_listed on webhook_endpoints (reseller_id, created_at, endpoint_id) where status <> 'deleted';
create index webhook_endpoints_deleted on webhook_endpoints (reseller_id, endpoint_id) where status = 'deleted';

-- The body of an event, once for all endpoints that are told of it, and for as long as it may be sent again: the log has a time limit of
-- its own.
create table webhook_messages (
  reseller_id   text not null references resellers,
  event_id      text not null,
  event_type    text not null,
  sub_client_id text,
  body          text not null,
  created_at    timestamptz(3) not null,
  primary key (reseller_id, event_id)
);
create index webhook_messages_by_age on webhook_messages using brin (created_at) with (autosummarize = on);

create table webhook_deliveries (
  reseller_id     text not null,
  delivery_id     text not null,
  endpoint_id     text not null,
  event_id        text not null,
  event_type      text not null,
  status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- of the schedule: which wait comes after the next failure
  step            smallint not null default 0,
  next_attempt_at timestamptz(3) not null,
  -- while an attempt is under way. Past its end, whoever made the claim is taken for dead
  claim_id        text,
  claimed_until   timestamptz(3),
  attempt_count   integer not null default 0,
  last_attempt_at timestamptz(3),
  last_outcome    text,
  last_answer_status smallint,
  delivered_at    timestamptz(3),
  created_at      timestamptz(3) not null,
  primary key (reseller_id, delivery_id),
  constraint webhook_deliveries_event_key unique (reseller_id, event_id, endpoint_id),
  foreign key (reseller_id, endpoint_id) references webhook_endpoints on delete cascade,
  foreign key (reseller_id, event_id) references webhook_messages on delete cascade
);
-- What is done with weighs nothing on the search for what is due: these two hold only what is pending, and what is under way.
create index webhook_deliveries_pending on webhook_deliveries (reseller_id, endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_claimed on webhook_deliveries (reseller_id, endpoint_id) where claimed_until is not null;
create index webhook_deliveries_listed on webhook_deliveries (reseller_id, endpoint_id, created_at, delivery_id);
create index webhook_deliveries_by_type on webhook_deliveries (reseller_id, endpoint_id, event_type, created_at, delivery_id);
create index webhook_deliveries_unsent on webhook_deliveries (reseller_id, endpoint_id, status, created_at, delivery_id)
  where status <> 'delivered';
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at) with (autosummarize = on);

create table webhook_attempts (
  reseller_id      text not null,
  delivery_id      text not null,
  attempt_id       text not null,
  attempted_at     timestamptz(3) not null,
  url              text not null,
  request_headers  json not null,
  outcome          text not null check (outcome in ('delivered', 'refused', 'timeout', 'unreachable', 'forbidden')),
  answer_status    smallint,
  answer_headers   json,
  answer_body      text,
  error            text,
  duration_ms      integer not null,
  primary key (reseller_id, delivery_id, attempt_id),
  foreign key (reseller_id, delivery_id) references webhook_deliveries on delete cascade
);
create index webhook_attempts_by_age on webhook_attempts using brin (attempted_at) with (autosummarize = on);

select enable_tenancy('webhook_endpoints');
select enable_tenancy('webhook_messages');
select enable_tenancy('webhook_deliveries');
select enable_tenancy('webhook_attempts');
