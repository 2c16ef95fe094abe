-- Owner: devices. What phones and trackers prove themselves with over HTTP (ADR 0041).

create table device_tokens (
  -- of the random token, which is shown once
  token_sha256 bytea primary key check (length(token_sha256) = 32),
  reseller_id  text not null references resellers,
  device_id    text not null,
  created_at   timestamptz(3) not null default now(),
  -- null: until it is replaced or revoked
  valid_until  timestamptz(3),
  foreign key (reseller_id, device_id) references devices (reseller_id, device_id)
);
create index device_tokens_of_device on device_tokens (reseller_id, device_id);
select enable_tenancy('device_tokens');
