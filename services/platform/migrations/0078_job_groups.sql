-- Owner: jobs. Work of a kind and a reseller that shares slots, such as the actions at one account of an operator. '' of work that has none.
alter table jobs add column slot_group text not null default '';
-- Groups are found one by one, however much waits in each.
create index jobs_due_by_group on jobs (kind, reseller_id, slot_group, due_at, key);
drop index jobs_due;
