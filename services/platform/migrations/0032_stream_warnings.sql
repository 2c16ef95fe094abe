-- Owner: streams. The fields that each consumer stored and did not use, which nobody who sends by a stream is answered about.
alter table stream_consumers add column warnings jsonb not null default '[]';
