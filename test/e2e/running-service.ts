// For tests: the real `npm start` process, on free ports and a data folder of its own.

import assert from 'node:assert/strict'
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import type { FirstCredentials } from '../support/running-platform.ts'
import { DATABASE_WAS_LATE, MOST_STARTS } from '../support/started-again.ts'

export const ROOT = join(import.meta.dirname, '../..')
const READY_WAIT_MS = 180_000
const ENDED_WITHIN_MS = 60_000
const POLL_MS = 20

/** As `npm start` has it. */
const COMPILE_CACHE = 'node_modules/.cache/node'

/** Free ports, so that tests meet neither each other nor a service that runs on this machine. */
export const FREE_PORTS = ['--port', '0', '--engine-port', '0', '--mqtt-port', '0', '--metrics-port', '0']

export type RunOptions = { root?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number }

export class RunningService {
  readonly dataDir: string
  readonly #spawn: () => ChildProcess
  #child: ChildProcess
  #exited: Promise<unknown>
  stdout = ''
  stderr = ''

  constructor(dataDir: string, flags: readonly string[] = ['--no-demo', ...FREE_PORTS], { root = ROOT, ...options }: RunOptions = {}) {
    this.dataDir = dataDir
    const env = { ...(options.env ?? process.env), NODE_COMPILE_CACHE: COMPILE_CACHE }
    const spawnOptions: SpawnOptions = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options, env }
    const args = ['services/platform/src/main/all.ts', '--data-dir', dataDir, ...flags]
    this.#spawn = () => {
      const child = spawn(process.execPath, args, spawnOptions)
      child.stdout?.on('data', (chunk) => {
        this.stdout += chunk
      })
      child.stderr?.on('data', (chunk) => {
        this.stderr += chunk
      })
      return child
    }
    this.#child = this.#spawn()
    this.#exited = once(this.#child, 'close')
  }

  get child(): ChildProcess {
    return this.#child
  }

  get pid(): number {
    return this.child.pid ?? assert.fail('the service was not started')
  }

  /**
   * Waits for the line that starts with `ready` and gives it. On a machine with much to do a service may end because its database does not answer in time
   * while it starts, and asks to be started again, which is done.
   */
  async ready(): Promise<string> {
    let starts = 1
    for (let waitedMs = 0; waitedMs < READY_WAIT_MS; waitedMs += POLL_MS) {
      const line = this.stdout.split('\n').find((each) => each.startsWith('ready'))
      if (line !== undefined) return line
      const end = this.child.exitCode ?? this.child.signalCode
      if (end !== null) {
        await this.#exited
        const isToStartAgain = this.stderr.split(DATABASE_WAS_LATE).length > starts
        if (!isToStartAgain || starts++ === MOST_STARTS) assert.fail(`ended with ${end}:\n${this.stdout}\n${this.stderr}`)
        this.#child = this.#spawn()
        this.#exited = once(this.#child, 'close')
      }
      await sleep(POLL_MS)
    }
    return assert.fail(`not ready in time:\n${this.stdout}\n${this.stderr}`)
  }

  async exit(): Promise<number | NodeJS.Signals | null> {
    await this.#exited
    return this.child.signalCode ?? this.child.exitCode
  }

  async signal(name: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    this.child.kill(name)
    return await this.exit()
  }

  credentials(): FirstCredentials {
    return JSON.parse(readFileSync(credentialsPath(this.dataDir), 'utf8')) as FirstCredentials
  }

  /** The process and all it started, children of children included. Read from /proc, so for Linux. */
  processes(): number[] {
    return listDescendants(this.pid)
  }
}

/** Of a process, itself first. */
export function listDescendants(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const parent = Number.isInteger(pid) ? parentOf(pid) : undefined
    if (parent !== undefined) parents.set(pid, parent)
  }
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found
}

function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // Gone since the folder was listed.
    return undefined
  }
}

/** The processes that do not end. On a machine that does much else at once, one may take a while. */
export async function leftOf(pids: readonly number[]): Promise<number[]> {
  const deadlineMs = performance.now() + ENDED_WITHIN_MS
  while (performance.now() < deadlineMs && pids.some(isAlive)) await sleep(20)
  return pids.filter(isAlive)
}

export function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // Gone already.
    return ''
  }
}
