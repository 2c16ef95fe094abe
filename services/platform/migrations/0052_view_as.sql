-- Owner: access. A person who sees every sub-client may look as a viewer of one: the session is held to it until they stop.

-- Were the sub-client removed, the session ends with it rather than see more again.
alter table sessions add column viewed_sub_client_id text;
alter table sessions add constraint sessions_viewed_sub_client_fkey foreign key (reseller_id, viewed_sub_client_id)
  references sub_clients (reseller_id, sub_client_id) on delete cascade;
