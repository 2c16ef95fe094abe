-- Owner: access. People who are signed in to the dashboard.

create table sessions (
  reseller_id  text not null references resellers,
  -- the token is random and only its hash is kept
  token_sha256 bytea not null,
  user_id      text not null,
  created_at   timestamptz not null,
  -- moves on while the session is used, up to ends_at
  expires_at   timestamptz not null,
  ends_at      timestamptz not null,
  primary key (reseller_id, token_sha256),
  constraint sessions_token_key unique (token_sha256),
  foreign key (reseller_id, user_id) references users (reseller_id, user_id) on delete cascade
);
create index sessions_by_user on sessions (reseller_id, user_id);
create index sessions_age on sessions (expires_at);

select enable_tenancy('sessions');

-- Whoever sets a password anew shuts out those who knew the old one.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  delete from sessions where reseller_id = new.reseller_id and user_id = new.user_id;
  return null;
end $$;
create trigger users_password_changed after update of password_scrypt on users
  for each row when (new.password_scrypt is distinct from old.password_scrypt) execute function end_sessions_of_user();
