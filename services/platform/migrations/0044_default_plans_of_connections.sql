-- Owner: sims. The rate plan of SIMs that no rate plan claims by the operator's name of theirs.

alter table operator_connections add column default_plan_id text;

-- It has its plan as the default of its connection: nobody chose it, and no plan claims the SIM by name.
alter table sims add column is_default_plan boolean not null default false;
