-- Owner: notifications. A rule can be about the vehicles of groups.

-- null: any, where vehicle_ids is null too
alter table notification_rules add column vehicle_group_ids text[] check (cardinality(vehicle_group_ids) > 0);
