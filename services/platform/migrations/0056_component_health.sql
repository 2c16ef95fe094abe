-- Owner: predictions. Points of the health history keep the health of each component, so that it can be shown what changed.

-- null of points of before, and of what a process of an earlier release writes
alter table health_history add column components jsonb;
