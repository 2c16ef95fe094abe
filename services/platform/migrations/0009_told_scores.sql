-- Owner: predictions. What was last told of a score by an event, so that the next event is about what changed since.
alter table vehicle_health add column told_score double precision;
alter table vehicle_health add column told_status text;
alter table predictions add column told_rul_days integer;
