// For tests and measurements only: vehicles that are due by the hundred thousand, as an engine that was away leaves them behind.

import pg from 'pg'

const VEHICLES_PER_STATEMENT = 50_000

/** Runs as the owner, who may take longer than the service, without triggers. */
export async function asOwner<T>(ownerUrl: string, run: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query('set session_replication_role = replica')
    return await run(owner)
  } finally {
    await owner.end()
  }
}

/** So many vehicles with a latest state that nobody has scored, named by the prefix. */
export async function makeBacklog(owner: pg.Client, resellerId: string, vehicleCount: number, prefix: string): Promise<void> {
  for (let from = 0; from < vehicleCount; from += VEHICLES_PER_STATEMENT) {
    const values = [resellerId, prefix, from, Math.min(vehicleCount, from + VEHICLES_PER_STATEMENT) - 1]
    const each = 'generate_series($3::int, $4::int) n, lateral (select $2 || md5(n::text) as id) v'
    await owner.query(`insert into vehicles (reseller_id, vehicle_id) select $1, v.id from ${each}`, values)
    await owner.query(`insert into vehicle_sources (reseller_id, vehicle_id, source_id) select $1, v.id, v.id from ${each}`, values)
    await owner.query(
      `insert into latest_states (source_id, reseller_id, vehicle_id, recorded_at, merged_from, received_at, signals)
       select v.id, $1, v.id, now(), now(), now(),
              '{"coolantTempC": [90, 0], "engineSpeedRpm": [1500, 0], "vehicleSpeedKmh": [50, 0], "batteryVoltageV": [13.8, 0]}'
         from ${each}`,
      values,
    )
  }
}

/** Leaves so many of them due, as if the others had been scored. */
export async function shrinkBacklog(owner: pg.Client, resellerId: string, leftCount: number): Promise<void> {
  const { rows } = await owner.query<{ due_count: number }>(
    'select count(*)::int as due_count from latest_states where reseller_id = $1 and due',
    [resellerId],
  )
  for (let tooMany = (rows[0]?.due_count ?? 0) - leftCount; tooMany > 0; tooMany -= VEHICLES_PER_STATEMENT) {
    await owner.query(
      `update latest_states set due = false
        where ctid = any (array(select ctid from latest_states where reseller_id = $1 and due limit $2))`,
      [resellerId, Math.min(tooMany, VEHICLES_PER_STATEMENT)],
    )
  }
}
