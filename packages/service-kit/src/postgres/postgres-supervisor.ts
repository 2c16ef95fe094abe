// Keeps one PostgreSQL process running from start to stop: picks the port, waits until it takes connections, and starts it again on
// the same port when it dies by itself.

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../network/free-ports.ts'
import { type Account, asAccount } from './postgres-account.ts'
import { writeSettings } from './postgres-cluster.ts'
import { clearPostmaster, readPostmaster, stopPostmaster, waitUntil } from './postgres-postmaster.ts'

export type PostgresServer = {
  clusterPath: string
  homePath: string
  postgres: string
  account: Account | undefined
  settings: Record<string, string>
  readyWaitMs: number | undefined
}

/** One try for the port plus the time that backends of a killed postmaster need to notice and leave, at most a few seconds. */
const MAX_START_ATTEMPTS = 20
const START_RETRY_DELAY_MS = 250
/** Crash recovery replays at most about 1 GB of log (max_wal_size), which takes seconds; a slow disk gets a wide margin. */
const READY_WAIT_MS = 120_000
const FIRST_RESTART_DELAY_MS = 100
const MAX_RESTART_DELAY_MS = 5000
const MAX_LOG_BYTES = 5_000_000
const LOG_TAIL_BYTES = 2000

type StartFailure = 'port_in_use' | 'backends_left' | 'other'

class PostgresStartError extends Error {
  readonly reason: StartFailure
  constructor(reason: StartFailure, message: string) {
    super(message)
    this.name = 'PostgresStartError'
    this.reason = reason
  }
}

export class PostgresSupervisor {
  readonly #server: PostgresServer
  readonly #log: (message: string) => void
  #child: ChildProcess | undefined
  #restarting: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #isStopRequested = false

  constructor(server: PostgresServer, log: (message: string) => void) {
    this.#server = server
    this.#log = log
  }

  /** Returns the port once connections are taken. With 0, a port that is taken between the choice and the bind is chosen again. */
  async start(wantedPort: number): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const port = wantedPort === 0 ? await findFreePort() : wantedPort
      try {
        this.#watch(await this.#launch(port), port)
        return port
      } catch (error) {
        if (attempt === MAX_START_ATTEMPTS || !(error instanceof PostgresStartError)) throw error
        if (error.reason === 'other' || (error.reason === 'port_in_use' && wantedPort !== 0)) throw error
        await sleep(START_RETRY_DELAY_MS)
      }
    }
  }

  /** Bounded by the steps of `stopPostmaster`; leaves no process. Safe to call twice. */
  stop(): Promise<void> {
    this.#isStopRequested = true
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  /** SIGQUIT is PostgreSQL's immediate shutdown: it leaves at once and recovers from its log at the next start. */
  force(): void {
    this.#isStopRequested = true
    this.#child?.kill('SIGQUIT')
  }

  async #stop(): Promise<void> {
    await this.#restarting
    if (this.#child?.pid !== undefined) await stopPostmaster(this.#child.pid)
    await clearPostmaster(this.#server.clusterPath)
  }

  #watch(child: ChildProcess, port: number): void {
    this.#child = child
    child.once('exit', (code, signal) => {
      if (this.#isStopRequested) return
      this.#log(`PostgreSQL stopped by itself (${signal ?? code}); starting it again`)
      this.#restarting = this.#restart(port)
    })
    // It can die between being ready and being watched, and then no exit event follows.
    if (child.exitCode !== null || child.signalCode !== null) this.#restarting ??= this.#restart(port)
  }

  async #restart(port: number): Promise<void> {
    for (let delayMs = FIRST_RESTART_DELAY_MS; !this.#isStopRequested; delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS)) {
      await sleep(delayMs)
      if (this.#isStopRequested) return
      try {
        this.#watch(await this.#launch(port), port)
        this.#log('PostgreSQL is back')
        return
      } catch (error) {
        this.#log(`${error instanceof Error ? error.message : String(error)} Trying again.`)
      }
    }
  }

  async #launch(port: number): Promise<ChildProcess> {
    const { clusterPath, homePath, account, settings, postgres, readyWaitMs = READY_WAIT_MS } = this.#server
    writeSettings(clusterPath, port, settings, account)
    const logPath = join(homePath, 'server.log')
    const logFd = openLog(logPath)
    const logStart = statSync(logPath).size
    const child = spawn(postgres, ['-D', clusterPath], {
      ...asAccount(account),
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', logFd, logFd],
      // A group of its own: Ctrl-C in a terminal must reach the service alone, which stops the server after its last write.
      detached: true,
    })
    closeSync(logFd)
    // The server does not keep this process alive; what uses it does.
    child.unref()
    let failure: string | undefined
    child.once('error', (error) => {
      failure = error.message
    })
    child.once('exit', (code, signal) => {
      failure ??= `it exited with ${signal ?? code}`
    })
    const isReady = (): boolean => {
      const postmaster = readPostmaster(clusterPath)
      return postmaster !== undefined && postmaster.pid === child.pid && postmaster.status === 'ready'
    }
    await waitUntil(() => failure !== undefined || this.#isStopRequested || isReady(), readyWaitMs)
    if (failure === undefined && !this.#isStopRequested && isReady()) return child
    if (child.pid !== undefined) await stopPostmaster(child.pid)
    throw startError(failure ?? `not ready in ${readyWaitMs / 1000} s`, logPath, logStart, port)
  }
}

/** What to do about it when the server's last words are known, and those words when they are not. */
function startError(failure: string, logPath: string, logStart: number, port: number): PostgresStartError {
  const logged = readFileSync(logPath).subarray(logStart).subarray(-LOG_TAIL_BYTES).toString('utf8').trim()
  if (/could not bind|Address already in use/.test(logged)) {
    return new PostgresStartError('port_in_use', `PostgreSQL did not start: port ${port} is in use. Choose another one.`)
  }
  if (/shared memory block .*is still in use/.test(logged)) {
    return new PostgresStartError('backends_left', 'PostgreSQL did not start: processes of a killed server still hold its data.')
  }
  const unreached = /recovery ended before configured recovery target was reached/.exec(logged)
  if (unreached !== null) return new PostgresStartError('other', `PostgreSQL did not start: ${unreached[0]}.`)
  if (/No space left on device/.test(logged)) {
    return new PostgresStartError('other', `PostgreSQL did not start: the disk is full. ${logPath} has more.`)
  }
  const lines = logged === '' ? '' : ` ${logPath} has: ${linesOfFailure(logged).join(' / ')}`
  return new PostgresStartError('other', `PostgreSQL did not start: ${failure}.${lines}`)
}

/** What ended the server; after it the server logs only that it ends. The last lines where there is no such line. */
export function linesOfFailure(logged: string): string[] {
  const lines = logged.split('\n')
  const fatal = lines.filter((line) => /\b(FATAL|PANIC): /.test(line))
  return (fatal.length > 0 ? fatal : lines).slice(-4)
}

function openLog(logPath: string): number {
  if ((statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(logPath, `${logPath}.1`)
  return openSync(logPath, 'a', 0o600)
}
