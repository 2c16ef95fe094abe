-- Owner: streams. Connections whose reader was ended by what their broker sent, and until when they are left out.

create table stream_strikes (
  reseller_id    text primary key references resellers,
  -- of the connection that was read: a changed one is another
  revision       text not null,
  strike_count   integer not null check (strike_count > 0),
  reason         text not null,
  struck_at      timestamptz(3) not null,
  left_out_until timestamptz(3) not null,
  is_quarantined boolean not null
);

select enable_tenancy('stream_strikes');

create trigger stream_strikes_changed after insert or update or delete on stream_strikes
  for each row execute function notify_stream_connection_changed();

-- Changes of accounts at an external broker are applied outside of any transaction: whoever applies one holds it for a while.
alter table broker_account_changes add column lease_id text;
alter table broker_account_changes add column leased_until timestamptz;
