-- Owner: brands. How the dashboard looks to the people of a reseller and of its sub-clients.

create table brands (
  reseller_id   text not null references resellers,
  -- '' for the reseller's own; what a sub-client's leaves out is as in the reseller's
  sub_client_id text not null,
  name          text,
  colour        text check (colour ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_url   text,
  updated_at    timestamptz not null,
  primary key (reseller_id, sub_client_id)
);

-- Under which host names a brand is shown. A name leads to one brand, whoever's.
create table brand_hosts (
  reseller_id   text not null references resellers,
  host          text not null,
  sub_client_id text not null,
  -- as it was listed
  nth           integer not null,
  primary key (reseller_id, host),
  constraint brand_hosts_host_key unique (host),
  foreign key (reseller_id, sub_client_id) references brands (reseller_id, sub_client_id) on delete cascade
);
create index brand_hosts_by_brand on brand_hosts (reseller_id, sub_client_id);

create table brand_logos (
  reseller_id   text not null references resellers,
  sub_client_id text not null,
  content_type  text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
  image         bytea not null,
  sha256        bytea not null,
  primary key (reseller_id, sub_client_id),
  foreign key (reseller_id, sub_client_id) references brands (reseller_id, sub_client_id) on delete cascade
);
create index brand_logos_by_content on brand_logos (sha256);

select enable_tenancy('brands');
select enable_tenancy('brand_hosts');
select enable_tenancy('brand_logos');
