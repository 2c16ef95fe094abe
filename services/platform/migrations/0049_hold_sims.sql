-- Owner: billing. When an overdue invoice suspends the SIMs of its sub-client.

-- days after the due date; null: never
alter table billing_settings add column hold_sims_after_days integer check (hold_sims_after_days between 0 and 365);
