// Parts of statements about whether something is there.

/** Whether a connection of device `d` is believed, by the database's clock. The presence slice keeps it. */
export const isConnected = `exists (
  select
    from device_connections c
    join connection_leases l on l.holder_id = c.holder_id and l.reseller_id = c.reseller_id
   where c.device_id = d.device_id and c.reseller_id = d.reseller_id and l.lease_until > statement_timestamp())`

/** Whether a newest state `l` is of a device that is not suspended. `$1` is the reseller; who they are is looked up once for a statement, and hashed. */
export const isOfServedDevice = `(l.device_id is null or l.device_id not in (
  select s.device_id from devices s where s.reseller_id = $1 and s.status = 'suspended'))`
