-- Owner: notifications. Browsers that people allowed to show messages (Web Push, RFC 8030).

create table push_subscriptions (
  reseller_id     text not null references resellers,
  subscription_id text not null,
  user_id         text not null,
  -- what the person calls the browser
  name            text not null,
  -- of the push service
  host            text not null,
  -- a browser belongs to who allowed it last
  endpoint_sha256 bytea not null,
  -- the endpoint and the keys of the browser: who has them can write there
  target_sealed   bytea not null,
  created_at      timestamptz(3) not null,
  primary key (reseller_id, subscription_id),
  constraint push_subscriptions_endpoint_key unique (endpoint_sha256),
  foreign key (reseller_id, user_id) references users (reseller_id, user_id) on delete cascade
);
create index push_subscriptions_of_user on push_subscriptions (reseller_id, user_id, created_at, subscription_id);
select enable_tenancy('push_subscriptions');

-- Whoever sets a password anew shuts out those who knew the old one, and who is deactivated sees nothing any more: also on browsers.
create function forget_browsers_of_user() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where reseller_id = new.reseller_id and user_id = new.user_id;
  return null;
end $$;
create trigger users_forget_browsers after update of password_scrypt, deactivated_at on users
  for each row when (old.password_scrypt is distinct from new.password_scrypt or new.deactivated_at is not null)
  execute function forget_browsers_of_user();

-- Set where the recipient is a browser: whose it was.
alter table notifications add column user_id text;
