// Goal: a cluster comes back to one PostgreSQL whole: the schema is that of a database that was never spread, no row is missing or there twice, and the service goes
// on with it, whatever is killed on the way. Method: the real service and command line on a cluster of two workers. Devices send before and after `citus init`, the
// last of it to processes without a worker, so that its use and its alarms wait. `citus undo` is held by a lock when every row is copied and nothing is
// committed, and killed there: itself, its session of PostgreSQL, a worker. Everything is compared after each, and once more after the extension is dropped.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { withOwnerSession } from '@roadworthy/platform/cluster/owner-session'
import { firstDifference, readCatalogue } from '@roadworthy/platform/cluster/test-catalogue'
import { undistribute } from '@roadworthy/platform/cluster/undistribute.sql'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import { FREE_PORTS, type RunningService } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation, COORDINATOR } from '../support/citus-installation.ts'
import { BIN } from '../support/command-line.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { acknowledgedCount, addressOf, audit, loadUntilLoad, register, type Sender } from './fleet-under-load.ts'

const WORKERS = 2
const FIRST_WORKER = 1
/** Of each device between two messages: the nodes share the machine with them. */
const PAUSE_MS = 100
const DEVICES = { rest: 4, mqtt: 2 }
const LOAD_MS = 1_000
/** Readings of each receiver. */
const LEAST_ACKNOWLEDGED = 50
const ALARMS = 3
/** Past the partition of the others, and taken by receivers. */
const CLOSED_AGE_MS = 8 * 86_400_000
const SPREAD = ['readings', 'latest_states', 'reading_effects']
/** Neither scores nor takes what follows readings. */
const WITHOUT_WORKER = ['--no-demo', '--roles', 'api,receivers', '--engine-url', 'http://127.0.0.1:9', ...FREE_PORTS]

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('a cluster comes back to one PostgreSQL whole, whatever is killed on the way', {
  skip: script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS)
  let service = await at.startService()
  cleanUp.after(async () => void (await service.signal('SIGKILL')))
  const rolesBefore = (await catalogueOf(at.url)).filter(isOfRole)
  const baseMs = Date.now() - 3_600_000
  const senders = await register(addressOf(service), baseMs, DEVICES)
  await underLoad(senders, service)
  assert.equal(await service.signal('SIGTERM'), 0)
  await at.answerOf('citus', 'init', '--shards', '8')

  service = await at.startService(WITHOUT_WORKER)
  const apiKey = await at.insertOtherReseller()
  await underLoad(senders, service)
  const raised = await raiseAlarms({ ...addressOf(service), apiKey })
  const refused = await at.run('citus', 'undo')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /sessions of the service are open on 127\.0\.0\.1:\d+\. Stop every process/)
  assert.equal(await service.signal('SIGTERM'), 0)
  await at.ask(`select close_readings_partition($1)`, [await closedPartition(at)])
  assert.ok((await countOf(at, 'reading_effects')) > 0, 'something waits')
  const rows = await rowsOf(at)

  await refuseWhatCannotBe(at)
  await killOnTheWay(at, 'the command', async (command) => void command.kill('SIGKILL'))
  assert.equal(await countOf(at, 'reading_effects'), 0, 'what waited was done before anything was changed')
  assert.deepEqual(await rowsOf(at), rows)
  await killOnTheWay(at, 'its session', async (_, backend) => void process.kill(backend, 'SIGKILL'))
  assert.deepEqual(await rowsOf(at), rows)
  await killOnTheWay(at, 'a worker', async () => {
    await at.citus.kill(FIRST_WORKER)
    at.citus.startAgain(FIRST_WORKER)
  })
  assert.deepEqual(await rowsOf(at), rows)

  const { returned } = await at.answerOf('citus', 'undo')
  assert.deepEqual(returned, [
    { name: 'readings', rows: rows['readings']?.length },
    { name: 'latest_states', rows: rows['latest_states']?.length },
    { name: 'reading_effects', rows: 0 },
  ])
  assert.deepEqual(await at.answerOf('citus', 'undo'), { returned: [], unfinished_nodes: [] })
  assert.deepEqual(await rowsOf(at), rows)
  await compareWithNeverSpread(at, rolesBefore)

  // There and back once more, then for good.
  await at.answerOf('citus', 'init', '--shards', '4')
  await at.answerOf('citus', 'undo')
  assert.deepEqual(await rowsOf(at), rows)
  await dropCluster(at)
  await compareWithNeverSpread(at, rolesBefore)
  assert.deepEqual(await rowsOf(at), rows)

  await at.migrateFurther()
  service = await at.startService()
  await underLoad(senders, service)
  await at.untilScored(senders.map(({ vehicleId }) => vehicleId))
  await untilAlerted(at, { ...addressOf(service), apiKey }, raised)
  for (const path of ['/api/v1/vehicles', '/api/v1/overview', '/api/external/devices/locations', '/api/v1/fleet/positions']) {
    ok<Row>(await call(addressOf(service).baseUrl, 'GET', path, { key: apiKey }))
  }
  t.diagnostic(`${acknowledgedCount(senders)} readings acknowledged`)
  await audit(t, senders, addressOf(service), baseMs, { leastAcknowledged: LEAST_ACKNOWLEDGED })
  assert.equal(await service.signal('SIGTERM'), 0)
})

async function underLoad(senders: readonly Sender[], service: RunningService): Promise<void> {
  await loadUntilLoad(senders, addressOf(service), LOAD_MS, LEAST_ACKNOWLEDGED, PAUSE_MS)
}

type Caller = { readonly baseUrl: string; readonly apiKey: string }

/** And a reading of a week that is closed afterwards. */
async function raiseAlarms({ baseUrl, apiKey: key }: Caller): Promise<string[]> {
  const post = async (path: string, body: Row) => ok<Row>(await call(baseUrl, 'POST', `/api/external/${path}`, { key, body }))
  const vehicleOf = async (model: string) => String((await post('vehicles', { make: 'A', model }))['vehicle_id'])
  const old = new Date(Date.now() - CLOSED_AGE_MS).toISOString()
  await post('telemetry', { vehicle_id: await vehicleOf('old'), timestamp: old, sensor_data: { rpm: 900 } })
  const raised: string[] = []
  for (let nth = 0; nth < ALARMS; nth++) {
    const vehicleId = await vehicleOf(`alarm ${nth}`)
    await post('telemetry', { vehicle_id: vehicleId, timestamp: new Date().toISOString(), event: 'sos' })
    raised.push(vehicleId)
  }
  return raised
}

async function untilAlerted(at: CitusInstallation, { baseUrl, apiKey: key }: Caller, raised: readonly string[]): Promise<void> {
  for (const vehicleId of raised) {
    await at.until(`one alert of ${vehicleId}`, async () => {
      const { alerts } = ok<{ alerts: Row[] }>(await call(baseUrl, 'GET', `/api/v1/alerts?vehicleId=${vehicleId}`, { key }))
      assert.ok(alerts.length <= 1)
      return alerts[0]?.['type'] === 'sos'
    })
  }
}

/** Row-level security hides nothing from it. */
async function asSuperuser(at: CitusInstallation, sql: string, values: unknown[] = []): Promise<Row[]> {
  return await at.ask(sql, values, { user: 'postgres' })
}

async function countOf(at: CitusInstallation, table: string): Promise<number> {
  const [row] = await asSuperuser(at, `select count(*)::int as count from ${table}`)
  return Number(row?.['count'])
}

/** Everything that is spread but what waits to be done, and whether it is. */
async function rowsOf(at: CitusInstallation): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of ['readings', 'latest_states', 'vehicle_sources']) {
    rows[table] = (await asSuperuser(at, `select t::text as line from ${table} t`)).map(({ line }) => String(line)).sort()
  }
  return rows
}

async function closedPartition(at: CitusInstallation): Promise<string> {
  const [row] = await asSuperuser(
    at,
    `select left(tableoid::regclass::text, length('readings_yyyymmdd')) as name from readings order by recorded_at limit 1`,
  )
  return String(row?.['name'])
}

async function refuseWhatCannotBe(at: CitusInstallation): Promise<void> {
  const asAnother = at.citus.url(COORDINATOR, { user: 'postgres', database: 'roadworthy' })
  await assert.rejects(
    undistribute(asAnother, { drain: () => assert.fail('nothing is done') }),
    /readings belongs to roadworthy\. Connect as roadworthy/,
  )
  await at.citus.kill(FIRST_WORKER)
  const { code, stderr } = await at.run('citus', 'undo')
  at.citus.startAgain(FIRST_WORKER)
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`127\\.0\\.0\\.1:${at.citus.port(FIRST_WORKER)} does not answer: .*Every node has to be up`, 's'))
}

/** Holds `citus undo` by a lock where it puts back policies, after the rows, kills, and waits until the cluster is as it was. */
async function killOnTheWay(
  at: CitusInstallation,
  what: string,
  kill: (command: ReturnType<typeof spawn>, backend: number) => Promise<void>,
): Promise<void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  // It goes down with the others when one session of PostgreSQL is killed.
  const pools = { appConnections: 1, systemConnections: 1, onError: () => undefined }
  const holder = openDatabasePatiently({ app: at.url, system: at.url }, pools)
  const held = holder
    .system(async (db) => {
      await db.query('lock table alerts in access share mode')
      locked()
      await released
    })
    .catch(() => undefined)
  await isLocked
  const command = spawn(process.execPath, [BIN, ...at.argsOf('citus', 'undo')], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...at.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = Promise.all([once(command, 'exit'), text(command.stderr)])
  let backend = 0
  await at.until('it waits for the lock', async () => {
    if (command.exitCode !== null) assert.fail((await ended)[1])
    const [row] = await asSuperuser(
      at,
      `select pid from pg_stat_activity where application_name = 'roadworthy-citus' and wait_event_type = 'Lock' and query like 'drop policy%'`,
    )
    backend = Number(row?.['pid'] ?? 0)
    return backend > 0
  })
  await kill(command, backend)
  release()
  await held
  await holder.close()
  const [[code, signal], stderr] = await ended
  assert.ok(signal === 'SIGKILL' || code === 1, `${what}: ${code} ${stderr}`)
  await at.until(`everything is spread as before, after ${what} was killed`, async () => {
    try {
      const spread = await asSuperuser(
        at,
        `select relname from pg_dist_partition join pg_class c on c.oid = logicalrelid where relname = any ($1)
            and not exists (select from pg_stat_activity where application_name = 'roadworthy-citus')`,
        [SPREAD],
      )
      return spread.length === SPREAD.length && (await asSuperuser(at, 'select count(*) from readings')).length === 1
    } catch {
      // The coordinator recovers, or a worker does.
      return false
    }
  })
}

/** docs/guides/scaling.md, "Back to one PostgreSQL". */
async function dropCluster(at: CitusInstallation): Promise<void> {
  for (let nth = 1; nth <= WORKERS; nth++) await asSuperuser(at, 'select citus_remove_node($1, $2)', ['127.0.0.1', at.citus.port(nth)])
  await asSuperuser(at, 'drop extension citus')
  for (let nth = 1; nth <= WORKERS; nth++) await at.citus.kill(nth)
}

const isOfRole = (line: string) => line.startsWith('role ')

async function catalogueOf(url: string): Promise<string[]> {
  return await withOwnerSession(url, readCatalogue)
}

/** Beside it on the same server, where roles are shared: these are held against what they were before it was spread. */
async function compareWithNeverSpread(at: CitusInstallation, rolesBefore: readonly string[]): Promise<void> {
  await asSuperuser(at, 'create database never_spread owner roadworthy')
  const url = at.citus.url(COORDINATOR, { user: 'roadworthy', database: 'never_spread' })
  await migrate(url, { directory: MIGRATIONS, secretKey: at.env['SECRET_KEY'] ?? '' })
  const partitions = await at.ask(
    `select parent.relname as parent, c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''\\)') as from_at,
            substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)') as to_at
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
      where parent.relkind = 'p' order by 2`,
  )
  for (const { parent, from_at: from, to_at: to } of partitions) {
    if (from !== null) await at.ask('select create_partition($1, $2, $3)', [parent, from, to], { database: 'never_spread' })
  }
  await at.ask('select close_readings_partition($1)', [await closedPartition(at)], { database: 'never_spread' })
  const expected = [...(await catalogueOf(url)).filter((line) => !isOfRole(line)), ...rolesBefore]
  assert.equal(firstDifference(await catalogueOf(at.url), expected), undefined)
  await asSuperuser(at, 'drop database never_spread with (force)')
}
