-- Owner: payments. Connections to payment gateways, attempts to pay, what gateways told, refunds and disputes.

create table gateway_connections (
  -- whose: a reseller's, or '_operator' for what resellers pay
  reseller_id     text not null,
  -- in the path of callbacks, so it cannot be guessed
  connection_id   text not null,
  gateway         text not null check (gateway in ('stripe', 'razorpay')),
  name            text not null,
  enabled         boolean not null,
  settings        jsonb not null,
  -- JSON of the credentials and of the secrets of callbacks with the end of each, sealed
  secrets_sealed  bytea not null,
  -- another one with every change
  revision        text not null,
  -- callbacks: the last one that was shown to be the gateway's, and those that were not
  last_event_at   timestamptz(3),
  refused_count   bigint not null default 0,
  last_refused_at timestamptz(3),
  last_refusal    text,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (reseller_id, connection_id),
  constraint gateway_connections_id_key unique (connection_id)
);

create table payment_attempts (
  -- the reseller of the invoice
  reseller_id    text not null,
  attempt_id     text not null,
  invoice_id     text not null,
  -- as of the invoice; '' where the reseller itself pays
  sub_client_id  text not null,
  -- whose book and whose gateway
  issuer_id      text not null,
  connection_id  text not null,
  gateway        text not null,
  -- the gateway's id of the checkout, once it is known
  gateway_ref    text,
  amount_minor   bigint not null check (amount_minor > 0),
  currency       text not null,
  status         text not null check (status in ('created', 'pending', 'paid', 'failed', 'expired', 'canceled')),
  -- what the gateway is asked with: a repeat has to ask the same
  description    text not null,
  customer_email text,
  return_url     text not null,
  expires_at     timestamptz(3) not null,
  checkout_url   text,
  -- somebody is at opening it until then, by the database's clock
  opening_until  timestamptz(3),
  failure        text,
  -- since when its status is final for the checkout
  ended_at       timestamptz(3),
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (reseller_id, attempt_id),
  constraint payment_attempts_id_key unique (connection_id, attempt_id),
  constraint payment_attempts_ref_key unique (connection_id, gateway_ref)
);
-- One live attempt an invoice.
create unique index payment_attempts_live_key on payment_attempts (reseller_id, invoice_id) where status in ('created', 'pending');
create index payment_attempts_by_invoice on payment_attempts (reseller_id, invoice_id, created_at);
create index payment_attempts_listed on payment_attempts (reseller_id, created_at, attempt_id);

-- Money that a gateway took in for an attempt: booked once each. Nearly always one an attempt.
create table payment_captures (
  reseller_id              text not null,
  connection_id            text not null,
  -- the gateway's id of the payment
  payment_ref              text not null,
  attempt_id               text not null,
  amount_minor             bigint not null check (amount_minor > 0),
  currency                 text not null,
  captured_at              timestamptz(3) not null,
  -- refunds that somebody made at the gateway's own dashboard
  refunded_elsewhere_minor bigint not null default 0 check (refunded_elsewhere_minor >= 0),
  created_at               timestamptz(3) not null,
  primary key (connection_id, payment_ref),
  foreign key (reseller_id, attempt_id) references payment_attempts (reseller_id, attempt_id)
);
create index payment_captures_by_attempt on payment_captures (reseller_id, attempt_id);

create table payment_refunds (
  reseller_id   text not null,
  refund_id     text not null,
  attempt_id    text not null,
  connection_id text not null,
  payment_ref   text not null,
  -- the gateway's id of it, once it is known
  refund_ref    text,
  amount_minor  bigint not null check (amount_minor > 0),
  currency      text not null,
  -- who asked: somebody, or the service because no invoice takes the money
  origin        text not null check (origin in ('request', 'unapplied')),
  reason        text not null,
  status        text not null check (status in ('created', 'pending', 'succeeded', 'failed', 'canceled')),
  -- whether the ledger has it as given back
  is_booked     boolean not null,
  failure       text,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (reseller_id, refund_id),
  constraint payment_refunds_ref_key unique (connection_id, refund_ref),
  foreign key (reseller_id, attempt_id) references payment_attempts (reseller_id, attempt_id)
);
create index payment_refunds_by_attempt on payment_refunds (reseller_id, attempt_id);

create table payment_disputes (
  reseller_id     text not null,
  connection_id   text not null,
  -- the gateway's id of it
  dispute_ref     text not null,
  attempt_id      text not null,
  payment_ref     text not null,
  status          text not null check (status in ('open', 'under_review', 'won', 'lost', 'closed')),
  amount_minor    bigint not null,
  currency        text not null,
  -- what the gateway has taken back because of it, at present
  withdrawn_minor bigint not null check (withdrawn_minor >= 0),
  reason          text not null,
  respond_by      timestamptz(3),
  opened_at       timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (connection_id, dispute_ref),
  foreign key (reseller_id, attempt_id) references payment_attempts (reseller_id, attempt_id)
);
create index payment_disputes_by_attempt on payment_disputes (reseller_id, attempt_id);

-- Each event of a gateway once, with what became of it.
create table gateway_events (
  -- of the connection
  reseller_id   text not null,
  connection_id text not null,
  event_id      text not null,
  -- in the gateway's words
  kind          text not null,
  outcome       text not null,
  attempt_id    text,
  received_at   timestamptz(3) not null,
  primary key (connection_id, event_id)
);
create index gateway_events_by_time on gateway_events (received_at);

select enable_tenancy('gateway_connections');
select enable_tenancy('payment_attempts');
select enable_tenancy('payment_captures');
select enable_tenancy('payment_refunds');
select enable_tenancy('payment_disputes');
select enable_tenancy('gateway_events');
