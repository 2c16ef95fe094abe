// A part of statements about devices: whether a connection of device `d` is believed, by the database's clock. The presence slice keeps it.

export const isConnected = `exists (
  select
    from device_connections c
    join connection_leases l on l.holder_id = c.holder_id and l.reseller_id = c.reseller_id
   where c.device_id = d.device_id and c.reseller_id = d.reseller_id and l.lease_until > statement_timestamp())`
