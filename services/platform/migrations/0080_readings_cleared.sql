-- Owner: history. Up to where readings past the time that a reseller sets have been deleted from PostgreSQL. `sub_client_id` is '' for those of all sub-clients that have
-- no time of their own. Without a row nothing has been looked through: who adds readings of before, or sets another time, deletes it.
create table readings_cleared (
  reseller_id   text not null references resellers,
  sub_client_id text not null,
  -- null: none yet
  cleared_until timestamptz,
  primary key (reseller_id, sub_client_id)
);
select enable_tenancy('readings_cleared');
