// A real Citus cluster on loopback, for tests: a coordinator and workers, in memory where there is room.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findNativePackage, tryRelinkLibraries } from '@roadworthy/service-kit/postgres/postgres-binaries'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { listDescendants } from '../e2e/running-service.ts'
import { errorsIn, LOG_LINE_PREFIX } from './node-log.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MEMORY_FOLDER = '/dev/shm'
const GONE_WITHIN_MS = 60_000
const START_WITHIN_S = '180'

/** Undefined: there is none. `given`: a folder with Citus and a script that starts a cluster of it. */
export function findCitus(given: string | undefined): string | undefined {
  const script = join(given ?? join(ROOT, '../shared/citus'), 'start-cluster.sh')
  return existsSync(script) ? script : undefined
}

export class TestCitus {
  readonly #script: string
  readonly #nativePath: string
  readonly #dataDir = mkdtempSync(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'roadworthy-citus-'))
  readonly #port: number

  private constructor(script: string, nativePath: string, port: number) {
    this.#script = script
    this.#nativePath = nativePath
    this.#port = port
    // Run as root, the nodes belong to another account, which must be able to enter.
    chmodSync(this.#dataDir, 0o755)
  }

  static async start(script: string, workerCount: number): Promise<TestCitus> {
    const { nativePath } = findNativePackage()
    tryRelinkLibraries(nativePath)
    const citus = new TestCitus(script, nativePath, await freeRow(1 + workerCount))
    const { status, stdout, stderr } = spawnSync(script, [nativePath, citus.#dataDir, String(citus.port(0)), String(workerCount)], {
      encoding: 'utf8',
    })
    if (status === 0) {
      for (let nth = 0; nth <= workerCount; nth++) citus.#logDatabases(nth)
      return citus
    }
    citus.remove()
    throw new Error(`the cluster did not start: ${stdout}${stderr}`)
  }

  /** Each line of the log has the name of its database, which is that of the file whose test it is of. */
  #logDatabases(nth: number): void {
    appendFileSync(join(this.#dataDir, `node-${nth}/postgresql.conf`), `log_line_prefix = '${LOG_LINE_PREFIX}'\n`)
    process.kill(this.pid(nth), 'SIGHUP')
  }

  /** 0: the coordinator. As the owner of the database, or as a superuser of the node. */
  url(nth: number, { user = 'postgres', database = 'postgres' } = {}): string {
    return `postgresql://${user}@127.0.0.1:${this.port(nth)}/${database}`
  }

  /** The script gives the nodes ports in a row. */
  port(nth: number): number {
    return this.#port + nth
  }

  /** The process of the node that the others are started by. */
  pid(nth: number): number {
    const [pid = ''] = readFileSync(join(this.#dataDir, `node-${nth}/postmaster.pid`), 'utf8').split('\n')
    return Number(pid)
  }

  /** At once, as a machine that loses power: a session that waits for another node would go on otherwise. */
  async kill(nth: number): Promise<void> {
    const pids = listDescendants(this.pid(nth))
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    // While they are not gone for good, PostgreSQL takes it for one that runs.
    for (let waitedMs = 0; pids.some(isThere) && waitedMs < GONE_WITHIN_MS; waitedMs += 20) await sleep(20)
  }

  /** As a machine that stands still: connections stay, new ones are taken, and nothing is answered. */
  freeze(nth: number): void {
    // Before the others, so that it starts none.
    process.kill(this.pid(nth), 'SIGSTOP')
    for (const pid of listDescendants(this.pid(nth))) if (isAlive(pid)) process.kill(pid, 'SIGSTOP')
  }

  /** Goes on as if nothing had been. */
  thaw(nth: number): void {
    for (const pid of listDescendants(this.pid(nth)).reverse()) if (isAlive(pid)) process.kill(pid, 'SIGCONT')
  }

  startAgain(nth: number): void {
    const program = join(this.#dataDir, 'program')
    const args = ['-D', join(this.#dataDir, `node-${nth}`), '-l', join(this.#dataDir, `log-${nth}.txt`), '-w', '-t', START_WITHIN_S]
    const command = [join(program, 'bin/pg_ctl'), ...args, 'start']
    const [first = '', ...rest] = process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--', ...command] : command
    const { status, stdout, stderr } = spawnSync(first, rest, {
      encoding: 'utf8',
      env: { LD_LIBRARY_PATH: join(program, 'lib'), PATH: process.env['PATH'] },
    })
    if (status !== 0) throw new Error(`node ${nth} did not start again: ${stdout}${stderr}`)
  }

  /** Errors in the logs of all nodes, each with the name of its log, its details and its statement. */
  errors(): string[] {
    return globSync('log-*.txt', { cwd: this.#dataDir }).flatMap((log) =>
      errorsIn(readFileSync(join(this.#dataDir, log), 'utf8')).map((entry) => `${log}: ${entry}`),
    )
  }

  /** Stops every node and removes what they had. */
  remove(): void {
    spawnSync(this.#script, ['--stop', this.#nativePath, this.#dataDir])
    rmSync(this.#dataDir, { recursive: true, force: true })
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Below the range of ephemeral ports of Linux, and below those of `findFreePorts`, which is asked for ports while nodes start. */
const LOWEST_PORT = 12_000
const HIGHEST_PORT = 20_000
/** For the nodes of one cluster. */
const ROW_PORTS = 5
const ROWS = (HIGHEST_PORT - LOWEST_PORT) / ROW_PORTS
/** Of one process, so that the next of them does not begin where the one after it did. */
const CLUSTERS_OF_A_PROCESS = 8
const TRIES = 50

/** Another one for each process: nodes take seconds until they listen on the ports that were found free, and others look for theirs meanwhile. */
let nextRow = process.pid * CLUSTERS_OF_A_PROCESS

/** The first of that many free ports in a row. */
async function freeRow(count: number): Promise<number> {
  assert.ok(count <= ROW_PORTS)
  for (let tried = 0; tried < TRIES; tried++) {
    const first = LOWEST_PORT + (nextRow++ % ROWS) * ROW_PORTS
    const areFree = await Promise.all(Array.from({ length: count }, (_, nth) => isFree(first + nth)))
    if (areFree.every(Boolean)) return first
  }
  return assert.fail(`there are no ${count} free ports in a row`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  } finally {
    server.close()
  }
}
