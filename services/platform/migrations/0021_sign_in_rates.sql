-- Owner: access. How often passwords are tried, counted for all processes together, and from where people have signed in.

-- Names are keyed hashes: neither e-mail nor network addresses can be read from them. There is no reseller: attempts are counted before it
-- is known whose account it is, and the same where there is none. Unlogged: a crash of the server forgives, and counting writes no WAL.
create unlogged table sign_in_rates (
  name_hmac bytea primary key,
  -- when the next attempt is due if the name keeps to the spacing (the theoretical arrival time of GCRA)
  due_at    timestamptz not null
);
create index sign_in_rates_age on sign_in_rates (due_at);
alter table sign_in_rates enable row level security;
alter table sign_in_rates force row level security;
create policy system on sign_in_rates to roadworthy_system using (true) with check (true);
grant select, insert, update, delete on sign_in_rates to roadworthy_system;

-- An account and the block of addresses it was signed in to from, under one keyed hash.
create table known_sign_ins (
  reseller_id text not null references resellers,
  user_id     text not null,
  name_hmac   bytea not null,
  seen_at     timestamptz not null,
  primary key (reseller_id, user_id, name_hmac),
  foreign key (reseller_id, user_id) references users (reseller_id, user_id) on delete cascade
);
create index known_sign_ins_by_name on known_sign_ins (name_hmac);
create index known_sign_ins_age on known_sign_ins (seen_at);
select enable_tenancy('known_sign_ins');

-- Whoever sets a password anew shuts out those who knew the old one: their sessions, the links they hold, and their standing at sign-in.
create or replace function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  delete from sessions where reseller_id = new.reseller_id and user_id = new.user_id;
  delete from user_links where reseller_id = new.reseller_id and user_id = new.user_id;
  delete from known_sign_ins where reseller_id = new.reseller_id and user_id = new.user_id;
  return null;
end $$;
