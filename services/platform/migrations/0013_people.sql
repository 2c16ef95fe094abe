-- Owner: access. People with their roles, the links by which they set a password, and the log of every change.

-- Who is invited has no password yet. An address signs in to one account; invited it may be by several resellers, so that inviting tells
-- nobody who has an account elsewhere.
alter table users alter column password_scrypt drop not null;
-- Lists are paged by it, in milliseconds.
alter table users alter column created_at type timestamptz(3);
alter table users add column sub_client_id text;
alter table users add column deactivated_at timestamptz;
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check check (role in ('owner', 'member', 'viewer', 'sub_client_viewer'));
alter table users add constraint users_pin_check check ((role = 'sub_client_viewer') = (sub_client_id is not null));
alter table users drop constraint users_email_key;
create unique index users_email_key on users (email) where password_scrypt is not null;
create unique index users_email_of_reseller_key on users (reseller_id, email);
create index users_listed on users (reseller_id, created_at, user_id);

-- Invitations and password resets. The token is random and only its hash is kept; taking the row is using it.
create table user_links (
  reseller_id  text not null references resellers,
  token_sha256 bytea not null,
  user_id      text not null,
  purpose      text not null check (purpose in ('invitation', 'password_reset')),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  primary key (reseller_id, token_sha256),
  constraint user_links_token_key unique (token_sha256),
  foreign key (reseller_id, user_id) references users (reseller_id, user_id) on delete cascade
);
create index user_links_by_user on user_links (reseller_id, user_id);
create index user_links_age on user_links (expires_at);

-- Who changed what, written in the transaction of the change. Rows name what they are about and refer to nothing: they outlive it.
create table audit_log (
  reseller_id   text not null references resellers,
  audit_id      text not null,
  at            timestamptz(3) not null,
  actor_type    text not null check (actor_type in ('key', 'user', 'cli', 'system', 'anonymous')),
  actor_id      text not null,
  -- what the key or the person was called then
  actor_name    text,
  action        text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  object_id     text not null,
  sub_client_id text,
  request_id    text,
  address       text,
  -- field to {from, to}
  changes       jsonb not null,
  primary key (reseller_id, audit_id)
);
create index audit_log_listed on audit_log (reseller_id, at desc, audit_id desc);
create index audit_log_by_object on audit_log (reseller_id, object_id, at desc, audit_id desc);
create index audit_log_by_actor on audit_log (reseller_id, actor_id, at desc, audit_id desc);
create index audit_log_age on audit_log using brin (at) with (autosummarize = on);

select enable_tenancy('user_links');
select enable_tenancy('audit_log');
-- Append-only: nobody rewrites it, and only housekeeping removes what is old.
revoke update, delete on audit_log from roadworthy_app;
revoke update on audit_log from roadworthy_system;
