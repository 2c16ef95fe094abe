// Goal: `citus undo` commits on several nodes in two phases, and whatever is killed between them, nothing is lost or there twice, and running it again ends well.
// Method: each worker is behind a proxy that holds the connection at PREPARE TRANSACTION and at COMMIT PREPARED, before the node has it and after it has done it.
// There the command, the coordinator or the worker is killed and started again, and the command is run until it succeeds. What it refuses meanwhile has a reason
// that its user can act on. Likewise where it does what waits in `reading_effects`, which is a transaction of several nodes too.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { distribute } from '@roadworthy/platform/cluster/distribute.sql'
import { withOwnerSession } from '@roadworthy/platform/cluster/owner-session'
import { firstDifference, readCatalogue } from '@roadworthy/platform/cluster/test-catalogue'
import { FREE_PORTS } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation, COORDINATOR } from '../support/citus-installation.ts'
import { BIN } from '../support/command-line.ts'
import { NodeProxy } from '../support/node-proxy.ts'
import type { Row } from '../support/service.ts'
import { addressOf, audit, loadUntilLoad, register, type Sender } from './fleet-under-load.ts'

const WORKERS = 2
/** The proxy of the first holds; both take part. */
const FIRST_WORKER = 1
const PAUSE_MS = 100
const DEVICES = { rest: 4, mqtt: 2 }
const LOAD_MS = 1_000
/** Readings of each receiver. */
const LEAST_ACKNOWLEDGED = 50
const SHARDS = 4
/** Neither scores nor takes what follows readings. */
const WITHOUT_WORKER = ['--no-demo', '--roles', 'api,receivers', '--engine-url', 'http://127.0.0.1:9', ...FREE_PORTS]
/** Times that the command is run until it succeeds. Assumption: Citus decides within a few seconds here, where it looks each second. */
const RUNS = 20

type Victim = 'the command' | 'the coordinator' | 'the worker'
type Case = { readonly victim: Victim; readonly when: 'before' | 'after'; readonly statement: 'PREPARE TRANSACTION' | 'COMMIT PREPARED' }

const OF_RETURN: readonly Case[] = [
  { victim: 'the worker', when: 'before', statement: 'PREPARE TRANSACTION' },
  { victim: 'the worker', when: 'after', statement: 'PREPARE TRANSACTION' },
  { victim: 'the coordinator', when: 'after', statement: 'PREPARE TRANSACTION' },
  { victim: 'the command', when: 'before', statement: 'COMMIT PREPARED' },
  { victim: 'the worker', when: 'before', statement: 'COMMIT PREPARED' },
  { victim: 'the coordinator', when: 'before', statement: 'COMMIT PREPARED' },
  { victim: 'the coordinator', when: 'after', statement: 'COMMIT PREPARED' },
]
/** Of what waits, which is done before the tables come back. */
const OF_EFFECTS: readonly Case[] = [
  { victim: 'the coordinator', when: 'after', statement: 'PREPARE TRANSACTION' },
  { victim: 'the command', when: 'before', statement: 'COMMIT PREPARED' },
  { victim: 'the worker', when: 'before', statement: 'COMMIT PREPARED' },
  { victim: 'the coordinator', when: 'before', statement: 'COMMIT PREPARED' },
]
/** Rows of what follows readings, of as many sources: some on each node. */
const WAITING = 40

/** What the command may refuse after a kill: each names what to do, or what passes. */
const REASONS = [/sessions of the service are open/, /Every node has to be up/, /wait on \S+ to be decided/]

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('citus undo that is killed within its two phases ends well when it is run again', {
  skip: script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS)
  let service = await at.startService()
  cleanUp.after(async () => void (await service.signal('SIGKILL')))
  const baseMs = Date.now() - 3_600_000
  const senders = await register(addressOf(service), baseMs, DEVICES)
  await underLoad(senders, service)
  assert.equal(await service.signal('SIGTERM'), 0)
  const neverSpread = await withOwnerSession(at.url, readCatalogue)
  const proxy = await putProxiesBetween(at, cleanUp)

  await distribute(at.url, { shardCount: SHARDS })
  service = await at.startService(WITHOUT_WORKER)
  await underLoad(senders, service)
  await at.insertOtherReseller()
  assert.equal(await service.signal('SIGTERM'), 0)
  const readings = await readingsOf(at)
  for (const each of OF_EFFECTS) {
    const before = await usedOf(at)
    await insertEffects(at)
    await killAndRunAgain(t, at, proxy, each)
    assert.equal((await usedOf(at)) - before, WAITING, 'what waited is counted once')
    assert.deepEqual(await readingsOf(at), readings)
    await distribute(at.url, { shardCount: SHARDS })
  }
  for (const each of OF_RETURN) {
    await killAndRunAgain(t, at, proxy, each)
    assert.deepEqual(await readingsOf(at), readings)
    await distribute(at.url, { shardCount: SHARDS })
  }
  await at.answerOf('citus', 'undo')
  assert.deepEqual(await readingsOf(at), readings)
  assert.equal(firstDifference(await withOwnerSession(at.url, readCatalogue), neverSpread), undefined)

  service = await at.startService()
  await underLoad(senders, service)
  await audit(t, senders, addressOf(service), baseMs, { leastAcknowledged: LEAST_ACKNOWLEDGED })
  assert.equal(await service.signal('SIGTERM'), 0)
})

async function insertEffects(at: CitusInstallation): Promise<void> {
  await asSuperuser(
    at,
    `insert into reading_effects (source_id, reseller_id, kind, body)
     select 'source ' || nth, 'alarms', 'usage', jsonb_build_object('subClientId', '', 'bucket', date_trunc('hour', now()), 'count', 1)
       from generate_series(1, $1::int) nth`,
    [WAITING],
  )
}

async function usedOf(at: CitusInstallation): Promise<number> {
  const [row] = await asSuperuser(
    at,
    `select sum(count)::int as used from usage_entries where reseller_id = 'alarms' and meter = 'points_ingested'`,
  )
  return Number(row?.['used'])
}

async function putProxiesBetween(at: CitusInstallation, cleanUp: Parameters<typeof NodeProxy.start>[0]): Promise<NodeProxy> {
  const proxies: NodeProxy[] = []
  for (let nth = 1; nth <= WORKERS; nth++) proxies.push(await NodeProxy.putBefore(cleanUp, at, nth))
  // Of one minute otherwise.
  await recoverEvery(at, '1s')
  return proxies[0] ?? assert.fail('there is a worker')
}

async function killAndRunAgain(t: TestContext, at: CitusInstallation, proxy: NodeProxy, { victim, when, statement }: Case): Promise<void> {
  const name = `${victim} is killed ${when} ${statement}`
  const isReached = proxy.holdAt({ statement, when })
  const command = spawn(process.execPath, [BIN, ...at.argsOf('citus', 'undo')], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...at.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([once(command, 'exit'), text(command.stdout), text(command.stderr)])
  const early = ended.then(([, , stderr]) => assert.fail(`${name}: it ended before: ${stderr}`))
  await Promise.race([isReached, early])
  early.catch(() => undefined)
  await kill(at, command, proxy, victim)
  const [[code], stdout, stderr] = await ended
  t.diagnostic(`${name}: ${code} ${(stdout + stderr).trim()}`)
  if (victim === 'the coordinator') assert.match(stderr, /^error: The coordinator went away: .* run this again when it is up\.$/ms)
  await runUntilDone(at, name)
  await at.until(`${name}: nothing is left of it on any node`, async () => (await leftovers(at)).length === 0)
}

async function kill(at: CitusInstallation, command: ReturnType<typeof spawn>, proxy: NodeProxy, victim: Victim): Promise<void> {
  if (victim === 'the command') {
    command.kill('SIGKILL')
    proxy.letThrough()
    return
  }
  const node = victim === 'the coordinator' ? COORDINATOR : FIRST_WORKER
  await at.citus.kill(node)
  // What was held is lost with the node.
  proxy.cut()
  at.citus.startAgain(node)
}

async function runUntilDone(at: CitusInstallation, name: string): Promise<void> {
  for (let run = 1; run <= RUNS; run++) {
    const { code, stderr } = await at.run('citus', 'undo')
    if (code === 0) return
    assert.equal(code, 1, `${name}: ${stderr}`)
    assert.ok(
      REASONS.some((reason) => reason.test(stderr)),
      `${name}: ${stderr}`,
    )
    await sleep(500)
  }
  assert.fail(`${name}: not within ${RUNS} runs`)
}

async function recoverEvery(at: CitusInstallation, interval: string): Promise<void> {
  await asSuperuser(at, `alter system set citus.recover_2pc_interval = '${interval}'`)
  await asSuperuser(at, 'select pg_reload_conf()')
}

/** Prepared transactions, and tables of shards on the workers. */
async function leftovers(at: CitusInstallation): Promise<string[]> {
  const found: string[] = []
  for (let nth = COORDINATOR; nth <= WORKERS; nth++) {
    const url = at.citus.url(nth, { user: 'postgres', database: 'roadworthy' })
    const rows = await withOwnerSession(url, async (db) => {
      const prepared = await db.query<{ name: string }>('select gid as name from pg_prepared_xacts')
      const shards = await db.query<{ name: string }>(
        `select relname as name from pg_class where relkind in ('r', 'p') and relname ~ '^(readings|latest_states|reading_effects).*_1[0-9]{5}$'`,
      )
      return [...prepared.rows, ...shards.rows]
    })
    found.push(...rows.map((row) => `${nth}: ${row.name}`))
  }
  return found
}

async function underLoad(senders: readonly Sender[], service: Parameters<typeof addressOf>[0]): Promise<void> {
  await loadUntilLoad(senders, addressOf(service), LOAD_MS, LEAST_ACKNOWLEDGED, PAUSE_MS)
}

/** Row-level security hides nothing from it. */
async function asSuperuser(at: CitusInstallation, sql: string, values: unknown[] = []): Promise<Row[]> {
  return await at.ask(sql, values, { user: 'postgres' })
}

async function readingsOf(at: CitusInstallation): Promise<string[]> {
  const rows = await asSuperuser(at, `select t::text as line from readings t union all select t::text from latest_states t`)
  return rows.map(({ line }) => String(line)).sort()
}
