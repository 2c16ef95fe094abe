-- Owner: payments. Disputes are looked for at each gateway, because the callback that tells of one may be lost.

-- disputes that were opened at the gateway before then have been listed; null: none yet
alter table gateway_connections add column disputes_listed_until timestamptz(3);

insert into jobs (reseller_id, kind, key, due_at, revision, failures, created_at)
select reseller_id, 'payment-dispute-watch', connection_id, now(), 0, 0, now()
  from gateway_connections;
