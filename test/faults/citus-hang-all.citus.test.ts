// Goal: while the coordinator of a cluster hangs, and while all of its nodes do, everything that needs them is refused with 503 within seconds, in every
// process of an installation of several; and when they go on, all of these do, and nothing acknowledged is missing or there twice. Method: a real process of each
// role and a real engine, the worker through the real PgBouncer, on two nodes that are frozen under load.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { FREE_PORTS } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation, COORDINATOR, SECRET_KEY } from '../support/citus-installation.ts'
import { FleetProcess, type ProcessKind } from '../support/fleet-process.ts'
import { findProgram, pgbouncerUsers, startPgbouncer } from '../support/programs.ts'
import { acknowledgedCount, addressOf, audit, callFor, loadFor, register, type Sender } from './fleet-under-load.ts'

const NODES = [1, 2]
const PATHS = ['/api/v1/vehicles', '/api/external/devices/locations', '/api/v1/overview', '/api/v1/fleet/positions']
const PROGRAMS = 12
const PROGRAM_PAUSE_MS = 500
const PAUSE_MS = 200
const DEVICES = { rest: 4, mqtt: 4 }
const LEAST_BEFORE = 100
/** Longer than a statement may take (5 s) and its answer may be waited for, so that all that began before has failed. */
const HANGS_MS = 20_000

const script = findCitus(process.env['ROADWORTHY_CITUS'])
const pgbouncer = findProgram('pgbouncer')
const isMissing = script === undefined || pgbouncer === undefined

test('while the coordinator hangs, and while all nodes do, what needs them is refused; when they go on nothing is missing', {
  skip: isMissing && 'needs Citus (ROADWORTHY_CITUS) and PgBouncer',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', NODES.length)
  const alone = await at.startService(['--no-demo', ...FREE_PORTS])
  cleanUp.after(async () => void (await alone.signal('SIGKILL')))
  const { apiKey } = addressOf(alone)
  assert.equal(await alone.signal('SIGTERM'), 0)
  await at.answerOf('citus', 'init', '--shards', '8')
  const processes = await startProcesses(at, cleanUp, await startPgbouncer(cleanUp, pgbouncer ?? '', at.url, pgbouncerUsers(SECRET_KEY)))
  const [, api, receivers] = processes as [FleetProcess, FleetProcess, FleetProcess, FleetProcess]
  const address = { baseUrl: urlOf(api), apiKey, mqttUrl: `mqtt://127.0.0.1:${receivers.mqttPort}` }
  const baseMs = Date.now() - 3_600_000
  const senders = await register(address, baseMs, DEVICES)
  const other = { ...address, apiKey: await at.insertOtherReseller() }
  const statuses = new Map<number, number>()
  let isOver = false
  const load = Promise.all([
    loadFor(senders, { ...address, baseUrl: urlOf(receivers) }, () => isOver, PAUSE_MS),
    ...Array.from({ length: PROGRAMS }, () => callFor(other, PATHS, statuses, () => isOver, PROGRAM_PAUSE_MS)),
  ])
  cleanUp.after(async () => {
    isOver = true
    await load
  })
  await at.until('readings are acknowledged', async () => acknowledgedCount(senders) >= LEAST_BEFORE)

  for (const [name, nodes] of Object.entries({ 'the coordinator': [COORDINATOR], 'all nodes': NODES })) {
    const refusedBefore = statuses.get(503) ?? 0
    const frozenAtMs = performance.now()
    for (const node of nodes) at.citus.freeze(node)
    cleanUp.after(async () => {
      for (const node of nodes) at.citus.thaw(node)
    })
    await at.until(`programs are refused while ${name} hang`, async () => (statuses.get(503) ?? 0) > refusedBefore)
    await at.until(`readings are refused while ${name} hang`, async () => senders.every((sender) => isRefused(sender, frozenAtMs)))
    await sleep(Math.max(0, frozenAtMs + HANGS_MS - performance.now()))
    for (const each of processes)
      assert.equal((await fetch(`${urlOf(each)}/livez`)).status, 200, `the ${each.kind} lives while ${name} hang`)

    for (const node of nodes) at.citus.thaw(node)
    const thawedAtMs = performance.now()
    for (const each of processes) {
      await at.until(`the ${each.kind} is ready after ${name} hung`, async () => (await fetch(`${urlOf(each)}/readyz`)).status === 200)
    }
    await at.until(`readings of all are stored after ${name} hung`, async () =>
      senders.every(({ attempts }) => attempts.some(({ outcome, sentMs }) => outcome === 'acknowledged' && sentMs >= thawedAtMs)),
    )
    t.diagnostic(`${name}: stored again ${Math.round(performance.now() - thawedAtMs)} ms after it went on`)
  }
  isOver = true
  await load
  t.diagnostic(`answers to programs: ${JSON.stringify(Object.fromEntries(statuses))}`)
  assert.deepEqual([...statuses.keys()].sort(), [200, 503])
  const ask = (sql: string) => at.ask(sql, [], { user: 'postgres' })
  await at.until('what follows readings is done', async () => (await ask('select from reading_effects limit 1')).length === 0)
  await audit(t, senders, address, baseMs, { leastAcknowledged: LEAST_BEFORE / 4 })
  await at.until('no transaction is left undecided', async () => (await ask('select gid from pg_prepared_xacts')).length === 0)
  for (const each of processes) assert.equal(await each.stop('SIGTERM'), 0, `the ${each.kind} stops`)
})

/** Over MQTT its connection was closed unacknowledged, or nothing came back. */
function isRefused({ attempts, receiver }: Sender, sinceMs: number): boolean {
  const refusals = receiver === 'rest' ? ['later'] : ['later', 'closed']
  return attempts.some(({ outcome, answeredMs }) => refusals.includes(outcome) && answeredMs >= sinceMs)
}

/** An engine, one that answers programs, one that takes readings, and one that works behind PgBouncer. */
async function startProcesses({ url, env, folder }: CitusInstallation, t: CleanUp, pooledUrl: string): Promise<FleetProcess[]> {
  const kinds: readonly ProcessKind[] = ['engine', 'api', 'receivers', 'worker']
  const ports = await findFreePorts(2 * kinds.length)
  const engineUrl = `http://127.0.0.1:${ports[0]}`
  const direct = { ...env, ENGINE_URL: engineUrl, SCORING_INTERVAL_S: '1' }
  const behindPooler = { ...direct, DATABASE_URL: pooledUrl, DATABASE_SESSION_URL: url }
  const processes = kinds.map((kind, nth) => {
    const [port = 0, mqttPort = 0] = ports.slice(2 * nth)
    return new FleetProcess({ kind, port, mqttPort, dataDir: join(folder, kind), env: kind === 'worker' ? behindPooler : direct })
  })
  t.after(async () => void (await Promise.all(processes.map((each) => each.stop('SIGKILL')))))
  for (const each of processes) await each.start()
  return processes
}

const urlOf = ({ port }: FleetProcess) => `http://127.0.0.1:${port}`
