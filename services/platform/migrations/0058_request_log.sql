-- Owner: requests. The last calls of each API key (ADR 0028). Unlogged: after a crash of PostgreSQL it is empty, and nothing else depends on it.

create unlogged table request_log (
  -- no foreign keys: rows of many resellers are inserted by one statement, which is to lock none of them
  reseller_id   text not null,
  entry_id      text not null,
  -- when the request came
  at            timestamptz(3) not null,
  key_id        text not null,
  -- that the key is pinned to
  sub_client_id text,
  surface       text not null,
  method        text not null,
  -- without what may be a secret
  path          text not null,
  query         text,
  status        smallint not null,
  is_refused    boolean not null generated always as (status >= 400) stored,
  duration_ms   integer not null,
  request_id    text not null,
  error_code    text,
  error_message text,
  address       text not null,
  user_agent    text,
  primary key (reseller_id, at, entry_id)
);
create index request_log_of_key on request_log (reseller_id, key_id, is_refused, at, entry_id);
create index request_log_refused on request_log (reseller_id, at, entry_id) where is_refused;
create index request_log_by_request on request_log (reseller_id, request_id);
create index request_log_by_time on request_log (at);
select enable_tenancy('request_log');
-- Only the service itself adds to it and takes from it.
revoke insert, update, delete on request_log from roadworthy_app;
revoke update on request_log from roadworthy_system;
