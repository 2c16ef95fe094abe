-- Owner: notifications. Who is sent a message about which incidents, and what was sent (ADR 0025).

create table notification_rules (
  reseller_id          text not null references resellers,
  rule_id              text not null,
  name                 text not null,
  -- null: incidents of the whole fleet
  sub_client_id        text,
  is_enabled           boolean not null,
  min_severity         text not null check (min_severity in ('info', 'low', 'medium', 'high', 'critical')),
  -- null: any
  components           text[],
  vehicle_ids          text[],
  -- users
  recipients           text[] not null check (cardinality(recipients) > 0),
  -- {"days":[1,2],"from":"08:00","to":"18:00"} and {"from":"22:00","to":"06:00"}, as clocks on the wall show it in the zone of the reseller
  working_hours        jsonb,
  quiet_hours          jsonb,
  -- what is critical is sent at any hour
  critical_at_any_hour boolean not null,
  repeat_minutes       integer check (repeat_minutes > 0),
  escalation_minutes   integer check (escalation_minutes > 0),
  escalation_recipients text[],
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3) not null,
  primary key (reseller_id, rule_id),
  constraint notification_rules_escalation_check check ((escalation_minutes is null) = (escalation_recipients is null)),
  foreign key (reseller_id, sub_client_id) references sub_clients (reseller_id, sub_client_id)
);
create index notification_rules_listed on notification_rules (reseller_id, created_at, rule_id);
select enable_tenancy('notification_rules');

-- Each message that a rule calls for: the row is there before it is sent, and there is one per rule, incident, step and recipient.
create table notifications (
  reseller_id     text not null references resellers,
  notification_id text not null,
  -- no foreign key: the log outlasts the rule
  rule_id         text not null,
  -- null: a test of the rule
  incident_id     text,
  -- of the incident, or of the rule that is tested, at that time
  sub_client_id   text,
  -- first, repeat.1, escalation, test
  step            text not null,
  recipient       text not null,
  -- sending: a process is at it, or was killed at it; uncertain: it was, so that the message may have been sent
  status          text not null check (status in ('pending', 'sending', 'sent', 'failed', 'uncertain', 'cancelled')),
  attempt_count   integer not null,
  next_attempt_at timestamptz(3) not null,
  -- why the last attempt failed, or why none was made
  error           text,
  created_at      timestamptz(3) not null,
  sent_at         timestamptz(3),
  primary key (reseller_id, notification_id)
);
create unique index notifications_step_key on notifications (reseller_id, incident_id, rule_id, step, recipient) where incident_id is not null;
create index notifications_listed on notifications (reseller_id, created_at, notification_id);
create index notifications_of_rule on notifications (reseller_id, rule_id, created_at, notification_id);
select enable_tenancy('notifications');
