-- Owner: jobs. Background work that runs once, however many processes there are: what is due, who is at it, and until when (ADR 0023).

create table jobs (
  -- no foreign key: the installation's own work is under '_operator'
  reseller_id   text not null,
  kind          text not null,
  -- what it is about, within the kind: the id of an invoice, of a connection
  key           text not null,
  due_at        timestamptz(3) not null,
  -- another one whenever it is asked for, so that what was asked for while somebody was at it is not taken for done
  revision      bigint not null,
  -- of the process that is at it; it holds until claimed_until by the database's clock
  claim_id      text,
  claimed_until timestamptz(3),
  -- since it last succeeded
  failures      integer not null,
  last_error    text,
  created_at    timestamptz(3) not null,
  primary key (reseller_id, kind, key)
);
create index jobs_due on jobs (kind, reseller_id, due_at);
create index jobs_failing on jobs (failures) where failures > 0;
select enable_tenancy('jobs');
