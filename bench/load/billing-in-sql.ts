// A reseller with many SIMs and a month of their use, written straight into the tables: what synchronisations of a month would have stored.

import type { Client } from 'pg'

export type BilledFleet = { readonly resellerId: string; readonly sims: number; readonly subClients: number; readonly hours: number }

/** The month that is billed. */
const BILLED_MONTH = '2026-10'
const FROM = '2026-10-01T00:00:00Z'
const HOURS_PER_STATEMENT = 24
const USAGE_LINES = 50_000

/**
 * Every SIM has three rows of history (in stock, active, another plan in the middle of the month) and an entry of use each hour; what the platform
 * metered stands beside it. Nothing of it has to last: the cluster is thrown away.
 */
export async function insertBilledFleet(owner: Client, { resellerId, sims, subClients, hours }: BilledFleet): Promise<void> {
  await owner.query(`set session_replication_role = replica; set synchronous_commit = off`)
  await owner.query(
    `insert into sub_clients (reseller_id, sub_client_id, name) select $1, 'sub-' || n, 'Sub ' || n from generate_series(0, $2 - 1) n`,
    [resellerId, subClients],
  )
  await owner.query(
    `insert into operator_connections (reseller_id, connection_id, operator, name, enabled, base_url, settings, secrets_sealed, revision,
       custody_min_days, custody_max_days, custody_on_expiry, termination_grace_days, sync_every_minutes, created_at, updated_at)
     values ($1, 'opc-1', 'cisco', 'Cisco', true, 'https://example.invalid', '{}', '', 'r', 30, 90, 'suspend', 5, 60, now(), now())`,
    [resellerId],
  )
  await owner.query(
    `insert into sims (reseller_id, sim_id, connection_id, iccid, iccid_key, imsi, msisdn, status, status_since, is_parked, plan_id, sub_client_id,
                       last_history_seq, last_usage_seq, created_at, updated_at, operator_status)
     select $1, ${SIM_ID}, 'opc-1', iccid, iccid, '40410' || lpad(n::text, 10, '0'), '5751' || lpad(n::text, 9, '0'), 'active', $3, false,
            'pool', 'sub-' || n % $2::int, 3, $5, $3::timestamptz + n * interval '1 second', $3, 'ACTIVATED'
       from generate_series(0, $4 - 1) n, lateral (select '8991' || lpad(n::text, 15, '0') as iccid) i`,
    [resellerId, subClients, '2026-09-01T00:00:00Z', sims, hours],
  )
  await owner.query(
    `insert into sim_history (reseller_id, sim_id, seq, at, change, status, sub_client_id, plan_id, source, actor_type, actor_id)
     select $1, ${SIM_ID}, seq, at, 'status', status, 'sub-' || n % $2::int, plan, 'operator', 'operator', 'opc-1'
       from generate_series(0, $3 - 1) n,
            (values (1, '2026-09-01T00:00:00Z'::timestamptz, 'inventory', 'basic'), (2, '2026-09-02T00:00:00Z', 'active', 'basic'),
                    (3, '2026-10-15T00:00:00Z', 'active', 'pool')) h (seq, at, status, plan)`,
    [resellerId, subClients, sims],
  )
  // Hour after hour, as they come: the entries of one SIM lie far apart on the disk.
  const indexes = await owner.query<{ def: string }>(
    `select pg_get_indexdef(index) as def from unnest('{sim_usage_by_time, sim_usage_by_cycle}'::regclass[]) index`,
  )
  await owner.query('drop index sim_usage_by_time, sim_usage_by_cycle')
  for (let first = 0; first < hours; first += HOURS_PER_STATEMENT) {
    await owner.query(
      `insert into sim_usage (reseller_id, sim_id, seq, received_at, cycle_start, bytes, sub_client_id, plan_id)
       select $1, ${SIM_ID}, h + 1, at, $3, 100000 + (n * 7919 + h * 104729) % 900000, 'sub-' || n % $2::int,
              case when at < '2026-10-15T00:00:00Z' then 'basic' else 'pool' end
         from generate_series($4::int, $5::int) h, generate_series(0, $6 - 1) n, lateral (select $3::timestamptz + h * interval '1 hour' as at) c`,
      [resellerId, subClients, FROM, first, Math.min(hours, first + HOURS_PER_STATEMENT) - 1, sims],
    )
  }
  for (const { def } of indexes.rows) await owner.query(def)
  await owner.query(
    `insert into usage_lines (reseller_id, sub_client_id, seq, bucket, meter, count, hash)
     select $1, 'sub-' || n % $2::int, n / $2::int + 1, $3::timestamptz + (n % 744) * interval '1 hour', 'points_ingested', 1 + n % 1000, decode(repeat('00', 32), 'hex')
       from generate_series(0, $4 - 1) n`,
    [resellerId, subClients, FROM, USAGE_LINES],
  )
  await owner.query(
    `insert into usage_chains (reseller_id, sub_client_id, last_seq, last_hash)
     select reseller_id, sub_client_id, max(seq), decode(repeat('00', 32), 'hex') from usage_lines where reseller_id = $1 group by 1, 2`,
    [resellerId],
  )
  await owner.query(
    `insert into usage_periods (reseller_id, month, time_zone, starts_at, ends_at) values ($1, $2, 'UTC', $3, '2026-11-01T00:00:00Z')`,
    [resellerId, BILLED_MONTH, FROM],
  )
  await owner.query('vacuum (analyze) sims, sim_history, sim_usage, usage_lines, usage_chains, sub_clients')
}

/** Ids as random as real ones. */
const SIM_ID = `'sim-' || left(md5('sim' || n), 20)`

/** What is due of one kind, of many resellers. */
export async function insertJobs(
  owner: Client,
  { jobs, resellers, kind }: { jobs: number; resellers: number; kind: string },
): Promise<void> {
  await owner.query(
    `insert into jobs (reseller_id, kind, key, due_at, revision, failures, created_at)
     select 'fleet-' || n % $2::int, $3, 'key-' || n, now() - n * interval '1 second', 0, 0, now() from generate_series(0, $1 - 1) n`,
    [jobs, resellers, kind],
  )
  await owner.query('vacuum (analyze) jobs')
}
