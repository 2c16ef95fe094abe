-- Owner: sims. The calls of operators' platforms that are under way or just ended, by credential, counted for all processes together.

-- Credentials are keyed hashes: none can be read from them. There is no reseller: a platform counts the calls of a credential, whoever has it stored.
-- Unlogged: counting writes no WAL, and what a crash of the server forgets is over before it is back.
create unlogged table operator_calls (
  credential_hmac bytea primary key,
  -- by call, until when its process said that it is under way; times here are seconds since 1970 by the clock of the database
  under_way jsonb not null,
  -- when the calls ended that did within the last second
  ended     double precision[] not null,
  -- of whoever asked last for a turn; 0: it has one
  wait_ms   integer not null,
  used_at   timestamptz not null
) with (fillfactor = 50);
alter table operator_calls enable row level security;
alter table operator_calls force row level security;
create policy system on operator_calls to roadworthy_system using (true) with check (true);
grant select, insert, update, delete on operator_calls to roadworthy_system;
