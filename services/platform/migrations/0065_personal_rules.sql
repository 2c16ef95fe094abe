-- Owner: notifications. A person's own rule: it sends to them alone, about what they may see, and goes with them.

-- null: a rule of the reseller or a sub-client. Set: sub_client_id is null, and the sub-client is that of the person at the time
alter table notification_rules add column owner_id text;
alter table notification_rules add constraint notification_rules_owner_fkey
  foreign key (reseller_id, owner_id) references users (reseller_id, user_id) on delete cascade;
alter table notification_rules add constraint notification_rules_owner_check
  check (owner_id is null or (sub_client_id is null and recipients = array[owner_id] and escalation_recipients is null));
create index notification_rules_of_owner on notification_rules (reseller_id, owner_id) where owner_id is not null;
