-- Owner: webhooks. Also of access and metering: rows past their retention are found oldest first, through an index in the order of
-- time. A BRIN index says which blocks may hold old rows; once new rows stand in the room that deleted ones left, every block may.
create index webhook_messages_by_time on webhook_messages (created_at);
drop index webhook_messages_by_age;
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
drop index webhook_deliveries_by_age;
create index webhook_attempts_by_time on webhook_attempts (attempted_at);
drop index webhook_attempts_by_age;
create index audit_log_by_time on audit_log (at);
drop index audit_log_age;
create index usage_active_devices_by_time on usage_active_devices (bucket);
drop index usage_active_devices_by_age;
