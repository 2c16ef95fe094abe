-- Owner: brands. A host name is used for a brand only after its owner has proved it by a DNS record, or the operator has confirmed it.

-- Every host name that a brand lists. brand_hosts is what an earlier version used without proof: it stays for processes of that version.
create table brand_host_claims (
  reseller_id          text not null references resellers,
  host                 text not null,
  sub_client_id        text not null,
  -- as it was listed
  nth                  integer not null,
  -- what the TXT record must hold
  token                text not null,
  claimed_at           timestamptz not null,
  proved_at            timestamptz,
  is_confirmed_by_hand boolean not null default false,
  next_check_at        timestamptz not null,
  checked_at           timestamptz,
  -- of the last check, where it did not find the record
  problem              text check (problem in ('missing', 'unreachable', 'taken')),
  -- checks without the record since it was last found
  missing_count        integer not null default 0,
  unreachable_count    integer not null default 0,
  primary key (reseller_id, host),
  foreign key (reseller_id, sub_client_id) references brands (reseller_id, sub_client_id) on delete cascade
);
-- Several may list a name; one uses it.
create unique index brand_host_claims_proved_key on brand_host_claims (host) where proved_at is not null;
create index brand_host_claims_by_brand on brand_host_claims (reseller_id, sub_client_id);
create index brand_host_claims_due on brand_host_claims (next_check_at) where not is_confirmed_by_hand;

select enable_tenancy('brand_host_claims');

-- What was listed before was proved by nobody.
insert into brand_host_claims (reseller_id, host, sub_client_id, nth, token, claimed_at, next_check_at)
select reseller_id, host, sub_client_id, nth, replace(gen_random_uuid()::text, '-', ''), now(), now() from brand_hosts;
