-- Owner: predictions. Reads the tables through, in a transaction of its own because it holds up nobody.
alter table health_history validate constraint health_history_before_partitions;
alter table vehicle_use validate constraint vehicle_use_before_partitions;
alter table events validate constraint events_before_partitions;
