-- Owner: readings. When what a source said of a vehicle may be scored, so that the vehicles that wait longest are found by an index.

-- Set by whoever scores a vehicle or sets it aside, in the row that it writes anyway; ingest has no part in it. What is due and whose time has
-- come waits since then.
alter table latest_states add column score_after timestamptz not null default '-infinity';
-- In the place of latest_states_due, of which it holds the same rows: a process of an earlier release goes through all of either.
create index latest_states_to_score on latest_states (reseller_id, score_after) where due and vehicle_id is not null;
drop index latest_states_due;
