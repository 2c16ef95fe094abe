-- Owner: jobs. Workers look every second which kinds of work are due, however much of each is still to come.
create index jobs_due_by_kind on jobs (kind, due_at);
