// Goal: what is past its retention is found without reading what is not, also when deleted rows have left room everywhere and time shows nothing
// about where a row stands. Method: rows in an order that has nothing to do with their age; each statement of a step is explained as it runs,
// by the blocks it touched.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { deleteOldAuditRowsAcrossResellers } from '../../audit/audit.sql.ts'
import { deleteOldEventsAcrossResellers } from '../../events/events.sql.ts'
import { deleteOldActiveDevicesAcrossResellers } from '../../metering/sealing.sql.ts'
import { deleteOldRequestsAcrossResellers } from '../../requests/request-log.sql.ts'
import { lastFirst } from '../../surfaces/test-api.ts'
import { connectAsOwner, insertReseller, openTestDatabase } from '../../test-support.ts'
import { deleteOldAttemptsAcrossResellers, deleteOldDeliveriesAcrossResellers } from '../../webhooks/retention.sql.ts'

const ROWS = 20_000
const LIMIT = 20
/** To find and remove twenty rows with their index entries takes 62 to 122; with a BRIN index on the time it took 228 to 14,149. */
const MAX_BLOCKS = 200

const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
await insertReseller(database, 'acme')
const owner = await connectAsOwner(cleanUp, ownerUrl)
/** Ages of up to 100 days, in no order. */
const rows = `generate_series(1, ${ROWS}) n, lateral (select now() - make_interval(mins => (n * 7919) % 144000) as at) t`
await owner.query('set session_replication_role = replica')
await owner.query(`insert into events (reseller_id, position, event_id, type, occurred_at, logged_at, body)
                   select 'acme', n, 'evt-' || n, 'alert.created', at, at, repeat('x', 500) from ${rows}`)
await owner.query(`insert into audit_log (reseller_id, audit_id, at, actor_type, actor_id, action, object_id, changes)
                   select 'acme', 'aud-' || n, at, 'key', 'key-1', 'device.registered', repeat('x', 300), '{}' from ${rows}`)
await owner.query(`insert into webhook_messages (reseller_id, event_id, event_type, body, created_at)
                   select 'acme', 'evt-' || n, 'alert.created', repeat('x', 300), at from ${rows}`)
await owner.query(`insert into webhook_deliveries (reseller_id, delivery_id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at)
                   select 'acme', 'whd-' || n, 'whe-1', 'evt-' || n, 'alert.created', 'delivered', at, at from ${rows}`)
await owner.query(`insert into webhook_attempts (reseller_id, delivery_id, attempt_id, attempted_at, url, request_headers, outcome, duration_ms)
                   select 'acme', 'whd-' || n, 'wha-' || n, at, repeat('x', 200), '{}', 'delivered', 5 from ${rows}`)
await owner.query(`insert into usage_active_devices (reseller_id, sub_client_id, device_id, period, bucket)
                   select 'acme', '', 'dev-' || n, '2026-11', at from ${rows}`)
await owner.query(`insert into request_log (reseller_id, entry_id, at, key_id, surface, method, path, status, duration_ms, request_id, address)
                   select 'acme', 'req-' || n, at, 'key-' || n % 50, 'external', 'GET', repeat('x', 100), 200, 5, 'r' || n, '::1' from ${rows}`)
await owner.query('analyze')

type Plan = { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number; readonly Plans?: readonly Plan[] }

/** Explains what is run over it, and answers as if nothing was left. */
function explaining(blocks: number[]): Db {
  const query = async (statement: unknown, values?: readonly unknown[]) => {
    const text = `explain (analyze, buffers, format json) ${String(statement)}`
    const { rows: found } = await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(text, [...(values ?? [])])
    const plan = found[0]?.['QUERY PLAN'][0].Plan
    assert.ok(plan)
    blocks.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
    return { rows: [], rowCount: 0 }
  }
  return { query } as unknown as Db
}

const before = new Date(Date.now() - 30 * 86_400_000)
for (const [name, run] of Object.entries({
  events: deleteOldEventsAcrossResellers,
  'audit rows': deleteOldAuditRowsAcrossResellers,
  deliveries: deleteOldDeliveriesAcrossResellers,
  attempts: deleteOldAttemptsAcrossResellers,
  'calls of the request log': deleteOldRequestsAcrossResellers,
  'active devices': deleteOldActiveDevicesAcrossResellers,
})) {
  test(`old ${name} are found by an index in the order of time`, async () => {
    const blocks: number[] = []
    await run(explaining(blocks), before, LIMIT)
    assert.ok(blocks.length > 0)
    for (const count of blocks) assert.ok(count <= MAX_BLOCKS, `${count} blocks`)
  })
}
