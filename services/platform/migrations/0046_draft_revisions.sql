-- Owner: billing. A draft can be rated anew in its place. Each rating is a revision with lines and an input of its own, so that those of an earlier one
-- are still never changed, and a reader that began with one reads it to its end.

alter table invoices add column revision integer not null default 1;
alter table invoices alter column revision drop default;

alter table invoice_lines add column revision integer not null default 1;
alter table invoice_lines alter column revision drop default;
alter table invoice_lines drop constraint invoice_lines_pkey, add primary key (reseller_id, invoice_id, revision, part);

alter table invoice_inputs add column revision integer not null default 1;
alter table invoice_inputs alter column revision drop default;
alter table invoice_inputs drop constraint invoice_inputs_pkey, add primary key (reseller_id, invoice_id, revision);
