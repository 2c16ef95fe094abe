// Goal: whatever was left behind, the next start comes up with the data, and a stop leaves nothing. Method: real servers in temporary
// folders, real signals, and a second Node process where a service must be killed.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { isAlive } from '../process/process-identity.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { findNativePackage, tryRelinkLibraries } from './postgres-binaries.ts'
import { readPostmaster, stopPostmaster, waitUntil } from './postgres-postmaster.ts'

const isRoot = process.getuid?.() === 0

const running: EmbeddedPostgres[] = []
const folders: string[] = []

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-pg-'))
  chmodSync(folder, mode)
  folders.push(folder)
  return folder
}

async function start(dataDir: string, messages: string[] = []): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: (message) => messages.push(message) })
  running.push(server)
  return server
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A service in a process of its own, which prints its server's URL. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const module = JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))
  const code = `import { startEmbeddedPostgres } from ${module}
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
    console.log(server.url)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(child.stdout, 'data')
  return { child, url: String(url).trim() }
}

/** Never 0, which is every process of the test's own group. */
function postmasterPid(clusterPath: string): number {
  return readPostmaster(clusterPath)?.pid ?? assert.fail('the server runs')
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

test('the server starts on a free port, keeps its secret closed and its promises durable, and a stop leaves no process', async () => {
  const folder = temporaryFolder()
  const server = await start(folder)
  const [row] = await query(
    server.url,
    `select current_setting('fsync') || current_setting('synchronous_commit') || current_setting('full_page_writes') as durable,
            current_setting('listen_addresses') as address, current_setting('max_connections')::int as connections,
            (select rolpassword like 'SCRAM-SHA-256$%' from pg_authid where rolname = current_user) as is_scram`,
  )
  assert.deepEqual(row, { durable: 'ononon', address: '127.0.0.1', connections: 60, is_scram: true })
  assert.equal(statSync(join(server.dataPath, 'password')).mode & 0o777, 0o600)
  await assert.rejects(query(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1'), /password authentication failed/)

  const pid = postmasterPid(join(server.dataPath, 'cluster'))
  assert.ok(isAlive(pid))
  await server.stop()
  await server.stop()
  assert.ok(!isAlive(pid))
})

test('a killed service leaves its server running, and the next start stops that one and has the data', async () => {
  const folder = temporaryFolder()
  const { child, url } = await startElsewhere(folder)
  await query(url, 'create table trucks (name text)')
  await query(url, "insert into trucks values ('red')")
  await kill(child, 'SIGKILL')
  const left = postmasterPid(join(folder, 'postgres', 'cluster'))
  assert.ok(isAlive(left), 'the server is left running')

  const server = await start(folder)
  assert.match(server.notes.join(), new RegExp(`left running by an earlier service \\(process ${left}\\) was stopped`))
  assert.ok(!isAlive(left))
  assert.deepEqual(await query(server.url, 'select name from trucks'), [{ name: 'red' }])
})

test('service and server killed at once: the next start recovers what was committed', async () => {
  const folder = temporaryFolder()
  const { child, url } = await startElsewhere(folder)
  await query(url, 'create table trucks (name text)')
  await query(url, "insert into trucks values ('red')")
  await kill(child, 'SIGKILL')
  process.kill(postmasterPid(join(folder, 'postgres', 'cluster')), 'SIGKILL')
  const server = await start(folder)
  assert.deepEqual(await query(server.url, 'select name from trucks'), [{ name: 'red' }])
})

test('a second service on the same folder reports who holds it, and the first goes on', async () => {
  const folder = temporaryFolder()
  const { child, url } = await startElsewhere(folder)
  try {
    await assert.rejects(
      startEmbeddedPostgres({ dataDir: folder, log: () => {} }),
      new RegExp(`in use by another Roadworthy, process ${child.pid}`),
    )
    assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
  } finally {
    // Before its server, which it would bring back in a folder that is being removed.
    await kill(child, 'SIGKILL')
    await stopPostmaster(postmasterPid(join(folder, 'postgres', 'cluster')))
  }
})

test('locks that name processes of another kind are taken over', async (t) => {
  const folder = temporaryFolder()
  const first = await start(folder)
  const clusterPath = join(first.dataPath, 'cluster')
  const { uid, gid } = statSync(clusterPath)
  process.kill(postmasterPid(clusterPath), 'SIGSTOP')
  const lockFile = readFileSync(join(clusterPath, 'postmaster.pid'), 'utf8')
  process.kill(postmasterPid(clusterPath), 'SIGCONT')
  await first.stop()

  const stranger = spawn('/bin/sleep', ['3600'], isRoot ? { uid, gid } : {})
  t.after(() => kill(stranger, 'SIGKILL'))
  writeFileSync(join(clusterPath, 'postmaster.pid'), lockFile.replace(/^\d+/, String(stranger.pid)))
  writeFileSync(join(folder, 'service.lock'), JSON.stringify({ pid: stranger.pid, startToken: '1' }))
  const server = await start(folder)
  assert.match(server.notes.join(), /which is not PostgreSQL/)
  assert.ok(isAlive(stranger.pid ?? 0), 'the stranger is left alone')
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
})

test('a server that is killed under a living service comes back on the same port with the data', async () => {
  const folder = temporaryFolder()
  const messages: string[] = []
  const server = await start(folder, messages)
  await query(server.url, 'create table trucks (name text)')
  process.kill(postmasterPid(join(server.dataPath, 'cluster')), 'SIGKILL')
  for (let turn = 0; turn < 2_400 && !messages.includes('PostgreSQL is back'); turn++) await sleep(50)
  assert.deepEqual(await query(server.url, 'select * from trucks'), [])
})

test('a stop while the server is being brought back leaves no process', async () => {
  const folder = temporaryFolder()
  const messages: string[] = []
  const server = await start(folder, messages)
  const clusterPath = join(server.dataPath, 'cluster')
  process.kill(postmasterPid(clusterPath), 'SIGKILL')
  const isGoneNoticed = () => messages.some((message) => message.includes('starting it again'))
  for (let turn = 0; turn < 12_000 && !isGoneNoticed(); turn++) await sleep(10)
  assert.ok(isGoneNoticed())
  await server.stop()
  const left = readPostmaster(clusterPath)
  assert.ok(left === undefined || !isAlive(left.pid))
})

test('an interrupted creation is begun again', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'postgres', '.unfinished-1', 'base'), { recursive: true })
  const server = await start(folder)
  assert.ok(!existsSync(join(server.dataPath, '.unfinished-1')))
})

test('data of another PostgreSQL version is refused with what to do, and left as it is', async () => {
  const folder = temporaryFolder()
  const server = await start(folder)
  await server.stop()
  writeFileSync(join(server.dataPath, 'cluster', 'PG_VERSION'), '15\n')
  await assert.rejects(startEmbeddedPostgres({ dataDir: folder, log: () => {} }), /written by PostgreSQL 15 and this is PostgreSQL 18/)
  writeFileSync(join(server.dataPath, 'cluster', 'PG_VERSION'), '18\n')
  await start(folder)
})

test('a port in use is named', async () => {
  const first = await start(temporaryFolder())
  await assert.rejects(
    startEmbeddedPostgres({ dataDir: temporaryFolder(), port: first.port, log: () => {} }),
    new RegExp(`port ${first.port} is in use`),
  )
})

test('as root in a folder closed to others, the data goes where the account can enter, and the next start finds it there', {
  skip: !isRoot && 'an ordinary user can enter its own folders',
}, async () => {
  const closed = temporaryFolder(0o700)
  const server = await start(closed)
  folders.push(server.dataPath)
  assert.ok(!server.dataPath.startsWith(closed))
  assert.match(server.notes.join(), /cannot enter .*its data is in/)
  await query(server.url, 'create table trucks (name text)')
  await server.stop()
  const again = await start(closed)
  assert.equal(again.dataPath, server.dataPath)
  assert.deepEqual(await query(again.url, 'select * from trucks'), [])
})

test('library links that an install script did not make are made', () => {
  const folder = temporaryFolder()
  const { nativePath } = findNativePackage()
  mkdirSync(join(folder, 'native', 'lib'), { recursive: true })
  const list = readFileSync(join(nativePath, 'pg-symlinks.json'), 'utf8')
  writeFileSync(join(folder, 'native', 'pg-symlinks.json'), list)
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source } of links) writeFileSync(join(folder, source), source)
  assert.equal(tryRelinkLibraries(join(folder, 'native')), true)
  for (const { source, target } of links) assert.equal(readFileSync(join(folder, target), 'utf8'), source)
  unlinkSync(join(folder, links[0]?.target ?? ''))
  assert.equal(tryRelinkLibraries(join(folder, 'native')), true)
  assert.equal(dirname(links[0]?.target ?? ''), 'native/lib')
  assert.ok(existsSync(join(folder, links[0]?.target ?? '')))
})

test('waiting ends when the time is over', async () => {
  assert.equal(await waitUntil(() => false, 40), false)
})
