-- Owner: payments. Connections to payment gateways, attempts to pay, what gateways told, refunds and disputes.

create table gateway_connections (
  -- whose: a reseller's, or '_operator' for what resellers pay
  reseller_id    text not null,
  -- in the path of callbacks, so it cannot be guessed
  connection_id  text not null,
  gateway        text not null check (gateway in ('stripe', 'razorpay')),
  name           text not null,
  enabled        boolean not null,
  settings       jsonb not null,
  secrets_sealed bytea not null,
  revision       text not null,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (reseller_id, connection_id),
  constraint gateway_connections_id_key unique (connection_id)
);

create table payment_attempts (
  -- the reseller of the invoice
  reseller_id   text not null,
  attempt_id    text not null,
  invoice_id    text not null,
  -- whose book and whose gateway
  issuer_id     text not null,
  connection_id text not null,
  gateway       text not null,
  -- the gateway's id of the checkout, once it is known
  gateway_ref   text,
  amount_minor  bigint not null check (amount_minor > 0),
  currency      text not null,
  status        text not null check (status in ('created', 'pending', 'paid', 'failed', 'expired', 'canceled')),
  checkout_url  text,
  return_url    text,
  expires_at    timestamptz(3) not null,
  failure       text,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (reseller_id, attempt_id),
  constraint payment_attempts_ref_key unique (connection_id, gateway_ref)
);
-- One live attempt an invoice.
create unique index payment_attempts_live_key on payment_attempts (reseller_id, invoice_id) where status in ('created', 'pending');
create index payment_attempts_by_invoice on payment_attempts (reseller_id, invoice_id, created_at);

-- Each event of a gateway once.
create table gateway_events (
  reseller_id   text not null,
  connection_id text not null,
  event_id      text not null,
  kind          text not null,
  outcome       text not null,
  received_at   timestamptz(3) not null,
  primary key (connection_id, event_id)
);
create index gateway_events_by_time on gateway_events (received_at);

select enable_tenancy('gateway_connections');
select enable_tenancy('payment_attempts');
select enable_tenancy('gateway_events');
