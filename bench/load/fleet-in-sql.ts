// A large fleet and a long past, written straight into the tables: through the receivers, 20 million readings would take the better part of
// an hour. What the receivers would have stored, in the shape they store it.

import type { Client } from 'pg'

/** Everything here is of the one reseller that a first start makes. */
const RESELLER = '(select min(reseller_id) from resellers)'
/** A multiplicative hash of a row's number: devices come in no order of their ids, as random ids do. */
const idOf = (prefix: string, n: string) => `'${prefix}-' || left(md5('${prefix}' || ${n}), 20)`

export async function insertFleet(owner: Client, fleet: { devices: number; subClients: number }): Promise<{ deviceIds: string[] }> {
  await owner.query(
    `insert into sub_clients (reseller_id, sub_client_id, name)
     select ${RESELLER}, 'branch-' || n, 'Branch ' || n from generate_series(0, $1 - 1) n`,
    [fleet.subClients],
  )
  await owner.query(
    `insert into vehicles (reseller_id, vehicle_id, license_plate, make, model, year, sub_client_id, created_at)
     select ${RESELLER}, ${idOf('veh', 'n')}, 'SCALE-' || n, 'Bench', 'One', 2018 + n % 7, 'branch-' || n % $2::int,
            now() - interval '60 days' + n * interval '1 second'
       from generate_series(0, $1 - 1) n`,
    [fleet.devices, fleet.subClients],
  )
  await owner.query(
    `insert into devices (reseller_id, device_id, name, imei, device_type, connection_method, status, sub_client_id, vehicle_id,
                          vehicle_linked_at, created_at)
     select ${RESELLER}, ${idOf('dev', 'n')}, 'Scale ' || n, (350000000000000 + n)::text, 'obd_dongle', 'http', 'active',
            'branch-' || n % $2::int, ${idOf('veh', 'n')}, at, at
       from generate_series(0, $1 - 1) n, lateral (select now() - interval '60 days' + n * interval '1 second' as at) c`,
    [fleet.devices, fleet.subClients],
  )
  await owner.query('analyze sub_clients, vehicles, devices')
  const { rows } = await owner.query<{ device_id: string }>('select device_id from devices order by created_at')
  return { deviceIds: rows.map(({ device_id }) => device_id) }
}

const TICKS_PER_STATEMENT = 20

/**
 * One reading of every device at each of `ticks` moments spread evenly over the span, within ten minutes from device to device. Tick after
 * tick, as they would have arrived: one vehicle's readings lie far apart on the disk.
 */
export async function insertPastReadings(owner: Client, past: { ticks: number; phase: number; from: Date; to: Date }): Promise<void> {
  const tickS = (past.to.getTime() - past.from.getTime()) / 1000 / past.ticks
  await owner.query("select ensure_reading_partitions($1, $2::timestamptz + interval '7 days')", [past.from, past.to])
  // Nothing of it has to last: the cluster is thrown away.
  await setServer(owner, ['full_page_writes = off', "max_wal_size = '8GB'", 'synchronous_commit = off'])
  for (let tick = 0; tick < past.ticks; tick += TICKS_PER_STATEMENT) {
    await owner.query(INSERT_TICKS, [past.from, tick, Math.min(past.ticks, tick + TICKS_PER_STATEMENT) - 1, tickS, past.phase])
  }
  await owner.query(`insert into vehicle_sources select reseller_id, vehicle_id, device_id from devices on conflict do nothing`)
  await setServer(owner, ['all'])
  // What autovacuum would have done by and by, so that it does not do it while something is measured.
  await owner.query('vacuum (analyze) readings')
  await owner.query('checkpoint')
}

async function setServer(owner: Client, settings: readonly string[]): Promise<void> {
  for (const setting of settings) await owner.query(setting === 'all' ? 'alter system reset all' : `alter system set ${setting}`)
  await owner.query('select pg_reload_conf()')
}

const INSERT_TICKS = `
  insert into readings (source_id, recorded_at, digest, reseller_id, sub_client_id, device_id, vehicle_id, kind, received_at,
                        latitude, longitude, signals, attributes)
  select d.device_id, at, decode(md5(d.device_id || at), 'hex'), d.reseller_id, d.sub_client_id, d.device_id, d.vehicle_id,
         'telemetry', at + interval '2 seconds', 28.4 + (n % 4000) / 10000.0, 77 + (n % 5000) / 10000.0,
         jsonb_build_object('engineSpeedRpm', 800 + n % 2500, 'coolantTempC', 80 + n % 14, 'batteryVoltageV', 13.7,
                            'fuelLevelPct', 20 + n % 60, 'vehicleSpeedKmh', n % 110, 'odometerKm', 100000 + n % 1000000 / 10.0),
         jsonb_build_object('headingDeg', n % 360, 'ignition', true)
    from generate_series($2::int, $3::int) tick
   cross join (select *, row_number() over () as nth, count(*) over () as fleet from devices) d
   cross join lateral (
     select date_trunc('milliseconds', $1::timestamptz + ((tick + $5::float8) * $4 + nth::float8 / fleet * 600) * interval '1 second') as at,
            tick * 7919 + nth as n
   ) r
   order by tick, nth`
