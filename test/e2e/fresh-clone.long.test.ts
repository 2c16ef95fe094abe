// Goal: `npm start` and `npm test` work on a fresh clone, for root and for an ordinary user, in a folder closed to others too. Method: an ordinary user has a
// clone without node_modules, into which npm installs; root has copies of it. Real npm, real accounts. Needs the package registry. Who runs this as root has
// all the cases; an ordinary user is the ordinary user. (`.ci/run` installs on a clean clone as who it is, mostly root.)

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { FREE_PORTS, leftOf, ROOT } from './running-service.ts'

const READY_WAIT_MS = 900_000
const isRoot = process.getuid?.() === 0

/** An ordinary account that every Linux has. */
const NOBODY = { uid: 65_534, gid: 65_534 }

type Account = { uid?: number; gid?: number }

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-clone-'))
  chmodSync(folder, 0o755)
})

after(() => rmSync(folder, { recursive: true, force: true }))

/** What git would give a newcomer, uncommitted work included, in a folder of that mode that belongs to that account. */
function clone(name: string, mode: number, account: Account): string {
  const home = join(folder, name)
  const root = join(home, 'roadworthy')
  mkdirSync(root, { recursive: true })
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, maxBuffer: 64e6 })
  execFileSync('tar', ['-x', '-C', root], {
    input: execFileSync('tar', ['-c', '--null', '-T', '-'], { cwd: ROOT, input: files, maxBuffer: 1e9 }),
  })
  if (account.uid !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, home])
  chmodSync(home, mode)
  return root
}

/** That clone with what its first start and its tests left, but for the data, now root's: what differs is the account and the folder. */
function copyOf(source: string, name: string, mode: number): string {
  const home = join(folder, name)
  mkdirSync(home)
  execFileSync('cp', ['-a', source, home])
  execFileSync('chown', ['-R', '0:0', home])
  const root = join(home, 'roadworthy')
  rmSync(join(root, '.data'), { recursive: true })
  chmodSync(home, mode)
  return root
}

/** The environment of a person who has never run anything here: no Node 24 on the path, a home of their own. */
function newcomer(root: string): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'))
  const home = join(root, '..')
  return { PATH: path.join(delimiter), HOME: home, npm_config_cache: join(home, '.npm'), npm_config_registry: registry() }
}

/** Asked here, because the newcomer's home has no npm settings of its own. */
function registry(): string {
  return execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function npm(root: string, args: readonly string[], account: Account): { child: ChildProcess; output: () => string } {
  const child = spawn('npm', args, { cwd: root, env: newcomer(root), ...account, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  return { child, output: () => output }
}

async function readyLine(child: ChildProcess, output: () => string): Promise<string> {
  for (let waitedMs = 0; waitedMs < READY_WAIT_MS; waitedMs += 50) {
    const line = output()
      .split('\n')
      .find((each) => each.startsWith('ready'))
    if (line !== undefined) return line
    if (child.exitCode !== null) break
    await sleep(50)
  }
  return assert.fail(`not ready:\n${output()}`)
}

/** Starts with npm, asks, stops through npm, and starts again. */
async function startsStopsAndStartsAgain(root: string, account: Account): Promise<void> {
  const flags = ['start', '--', '--no-demo', ...FREE_PORTS]
  let apiKey = ''
  for (const round of ['fresh', 'warm']) {
    const began = performance.now()
    const { child, output } = npm(root, flags, account)
    const exited = once(child, 'exit')
    try {
      await readyLine(child, output)
      console.log(`${round} start after ${((performance.now() - began) / 1000).toFixed(1)} s`)
      const path = join(root, '.data', 'credentials.json')
      const credentials = JSON.parse(readFileSync(path, 'utf8')) as { base_url: string; api_key: string }
      assert.equal(statSync(path).mode & 0o777, 0o600)
      await until('it is ready', async () => (await fetch(`${credentials.base_url}/readyz`)).ok)
      assert.doesNotMatch(output(), /could not be built/)
      assert.match(await (await fetch(credentials.base_url)).text(), /<div id="root">/)
      if (round === 'warm') assert.equal(credentials.api_key, apiKey)
      apiKey = credentials.api_key
      const postmaster = postmasterOf(root)
      child.kill('SIGTERM')
      await exited
      assert.deepEqual(await leftOf([postmaster]), [], 'PostgreSQL is stopped with the rest')
    } finally {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
    }
  }
}

/** One file that needs a database stands for all: what differs between accounts and folders is the server, not the tests. */
async function testsPass(root: string, account: Account): Promise<void> {
  const { child, output } = npm(root, ['test', '--', 'packages/service-kit/src/postgres/test-database.db.test.ts'], account)
  // Not at its exit, for its last lines may be on their way then.
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output())
  assert.match(output().trim().split('\n').at(-1) ?? '', /duration_ms/, "node:test's summary is the last thing printed")
}

function homeOf(root: string): string {
  const location = join(root, '.data', 'postgres', 'location')
  return existsSync(location) ? readFileSync(location, 'utf8').trim() : join(root, '.data', 'postgres')
}

function postmasterOf(root: string): number {
  return Number(readFileSync(join(homeOf(root), 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
}

const ordinary: Account = isRoot ? NOBODY : {}
let ofOrdinaryUser: string

test('npm start and npm test on a fresh clone by an ordinary user, in a folder closed to others', async () => {
  const root = clone('closed-user', 0o700, ordinary)
  ofOrdinaryUser = root
  await startsStopsAndStartsAgain(root, ordinary)
  assert.equal(homeOf(root), join(root, '.data', 'postgres'))
  await testsPass(root, ordinary)
})

test('npm start and npm test by root', { skip: !isRoot && 'needs root' }, async () => {
  const root = copyOf(ofOrdinaryUser, 'root', 0o755)
  await startsStopsAndStartsAgain(root, {})
  await testsPass(root, {})
})

test('npm start and npm test by root, in a folder closed to others', { skip: !isRoot && 'needs root' }, async (t) => {
  const root = copyOf(ofOrdinaryUser, 'closed-root', 0o700)
  t.after(() => {
    if (!homeOf(root).startsWith(root)) rmSync(homeOf(root), { recursive: true, force: true })
  })
  await startsStopsAndStartsAgain(root, {})
  assert.ok(!homeOf(root).startsWith(root), 'the data is where the account of PostgreSQL can enter')
  await testsPass(root, {})
})
