-- Owner: fleet. Since when a sub-client is deactivated: it bears no monthly fee of the months after. Null of one that was deactivated before this: `updated_at`
-- is the nearest that is known.

alter table sub_clients add column deactivated_at timestamptz(3);
