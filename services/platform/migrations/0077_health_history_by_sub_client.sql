-- Owner: predictions. Points of the health history are kept for as long as readings of their reseller and sub-client are (`readings_retention`).

-- The sub-client that the vehicle belonged to then; '' of none. Null of points of before, and of what a process of an earlier release writes: those follow the
-- sub-client that the vehicle belongs to.
alter table health_history add column sub_client_id text;
-- Who deletes by key, which means one row wherever it is, may delete from every partition.
alter policy rows_of_before on health_history
  using (tableoid = to_regclass('public.health_history_before') or current_setting('app.deletes_by_key', true) = 'on');
