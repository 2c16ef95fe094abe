-- Owner: notifications. A message to a person carries a link that acknowledges its incident, and works once.

-- when that link was used; null: not yet
alter table notifications add column acknowledged_at timestamptz(3);
