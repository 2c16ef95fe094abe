-- Owner: billing. Prices, taxes and terms, invoices, and the ledger in double entry that payments are booked in too.
-- A book belongs to whoever issues the invoices: a reseller, or '_operator', who runs the installation and bills resellers. So no foreign key
-- on resellers here.

-- Who issues, in which currency, with which numbers and taxes.
create table billing_settings (
  reseller_id        text primary key,
  enabled            boolean not null,
  currency           text not null,
  -- of the months in the operator's book; null in a reseller's, whose zone is in resellers
  time_zone          text,
  issuer             jsonb not null,
  number_prefix      text not null,
  payment_terms_days integer not null check (payment_terms_days between 0 and 365),
  draft_grace_hours  integer not null check (draft_grace_hours between 0 and 720),
  default_margin_percent numeric(9, 4) not null,
  taxes              jsonb not null,
  footer             text,
  -- days after the due date on which a reminder goes out, negative before it, and after which standing follows
  reminder_days      integer[] not null,
  suspend_after_days integer,
  next_number        bigint not null,
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null
);

-- Months whose invoices were drafted, as instants: a month begins where the one before it ended, also after a change of the zone.
create table billing_months (
  reseller_id text not null,
  month       text not null,
  time_zone   text not null,
  starts_at   timestamptz not null,
  ends_at     timestamptz not null,
  drafted_at  timestamptz(3) not null,
  -- [{customerId, message}]: what could not be rated
  failures    jsonb not null,
  primary key (reseller_id, month)
);

-- Rate plans by the month from which a version holds. What was billed by an older one stays as it is.
create table rate_plans (
  reseller_id    text not null,
  plan_id        text not null,
  version        integer not null,
  -- YYYY-MM
  effective_from text not null,
  name           text not null,
  -- the operator's name of the plan, by which SIMs get it
  operator_plan  text,
  prices         jsonb not null,
  archived_at    timestamptz(3),
  created_at     timestamptz(3) not null,
  primary key (reseller_id, plan_id, version)
);

-- Prices of the platform itself: readings, predictions, device-days, calls, a monthly fee.
create table price_lists (
  reseller_id    text not null,
  version        integer not null,
  effective_from text not null,
  prices         jsonb not null,
  created_at     timestamptz(3) not null,
  primary key (reseller_id, version)
);

-- Who is billed: a sub-client of the reseller; in the book of '_operator', a reseller.
create table billing_customers (
  reseller_id    text not null,
  customer_id    text not null,
  party          jsonb not null,
  margin_percent numeric(9, 4),
  overrides      jsonb not null,
  tax_ids        text[],
  payment_terms_days integer,
  buyer_reference text,
  enabled        boolean not null,
  updated_at     timestamptz(3) not null,
  primary key (reseller_id, customer_id)
);

create table invoices (
  -- who may see it beside the issuer: the reseller of the sub-client, or the reseller that is billed
  reseller_id    text not null,
  invoice_id     text not null,
  -- the book it is in
  issuer_id      text not null,
  -- '' where the reseller itself is billed
  sub_client_id  text not null,
  kind           text not null check (kind in ('invoice', 'credit_note')),
  corrects_id    text,
  month          text not null,
  status         text not null check (status in ('draft', 'open', 'paid', 'overdue', 'void')),
  number         text,
  currency       text not null,
  subtotal_minor bigint not null,
  tax_minor      bigint not null,
  total_minor    bigint not null,
  paid_minor     bigint not null default 0 check (paid_minor >= 0),
  credited_minor bigint not null default 0 check (credited_minor >= 0),
  -- parties, taxes, period (stored-invoice.ts); lines are in rows of their own
  content        jsonb not null,
  drafted_at     timestamptz(3) not null,
  opens_at       timestamptz(3),
  opened_at      timestamptz(3),
  due_at         timestamptz(3),
  paid_at        timestamptz(3),
  voided_at      timestamptz(3),
  reminded_count integer not null default 0,
  updated_at     timestamptz(3) not null,
  primary key (reseller_id, invoice_id),
  constraint invoices_number_key unique (issuer_id, number),
  constraint invoices_number_check check ((number is null) = (status = 'draft' or opened_at is null))
);
-- One invoice a month and customer; those that were voided do not count.
create unique index invoices_month_key on invoices (reseller_id, issuer_id, sub_client_id, month) where kind = 'invoice' and status <> 'void';
create index invoices_listed on invoices (reseller_id, drafted_at, invoice_id);
create index invoices_of_book on invoices (issuer_id, drafted_at, invoice_id);
create index invoices_correcting on invoices (reseller_id, corrects_id) where corrects_id is not null;

-- Lines, some hundreds a row, so that a list of invoices reads none and a long invoice is read in parts. Never changed.
create table invoice_lines (
  reseller_id text not null,
  invoice_id  text not null,
  -- from 0
  part        integer not null,
  -- read whole or not at all, so not jsonb
  lines       json not null,
  primary key (reseller_id, invoice_id, part),
  foreign key (reseller_id, invoice_id) references invoices (reseller_id, invoice_id)
);

-- What an invoice was made from, so that anybody can recompute it: JSON, compressed. Never changed.
create table invoice_inputs (
  reseller_id text not null,
  invoice_id  text not null,
  content     bytea not null,
  primary key (reseller_id, invoice_id),
  foreign key (reseller_id, invoice_id) references invoices (reseller_id, invoice_id)
);

-- Double entry: the postings of an entry sum to zero in each currency. Never changed; what was wrong is booked back.
create table ledger_entries (
  -- whose book
  reseller_id text not null,
  entry_id    text not null,
  at          timestamptz(3) not null,
  -- invoice_opened, credit_note, surplus, payment, refund, refund_returned, dispute
  kind        text not null,
  -- what makes it happen once: an invoice's id, a gateway's id of a payment
  source      text not null,
  -- of a credit note: the invoice that it corrects
  invoice_id  text,
  primary key (reseller_id, entry_id),
  constraint ledger_entries_source_key unique (reseller_id, kind, source)
);
create index ledger_entries_by_invoice on ledger_entries (reseller_id, invoice_id);

create table ledger_postings (
  reseller_id  text not null,
  entry_id     text not null,
  line         integer not null,
  -- receivable, revenue, tax, cash, unapplied, disputed
  account      text not null,
  -- the customer, where the account is kept by customer; else ''
  customer_id  text not null,
  currency     text not null,
  -- debit positive, credit negative
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (reseller_id, entry_id, line),
  foreign key (reseller_id, entry_id) references ledger_entries (reseller_id, entry_id)
);
create index ledger_postings_by_account on ledger_postings (reseller_id, account, customer_id, currency);

-- At the end of the transaction, whoever wrote them.
create function check_ledger_entry_balances() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_postings
              where reseller_id = new.reseller_id and entry_id = new.entry_id
              group by currency having sum(amount_minor) <> 0) then
    raise exception 'the postings of ledger entry % do not sum to zero', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_postings_balance after insert on ledger_postings
  deferrable initially deferred for each row execute function check_ledger_entry_balances();

select enable_tenancy('billing_settings');
select enable_tenancy('billing_months');
select enable_tenancy('rate_plans');
select enable_tenancy('price_lists');
select enable_tenancy('billing_customers');
select enable_tenancy('invoices');
select enable_tenancy('invoice_lines');
select enable_tenancy('invoice_inputs');
select enable_tenancy('ledger_entries');
select enable_tenancy('ledger_postings');
revoke update, delete on ledger_entries, ledger_postings, invoice_lines, invoice_inputs, rate_plans, price_lists from roadworthy_app, roadworthy_system;
