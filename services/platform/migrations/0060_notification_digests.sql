-- Owner: notifications. A rule can send one message a day about its incidents, instead of one for each.

-- {"at":"07:30","timeZone":"Europe/Berlin"}; null: single messages
alter table notification_rules add column digest jsonb;
-- what happened until then was in a digest, or was before the rule had one
alter table notification_rules add column digested_until timestamptz(3);
alter table notification_rules add constraint notification_rules_digest_check check ((digest is null) = (digested_until is null));

-- Of a digest, whose step is digest.2026-11-23: what it is about.
alter table notifications add column window_from timestamptz(3);
alter table notifications add column window_until timestamptz(3);
create unique index notifications_digest_key on notifications (reseller_id, rule_id, step, recipient) where window_until is not null;
