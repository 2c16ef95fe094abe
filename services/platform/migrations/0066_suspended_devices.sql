-- Owner: devices. What suspended devices sent last keeps no vehicle online: they are few, and looked for by each list of vehicles.

create index devices_suspended on devices (reseller_id, device_id) where status = 'suspended';
