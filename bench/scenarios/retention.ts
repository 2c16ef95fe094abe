// What it costs to remove what is past its retention: row by row, from the tables that are not partitioned, a day's worth of the rows kept for 30 days
// (70 for active devices), and a week of a partitioned table, which goes whole. Measured on a PostgreSQL that waits for its disk, at a tenth of
// the rows and at all of them; bar: a statement of 5,000 rows touches no more than 1.5 times the blocks in the larger table.
//
// Run: node bench/scenarios/retention.ts [--rows 10000000]     Result: a line in bench/results/retention.jsonl

import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { keepHouse } from '@roadworthy/platform/main/database/housekeeping'
import { selectPartitions } from '@roadworthy/platform/main/database/partitions.sql'
import { deleteOldActiveDevicesAcrossResellers } from '@roadworthy/platform/metering/sealing.sql'
import { insertReseller, openTestDatabase } from '@roadworthy/platform/test-support'
import { deleteOldDeliveriesAcrossResellers } from '@roadworthy/platform/webhooks/retention.sql'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import pg from 'pg'
import { keepResult } from '../load/service-under-load.ts'

const ROWS_PER_DELETE = 5_000
const DAY_MS = 86_400_000
const { values: flags } = parseArgs({ options: { rows: { type: 'string', default: '10000000' } } })
const rows = Number(flags.rows)

/** Ids as random as real ones; ages without order, up to a day more than the rows are kept. */
const filling = (count: number, days: number) =>
  `generate_series(1, ${count}) n, lateral (select md5(n::text) as id, now() - (${days} * 86400.0 * ((n * 7919::bigint) % ${count}) / ${count}) * interval '1 second' as at) t`

const tables = {
  webhook_messages: (count: number) =>
    `insert into webhook_messages (reseller_id, event_id, event_type, body, created_at)
     select 'acme', 'evt-' || id, 'alert.created', repeat('x', 400), at from ${filling(count, 31)}`,
  webhook_deliveries: (count: number) =>
    `insert into webhook_deliveries (reseller_id, delivery_id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at)
     select 'acme', 'whd-' || id, 'whe-' || n % 50, 'evt-' || id, 'alert.created', 'delivered', at, at from ${filling(count, 31)}`,
  usage_active_devices: (count: number) =>
    `insert into usage_active_devices (reseller_id, sub_client_id, device_id, period, bucket)
     select 'acme', '', 'dev-' || id, to_char(at, 'YYYY-MM-DD'), at from ${filling(count, 71)}`,
} as const

/** Rows first, then keys and indexes as they were. */
async function fill(owner: pg.Client, table: string, insert: string): Promise<void> {
  const { rows: keys } = await owner.query<{ name: string; def: string }>(
    `select conname as name, pg_get_constraintdef(oid) as def from pg_constraint where conrelid = $1::regclass and contype in ('f', 'p', 'u') order by contype`,
    [table],
  )
  const { rows: indexes } = await owner.query<{ name: string; def: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as def from pg_index i
      where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  const { rows: referrers } = await owner.query<{ table: string; name: string; def: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as def from pg_constraint where confrelid = $1::regclass`,
    [table],
  )
  for (const { table: other, name } of referrers) await owner.query(`alter table ${other} drop constraint ${name}`)
  for (const { name } of keys) await owner.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await owner.query(`drop index ${name}`)
  await owner.query(insert)
  for (const { def } of indexes) await owner.query(def)
  for (const { name, def } of keys.toReversed()) {
    await owner.query(`alter table ${table} add constraint ${name} ${def}${def.startsWith('FOREIGN') ? ' not valid' : ''}`)
  }
  for (const { table: other, name, def } of referrers) await owner.query(`alter table ${other} add constraint ${name} ${def} not valid`)
  await owner.query(`vacuum (analyze) ${table}`)
}

type Plan = {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Plan[]
}

const nodesOf = (plan: Plan): string[] => [
  [plan['Node Type'], plan['Index Name']].filter((word) => word !== undefined).join(' '),
  ...(plan.Plans ?? []).flatMap(nodesOf),
]

/** Explains the statements of one step as they run. */
function explaining(db: Db, seen: { nodes: string[]; blocks: number }[]): Db {
  const query = async (statement: unknown, values?: readonly unknown[]) => {
    const { rows: found } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, buffers, format json) ${statement}`, [
      ...(values ?? []),
    ])
    const plan = found[0]?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('no plan')
    seen.push({ nodes: nodesOf(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] })
    return { rows: [], rowCount: 0 }
  }
  return { query } as unknown as Db
}

async function measureDeleting(db: Db, name: string, step: (db: Db, before: Date, limit: number) => Promise<number>, keptDays: number) {
  const before = new Date(Date.now() - keptDays * DAY_MS)
  const first: { nodes: string[]; blocks: number }[] = []
  await step(explaining(db, first), before, ROWS_PER_DELETE)
  const tookMs: number[] = []
  for (let count = ROWS_PER_DELETE; count === ROWS_PER_DELETE; ) {
    const startedMs = performance.now()
    count = await step(db, before, ROWS_PER_DELETE)
    tookMs.push(performance.now() - startedMs)
  }
  const sorted = tookMs.toSorted((a, b) => a - b)
  return {
    name,
    statements: first,
    batches: sorted.length,
    dayS: Math.round(sorted.reduce((sum, ms) => sum + ms, 0)) / 1_000,
    batchMs: { median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0), most: Math.round(sorted.at(-1) ?? 0) },
  }
}

/** A week of attempts, by housekeeping, which has nothing else to do. */
async function measureDropping(owner: pg.Client, database: Parameters<typeof keepHouse>[0]['database'], ownerUrl: string, count: number) {
  // What a template has for tests whose clocks are anywhere.
  for (const { name, from } of await selectPartitions(database.systemPool, 'webhook_attempts')) {
    if (from !== undefined) await owner.query(`drop table ${name}`)
  }
  const weeksOn = (weeks: number) => new Date(Date.now() + weeks * 7 * DAY_MS)
  const deps = {
    ...{ database, ownerUrl, readingsMaxAgeDays: 1, readingsRetentionDays: 10, eventsRetentionDays: 10, auditRetentionDays: 10 },
  }
  const later = weeksOn(10)
  await keepHouse({ ...deps, now: () => weeksOn(4) }, (step) => step.endsWith('of webhook_attempts'))
  await owner.query(
    `insert into webhook_attempts (reseller_id, delivery_id, attempt_id, attempted_at, url, request_headers, outcome, duration_ms)
     select 'acme', 'whd-' || md5(n::text), 'wha-' || n, $1::timestamptz, repeat('x', 200), '{}', 'delivered', 5 from generate_series(1, ${count}) n`,
    [weeksOn(4)],
  )
  const startedMs = performance.now()
  const failed = await keepHouse({ ...deps, now: () => later }, (step) => step === 'drop partitions of webhook_attempts')
  const tookMs = Math.round(performance.now() - startedMs)
  const left = await owner.query<{ n: number }>('select count(*)::int as n from webhook_attempts')
  return { name: 'a week of webhook_attempts', rows: count, tookMs, failed: failed.length, left: left.rows[0]?.n }
}

async function measure(count: number) {
  const cleanUps: (() => Promise<void>)[] = []
  try {
    const { database, ownerUrl } = await openTestDatabase({ after: (run) => cleanUps.push(run) })
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    cleanUps.push(() => owner.end())
    await insertReseller(database, 'acme')
    await owner.query(`set maintenance_work_mem = '512MB'; set session_replication_role = replica`)
    for (const [table, insert] of Object.entries(tables)) await fill(owner, table, insert(count))
    const db = database.systemPool
    const steps = [
      await measureDeleting(db, 'deliveries and messages', deleteOldDeliveriesAcrossResellers, 30),
      await measureDeleting(db, 'active devices', deleteOldActiveDevicesAcrossResellers, 70),
    ]
    return { rows: count, steps, dropping: await measureDropping(owner, database, ownerUrl, Math.round(count / 5)) }
  } finally {
    for (const run of cleanUps.toReversed()) await run()
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'roadworthy-bench-'))
const server = await startEmbeddedPostgres({ dataDir: folder, log: (message) => console.error(message) })
process.env['TEST_DATABASE_URL'] = server.url
try {
  const sizes: Awaited<ReturnType<typeof measure>>[] = []
  for (const count of [Math.round(rows / 10), rows]) sizes.push(await measure(count))
  const blocksOf = (nth: number) => sizes[nth]?.steps.flatMap(({ statements }) => statements.map(({ blocks }) => blocks)) ?? []
  const ratios = blocksOf(1).map((blocks, nth) => Math.round((100 * blocks) / (blocksOf(0)[nth] ?? Number.NaN)) / 100)
  keepResult('retention', { at: new Date().toISOString(), cpus: os.cpus().length, node: process.version, sizes, blockRatios: ratios })
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
