-- Owner: devices. What accounts of devices are still to become at a broker of others, where the platform keeps them there.

-- A row for each device whose account waits for the broker, with the newest change only; gone once the broker has it.
create table broker_account_changes (
  reseller_id     text not null references resellers,
  device_id       text not null,
  -- another one with each change, so that what is applied ends only what it has applied
  change_id       text not null,
  wanted          text not null check (wanted in ('enabled', 'disabled', 'absent')),
  -- sealed, and kept for no longer than the broker needs it; null: it keeps the one it has
  password_sealed bytea,
  changed_at      timestamptz(3) not null,
  failure_count   integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  last_error      text,
  primary key (reseller_id, device_id),
  foreign key (reseller_id, device_id) references devices
);
create index broker_account_changes_due on broker_account_changes (next_attempt_at);

select enable_tenancy('broker_account_changes');
