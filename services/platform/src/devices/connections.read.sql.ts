// A part of statements about devices: until when the connection of device `d` is believed, null without one. The presence slice keeps it.

export const connectedUntil = `(
  select max(l.lease_until)
    from device_connections c
    join connection_leases l on l.holder_id = c.holder_id and l.reseller_id = c.reseller_id
   where c.device_id = d.device_id and c.reseller_id = d.reseller_id)`
