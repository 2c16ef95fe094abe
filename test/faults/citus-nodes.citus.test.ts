// Goal: on a cluster nothing acknowledged is lost or doubled, whichever node dies and while shards are moved, and callers see 503 at most. Method: a coordinator
// and three workers of Citus, the third of which joins later; one process of the service, which the command line makes a cluster of. Devices send over REST and
// MQTT QoS 1 and raise alarms, and programs call, while each worker and the coordinator are killed and started again, and while shards move to the third. At the
// end everything is read and held against what was sent and answered.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertResellerWithKey, lastFirst } from '@roadworthy/platform/surfaces/test-api'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/db'
import { RunningService } from '../e2e/running-service.ts'
import { findCitus, TestCitus } from '../support/citus.ts'
import { roadworthy } from '../support/command-line.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { type Address, acknowledgedCount, addressOf, audit, callFor, loadFor, register, type Sender } from './fleet-under-load.ts'

const PATHS = ['/api/v1/vehicles', '/api/v1/alerts', '/api/external/devices/locations', '/api/v1/overview', '/api/v1/fleet/positions']
const SECRET_KEY = 'test secret key, 32 characters or more'
const SHARDS = 8
const WORKERS = 3
const NODES = { coordinator: 0, first: 1, second: 2, third: 3 }
const DEVICES = { rest: 8, mqtt: 8 }
const LOAD_MS = 1_500
const DOWN_MS = 1_500
const SETTLED_WITHIN_MS = 60_000
/** Shards are copied, and what is written meanwhile is copied after them. */
const COMMAND_TIMEOUT_MS = 240_000

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('nothing acknowledged is lost or doubled when nodes of a cluster die and shards move', {
  skip: script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
}, async (t) => {
  const cleanUp = lastFirst(t)
  const citus = await TestCitus.start(script ?? '', WORKERS)
  cleanUp.after(async () => citus.remove())
  const url = citus.url(NODES.coordinator, { user: 'roadworthy', database: 'roadworthy' })
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-nodes-'))
  cleanUp.after(async () => rmSync(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: url, SECRET_KEY }
  const cli = async (...args: string[]) => {
    const { code, stdout, stderr } = await roadworthy(['--data-dir', folder, 'citus', ...args, '--database-url', url, '--json'], {
      env,
      timeoutMs: COMMAND_TIMEOUT_MS,
    })
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout) as Record<string, never>
  }
  const ask = async (sql: string, values: unknown[] = [], user = 'roadworthy') => {
    const at = citus.url(NODES.coordinator, { user, database: 'roadworthy' })
    const session = openDatabase(
      { app: at, system: at },
      { appConnections: 1, systemConnections: 1, onError: (error) => console.error(error) },
    )
    const { rows } = await session.systemPool.query(sql, values).finally(() => session.close())
    return rows as Row[]
  }
  await ask('select citus_remove_node($1, $2)', ['127.0.0.1', citus.port(NODES.third)], 'postgres')

  // On one PostgreSQL first, with readings: they are spread with the tables.
  let service = await startService(folder, env)
  cleanUp.after(async () => void (await service.signal('SIGTERM')))
  const baseMs = Date.now() - 3_600_000
  const senders = await register(addressOf(service), baseMs, DEVICES)
  await underLoad(senders, service, async () => await sleep(LOAD_MS))
  const refused = await roadworthy(['--data-dir', folder, 'citus', 'init', '--database-url', url], { env })
  assert.match(refused.stderr, /sessions of the service are open/, 'while a process runs')
  assert.equal(await service.signal('SIGTERM'), 0)
  const made = await cli('init', '--shards', String(SHARDS))
  assert.deepEqual(made, { distributed: ['readings', 'latest_states', 'reading_effects'], shards: SHARDS })
  assert.deepEqual(await cli('init'), { distributed: [], shards: SHARDS })
  service = await startService(folder, env)

  const pools = { appConnections: 1, systemConnections: 1, onError: (error: Error) => console.error(error) }
  const database = openDatabase(databaseUrls(url, SECRET_KEY), pools)
  // Of its own, so that what devices send is all that is billed to the other one.
  const { apiKey } = await insertResellerWithKey(database, 'alarms')
  await database.close()
  const statuses = new Map<number, number>()
  const raised: string[] = []
  const other = () => ({ ...addressOf(service), apiKey })
  const beside = (isOver: () => boolean) => [callFor(other(), PATHS, statuses, isOver), raiseAlarmsFor(other(), raised, isOver)]
  for (const [name, node] of Object.entries({ first: NODES.first, second: NODES.second, coordinator: NODES.coordinator })) {
    await underLoad(
      senders,
      service,
      async () => {
        await sleep(LOAD_MS)
        await citus.kill(node)
        await sleep(DOWN_MS)
        citus.startAgain(node)
        await sleep(LOAD_MS)
        await untilReady(service)
      },
      beside,
    )
    t.diagnostic(`the ${name} was killed; ${acknowledgedCount(senders)} readings acknowledged so far`)
  }
  await ask('select citus_add_node($1, $2)', ['127.0.0.1', citus.port(NODES.third)], 'postgres')
  const before = (await cli('status')) as unknown as { moves_to_balance: number }
  assert.ok(before.moves_to_balance > 0)
  await underLoad(
    senders,
    service,
    async () => {
      await sleep(LOAD_MS)
      assert.deepEqual(await cli('rebalance'), { moved: before.moves_to_balance })
      await sleep(LOAD_MS)
    },
    beside,
  )
  const after = (await cli('status')) as unknown as { nodes: { role: string; shards: number }[]; moves_to_balance: number }
  t.diagnostic(`shards of each node: ${after.nodes.map(({ role, shards }) => `${role} ${shards}`).join(', ')}`)
  assert.equal(after.moves_to_balance, 0)
  assert.ok(after.nodes.filter(({ role }) => role === 'worker').every(({ shards }) => shards >= Math.floor(SHARDS / WORKERS)))
  await underLoad(senders, service, async () => await sleep(LOAD_MS))

  t.diagnostic(`answers to programs: ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.ok((statuses.get(200) ?? 0) > 50, 'programs called')
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500 && status !== 503),
    [],
    failuresIn(service.stdout),
  )
  await untilDrained(ask)
  await auditAlarms(t, other(), raised)
  await audit(t, senders, addressOf(service), baseMs, { leastAcknowledged: 300 })
  assert.deepEqual(await ask('select gid from pg_prepared_xacts'), [], 'no transaction of several nodes is left undecided')
  assert.equal(await service.signal('SIGTERM'), 0)
})

async function startService(folder: string, env: Record<string, string>): Promise<RunningService> {
  const service = new RunningService(folder, undefined, { env: { ...process.env, ...env } })
  await service.ready()
  return service
}

type Beside = (isOver: () => boolean) => Promise<void>[]

async function underLoad(senders: Sender[], service: RunningService, run: () => Promise<void>, beside: Beside = () => []): Promise<void> {
  let isOver = false
  const load = Promise.all([loadFor(senders, addressOf(service), () => isOver), ...beside(() => isOver)])
  try {
    await run()
  } finally {
    isOver = true
    await load
  }
}

async function untilReady(service: RunningService): Promise<void> {
  const { baseUrl } = addressOf(service)
  let last = ''
  for (let waitedMs = 0; waitedMs < SETTLED_WITHIN_MS; waitedMs += 100) {
    const response = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
    if (response?.status === 200) return
    last = `${response?.status} ${await response?.text()}`
    await sleep(100)
  }
  assert.fail(`not ready again: ${last}`)
}

/** What follows readings is taken from their nodes within moments. */
async function untilDrained(ask: (sql: string) => Promise<Row[]>): Promise<void> {
  for (let waitedMs = 0; waitedMs < SETTLED_WITHIN_MS; waitedMs += 100) {
    const [row] = await ask('select count(*)::int as n from reading_effects')
    if (row?.['n'] === 0) return
    await sleep(100)
  }
  assert.fail('what follows readings is still on their nodes')
}

/** Vehicles that call for help, each once: sent again until it is acknowledged. */
async function raiseAlarmsFor({ baseUrl, apiKey: key }: Address, raised: string[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const body = { make: 'A', model: `alarm ${raised.length}` }
    const made = await call(baseUrl, 'POST', '/api/external/vehicles', { key, body })
    if (made.status === 503) {
      await sleep(50)
      continue
    }
    const { vehicle_id: vehicleId } = ok<Row>(made)
    const reading = { vehicle_id: vehicleId, timestamp: new Date().toISOString(), event: 'sos' }
    let status = 503
    while (status === 503 && !isOver()) {
      status = (await call(baseUrl, 'POST', '/api/external/telemetry', { key, body: reading })).status
      if (status === 503) await sleep(50)
    }
    // One that was not acknowledged to the end may be raised or not.
    if (status === 503) return
    assert.equal(status, 200)
    raised.push(String(vehicleId))
    await sleep(100)
  }
}

async function auditAlarms(
  t: { diagnostic(text: string): void },
  { baseUrl, apiKey: key }: Address,
  raised: readonly string[],
): Promise<void> {
  assert.ok(raised.length > 10, `${raised.length} alarms`)
  for (const vehicleId of raised) {
    let types: unknown[] = []
    for (let waitedMs = 0; types.length === 0 && waitedMs < SETTLED_WITHIN_MS; waitedMs += 100) {
      const { alerts } = ok<{ alerts: Row[] }>(await call(baseUrl, 'GET', `/api/v1/alerts?vehicleId=${vehicleId}`, { key }))
      types = alerts.map(({ type }) => type)
      if (types.length === 0) await sleep(100)
    }
    assert.deepEqual(types, ['sos'], vehicleId)
  }
  t.diagnostic(`${raised.length} alarms, one alert of each`)
}

/** What the service logged of requests that it answered with 500. */
function failuresIn(log: string): string {
  const failures = log.split('\n').filter((line) => line.includes('"msg":"request failed"'))
  return failures.join('\n')
}
