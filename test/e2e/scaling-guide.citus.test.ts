// Goal: who follows docs/guides/scaling.md, from one process to a cluster and back, sees each step do what it describes. Method: the blocks of the page, in its order but for
// the nodes, which come first, on servers that have Citus and nothing else; machines and ports of the page are those of this one. A reading is sent wherever the service runs.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { startRealEngine } from '@roadworthy/platform/predictions/engine/test-real-engine'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation, COORDINATOR } from '../support/citus-installation.ts'
import { findProgram, startPgbouncer } from '../support/programs.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { assertShown, runIn, type Step, stepsOf } from './guide-blocks.ts'
import { FREE_PORTS, RunningService } from './running-service.ts'

const WORKERS = [1, 2]
const DEVICE = '356938035643809'

const script = findCitus(process.env['ROADWORTHY_CITUS'])
const pgbouncer = findProgram('pgbouncer')
const isMissing = script === undefined || pgbouncer === undefined || findProgram('psql') === undefined
const steps = stepsOf('scaling.md')

/** A shell of the operator: what was exported in it, and the processes of the service that were started in it. */
class Shell {
  readonly env: Record<string, string> = { HOST: '127.0.0.1' }
  readonly #folder: string
  readonly #cleanUp: CleanUp

  constructor(folder: string, cleanUp: CleanUp) {
    this.#folder = folder
    this.#cleanUp = cleanUp
  }

  /** The commands print what the page shows. Each process of the service is handed to `whileRunning` once it is ready. */
  async follow(step: Step, whileRunning: (service: RunningService) => Promise<void>): Promise<void> {
    let output = ''
    for (const line of step.lines.split('\n').filter((each) => !/^(#|$)/.test(each))) {
      if (line.startsWith('export ')) Object.assign(this.env, Object.fromEntries(new URLSearchParams(line.slice(7).replaceAll(' ', '&'))))
      else if (line.startsWith('npm start')) await whileRunning(await this.#start(line))
      else output += await runIn(this.#folder, line, this.env)
    }
    assertShown(step, output)
  }

  async #start(line: string): Promise<RunningService> {
    const [command = ''] = line.split('#')
    const given = command.split(' ').filter(Boolean).slice(3)
    const at = given.indexOf('--data-dir')
    const [, dataDir = path.join(this.#folder, '.data')] = at < 0 ? [] : given.splice(at, 2)
    const flags = given.length > 0 ? given : ['--no-demo', ...FREE_PORTS]
    const service = new RunningService(dataDir, flags, { env: { ...process.env, ...this.env } })
    this.#cleanUp.after(async () => void (await service.signal('SIGKILL')))
    await service.ready()
    return service
  }
}

test('every command of the page about several processes and nodes does what it describes', {
  skip: isMissing && 'needs Citus (ROADWORTHY_CITUS), PgBouncer and psql',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS.length)
  const engineUrl = await startRealEngine(cleanUp)
  const here = (text: string) => placeHere(text, at).replace(/--engine-url \S+/g, `--engine-url ${engineUrl}`)
  const placed = steps.map(({ lines, shown }): Step => ({ lines: here(lines), shown: shown && here(shown) }))
  assert.equal(placed.length, 6, 'each block is followed here')
  const [ofRoles, ofPgbouncer, ofNodes, ofSpreading, ofReturn, ofRemoval] = placed as [Step, Step, Step, Step, Step, Step]
  await removeWhatTheScriptMade(at)
  await prepareNodes(at, ofNodes.lines)

  const first = new Shell(at.folder, cleanUp)
  const processes: RunningService[] = []
  await first.follow(ofRoles, async (service) => void processes.push(service))
  const [api, receiver] = processes as [RunningService, RunningService, RunningService]
  const { api_key: key } = api.credentials()
  ok<Row>(await call(baseUrlOf(api), 'POST', '/api/external/devices', { key, body: { imei: DEVICE, vehicle: { license_plate: 'KA-01' } } }))
  await send(receiver, key)
  for (const service of processes) assert.equal(await service.signal('SIGTERM'), 0)

  const runAndSend = async (service: RunningService) => {
    await send(service, key)
    assert.equal(await service.signal('SIGTERM'), 0)
  }
  const [write = '', ...exports] = ofPgbouncer.lines.split('\n')
  await first.follow({ ...ofPgbouncer, lines: write }, runAndSend)
  const userlist = readFileSync(path.join(at.folder, 'userlist.txt'), 'utf8')
  const stopPooler: (() => Promise<void>)[] = []
  const pooled = await startPgbouncer({ after: (end) => void stopPooler.unshift(end) }, pgbouncer ?? '', at.url, userlist)
  cleanUp.after(async () => void (await Promise.all(stopPooler.splice(0).map((end) => end()))))
  const { port } = new URL(pooled)
  await first.follow(unshown(exports.join('\n').replace('pgbouncer.example.com:6432', `127.0.0.1:${port}`)), runAndSend)
  assert.equal(first.env['DATABASE_URL'], `postgresql://roadworthy:secret@127.0.0.1:${port}/roadworthy`)
  await first.follow(unshown('npm start'), runAndSend)
  for (const end of stopPooler.splice(0)) await end()

  const second = new Shell(at.folder, cleanUp)
  await second.follow(ofSpreading, runAndSend)
  const spread = await at.ask(
    `select count(distinct nodename || nodeport) as nodes from citus_shards where table_name = 'readings'::regclass`,
    [],
    {
      user: 'postgres',
    },
  )
  assert.equal(Number(spread[0]?.['nodes']), WORKERS.length)
  await second.follow(ofReturn, runAndSend)
  await psql(at, COORDINATOR, ofRemoval.lines)
  await second.follow(unshown('npm start'), runAndSend)
  assert.equal((await at.ask('select from readings', [], { user: 'postgres' })).length, sentCount)
})

const unshown = (lines: string): Step => ({ lines, shown: undefined })

/** What the page calls machines and ports. The service takes any port that is free. */
function placeHere(text: string, at: CitusInstallation): string {
  return text
    .replaceAll(/'db-(\d)\.example\.com', 5432/g, (_, nth: string) => `'127.0.0.1', ${at.citus.port(Number(nth))}`)
    .replaceAll(/db-(\d)\.example\.com:5432 /g, (_, nth: string) => `127.0.0.1:${at.citus.port(Number(nth))} `)
    .replaceAll(/@db(-0)?\.example\.com(:5432)?\//g, `@127.0.0.1:${at.citus.port(COORDINATOR)}/`)
    .replaceAll(/--(port|mqtt-port|metrics-port) \d+/g, '--$1 0')
    .replaceAll('/var/lib/roadworthy', path.join(at.folder, 'processes'))
}

/** What it made is what the page has its reader make. */
async function removeWhatTheScriptMade(at: CitusInstallation): Promise<void> {
  const removals = WORKERS.map((nth) => `-c "select citus_remove_node('127.0.0.1', ${at.citus.port(nth)})"`).join(' ')
  await psql(at, COORDINATOR, `psql -d roadworthy ${removals}`)
  for (const nth of [COORDINATOR, ...WORKERS])
    await psql(at, nth, `psql -c 'drop database roadworthy with (force)' -c 'drop role roadworthy'`)
}

async function prepareNodes(at: CitusInstallation, block: string): Promise<void> {
  const [onEvery = '', onCoordinator = ''] = block.split(/^# on the coordinator.*$/m)
  assert.ok(onEvery.startsWith('# on every node') && onCoordinator !== '')
  for (const nth of [COORDINATOR, ...WORKERS]) await psql(at, nth, onEvery)
  await psql(at, COORDINATOR, onCoordinator)
}

/** As a superuser of the node. */
async function psql(at: CitusInstallation, nth: number, lines: string): Promise<void> {
  const settings = { PGHOST: '127.0.0.1', PGPORT: String(at.citus.port(nth)), PGUSER: 'postgres' }
  await runIn(at.folder, lines.replaceAll(/^psql /gm, 'psql -v ON_ERROR_STOP=1 '), settings)
}

let sentCount = 0

/** A reading that none before is like. */
async function send(service: RunningService, key: string | null): Promise<void> {
  const body = { device_id: DEVICE, speed: 20 + sentCount }
  ok<Row>(await call(baseUrlOf(service), 'POST', '/api/external/telemetry', { key: key ?? '', body }))
  sentCount++
}

/** As the process prints it when it is ready. */
function baseUrlOf({ stdout }: RunningService): string {
  return /^ready.*?(http:\S+)/m.exec(stdout)?.[1] ?? assert.fail(stdout)
}
