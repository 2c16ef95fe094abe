-- Owner: incidents. What was resolved since a person last looked is asked for on the first page, over all vehicles.
create index incidents_resolved on incidents (reseller_id, resolved_at, incident_id) where status = 'resolved';
