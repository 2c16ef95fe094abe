// Goal: on a cluster nothing acknowledged is lost or doubled, whichever node dies and while shards are moved, and callers see 503 at most. Method: a coordinator
// and three workers of Citus, the third of which joins later; one process of the service, which the command line makes a cluster of. Devices send over REST and
// MQTT QoS 1 and raise alarms, and programs call, while each worker and the coordinator are killed and started again, and while shards move to the third. At the
// end everything is read and held against what was sent and answered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningService } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation } from '../support/citus-installation.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import {
  type Address,
  acknowledgedCount,
  addressOf,
  audit,
  callFor,
  loadFor,
  type Receiver,
  register,
  type Sender,
} from './fleet-under-load.ts'

const PATHS = ['/api/v1/vehicles', '/api/v1/alerts', '/api/external/devices/locations', '/api/v1/overview', '/api/v1/fleet/positions']
const SHARDS = 8
const WORKERS = 3
const NODES = { coordinator: 0, first: 1, second: 2, third: 3 }
/** Of each device between two messages: the nodes share the machine with them. */
const PAUSE_MS = 100
const DEVICES = { rest: 8, mqtt: 8 }
const LOAD_MS = 1_500
const DOWN_MS = 1_500
const SETTLED_WITHIN_MS = 180_000
const LEAST = { acknowledged: 300, calls: 50, alarms: 10 }

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('nothing acknowledged is lost or doubled when nodes of a cluster die and shards move', {
  skip: script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS)
  const { citus } = at
  const cli = async (...args: string[]) => await at.answerOf('citus', ...args)
  const ask = async (sql: string, values: unknown[] = [], user = 'roadworthy') => await at.ask(sql, values, { user })
  await ask('select citus_remove_node($1, $2)', ['127.0.0.1', citus.port(NODES.third)], 'postgres')

  // On one PostgreSQL first, with readings: they are spread with the tables.
  let service = await at.startService()
  cleanUp.after(async () => void (await service.signal('SIGTERM')))
  const baseMs = Date.now() - 3_600_000
  const senders = await register(addressOf(service), baseMs, DEVICES)
  await underLoad(senders, service, async () => await sleep(LOAD_MS))
  const refused = await at.run('citus', 'init')
  assert.match(refused.stderr, /sessions of the service are open/, 'while a process runs')
  assert.equal(await service.signal('SIGTERM'), 0)
  const made = await cli('init', '--shards', String(SHARDS))
  assert.deepEqual(made, { distributed: ['readings', 'latest_states', 'reading_effects'], shards: SHARDS })
  assert.deepEqual(await cli('init'), { distributed: [], shards: SHARDS })
  service = await at.startService()

  const apiKey = await at.insertOtherReseller()
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
        if (node !== NODES.coordinator) assert.equal(await (await at.startBeside(cleanUp)).signal('SIGTERM'), 0)
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
  await underLoad(
    senders,
    service,
    async () => {
      await sleep(LOAD_MS)
      await at.until('the load was one', async () => {
        const ofReceivers = [senders.filter(by('rest')), senders.filter(by('mqtt'))].map(acknowledgedCount)
        const areCalls = (statuses.get(200) ?? 0) > LEAST.calls && raised.length > LEAST.alarms
        return areCalls && ofReceivers.every((count) => count >= LEAST.acknowledged)
      })
    },
    beside,
  )

  t.diagnostic(`answers to programs: ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500 && status !== 503),
    [],
    failuresIn(service.stdout),
  )
  await at.until(
    'what follows readings is taken from their nodes',
    async () => (await ask('select from reading_effects limit 1')).length === 0,
  )
  await auditAlarms(t, other(), raised)
  await audit(t, senders, addressOf(service), baseMs, { leastAcknowledged: LEAST.acknowledged })
  // One of the service's own work may be between its two phases.
  await at.until(
    'no transaction of several nodes is left undecided',
    async () => (await ask('select gid from pg_prepared_xacts')).length === 0,
  )
  assert.equal(await service.signal('SIGTERM'), 0)
})

/** Senders over one of the two. */
const by =
  (wanted: Receiver) =>
  ({ receiver }: Sender) =>
    receiver === wanted

type Beside = (isOver: () => boolean) => Promise<void>[]

async function underLoad(senders: Sender[], service: RunningService, run: () => Promise<void>, beside: Beside = () => []): Promise<void> {
  let isOver = false
  const load = Promise.all([loadFor(senders, addressOf(service), () => isOver, PAUSE_MS), ...beside(() => isOver)])
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
