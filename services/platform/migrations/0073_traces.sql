-- Owner: readings. What of a trace waits with the work that goes on with it (ADR 0051): 55 characters of W3C `traceparent`, of traces that are kept alone.

-- What a trace brought of a vehicle that is to be scored: the newest. Written by ingest beside the readings, taken with the score. Its absence changes
-- nothing but the trace.
create table trace_marks (
  reseller_id text not null,
  vehicle_id  text not null,
  traceparent varchar(55) not null,
  -- of the newest reading that it brought: a score of older readings is not of this trace
  recorded_at timestamptz(3) not null,
  noted_at    timestamptz(3) not null default now(),
  primary key (reseller_id, vehicle_id)
);
select enable_tenancy('trace_marks');

alter table reading_alarms add column traceparent varchar(55);
alter table unlinked_device_alarms add column traceparent varchar(55);
alter table event_outbox add column traceparent varchar(55);
alter table webhook_messages add column traceparent varchar(55);
alter table jobs add column traceparent varchar(55);
