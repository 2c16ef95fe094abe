-- Owner: payments. Money that came in outside of a gateway, as the issuer of the invoice entered it. What was wrong is taken back, and stays.

create table recorded_payments (
  -- the reseller of the invoice
  reseller_id     text not null,
  payment_id      text not null,
  invoice_id      text not null,
  -- as of the invoice; '' where the reseller itself pays
  sub_client_id   text not null,
  -- whose book
  issuer_id       text not null,
  amount_minor    bigint not null check (amount_minor > 0),
  -- of the invoice
  currency        text not null,
  method          text not null check (method in ('bank_transfer', 'direct_debit', 'cash', 'cheque', 'card_elsewhere', 'other')),
  -- YYYY-MM-DD, a day of the zone of the invoice
  received_on     text not null,
  reference       text,
  -- both, once it was taken back
  reversed_at     timestamptz(3),
  reversal_reason text,
  created_at      timestamptz(3) not null,
  primary key (reseller_id, payment_id),
  foreign key (reseller_id, invoice_id) references invoices (reseller_id, invoice_id),
  constraint recorded_payments_reversal_check check ((reversed_at is null) = (reversal_reason is null))
);
create index recorded_payments_by_invoice on recorded_payments (reseller_id, invoice_id, created_at);
create index recorded_payments_listed on recorded_payments (reseller_id, created_at, payment_id);

select enable_tenancy('recorded_payments');
revoke delete on recorded_payments from roadworthy_app, roadworthy_system;
