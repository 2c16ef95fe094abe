-- Owner: incidents. Those that live are few and looked for often; those that ended add up over years.
create index incidents_live on incidents (reseller_id, opened_at, incident_id) where status <> 'resolved';
