-- Owner: sims. SIMs of sub-clients whose invoices are overdue for too long are suspended, and resumed when none is.

-- Invoices for which the SIMs of a sub-client were looked through, until none holds them.
create table sim_holds (
  reseller_id   text not null references resellers,
  sub_client_id text not null,
  invoice_id    text not null,
  since         timestamptz(3) not null,
  primary key (reseller_id, sub_client_id, invoice_id)
);
select enable_tenancy('sim_holds');

-- the invoice because of which the SIM is to be suspended
alter table sim_actions add column hold_invoice_id text;
-- the sub-client that owed, while the SIM is suspended for that
alter table sims add column held_for text;
create index sims_held on sims (reseller_id, held_for, sim_id) where held_for is not null;
create index sim_actions_holding on sim_actions (reseller_id, sub_client_id)
  where hold_invoice_id is not null and state in ('intended', 'sending', 'running');
