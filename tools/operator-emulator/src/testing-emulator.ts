// The emulator as a child process, for tests.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Account } from './account.ts'
import type { StatePatch } from './admin.ts'
import type { CallSummary } from './call-log.ts'
import type { Fault, FaultKind } from './faults.ts'

export type EmulatorOptions = {
  /** A free one unless set. */
  readonly port?: number
  readonly seed?: number
  readonly accounts?: number
  readonly sims?: number
  /** How long jobs take, about. */
  readonly jobMs?: number
  /** A clock that stands still until it is set; the machine's unless set. */
  readonly clock?: Date
  readonly stateFile?: string
}

export type EmulatorState = {
  readonly clock: string
  readonly seed: number
  readonly calls: CallSummary
  readonly accounts: readonly Account[]
}

export type RunningEmulator = {
  readonly url: string
  readonly pid: number
  state(): Promise<EmulatorState>
  patch(patch: StatePatch): Promise<EmulatorState>
  fault(fault: { readonly kind: FaultKind } & Partial<Fault>): Promise<void>
  clearFaults(): Promise<void>
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
}

const READY_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 5_000

/** Resolves when it answers. Rejects, and leaves no process, when it ends before or takes too long. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const script = fileURLToPath(new URL('./main.ts', import.meta.url))
  // A group of its own: Ctrl-C in a terminal reaches whoever started it, and that one stops it.
  const child = spawn(process.execPath, [script, '--exit-with-parent', ...toArguments(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.stdin?.on('error', () => undefined)
  const url = await readyUrl(child)
  const ask = (method: string, path: string, body?: unknown) => askEmulator(`${url}${path}`, method, body)
  return {
    url,
    pid: child.pid ?? 0,
    state: () => ask('GET', '/_state') as Promise<EmulatorState>,
    patch: (patch) => ask('POST', '/_state', patch) as Promise<EmulatorState>,
    fault: async (fault) => void (await ask('POST', '/_faults', fault)),
    clearFaults: async () => void (await ask('DELETE', '/_faults')),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  }
}

function toArguments({ port, seed, accounts, sims, jobMs, clock, stateFile }: EmulatorOptions): string[] {
  const flags = { port, seed, accounts, sims, 'job-ms': jobMs, clock: clock?.toISOString(), 'state-file': stateFile }
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]))
}

async function readyUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output = `${output}${chunk.toString('utf8')}`.slice(-2_000)
  })
  child.once('error', reject)
  child.once('exit', (code, signal) => reject(new Error(`the operator emulator ended while starting (${signal ?? code}). ${output}`)))
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, url] = /^ready (http:\S+)$/.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
  }
  const timer = setTimeout(() => reject(new Error(`the operator emulator was not ready in ${READY_WITHIN_MS / 1000} s`)), READY_WITHIN_MS)
  try {
    return await promise
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function askEmulator(url: string, method: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const answer = (await response.json()) as { error?: string }
  if (!response.ok) throw new Error(`the operator emulator refused: ${answer.error}`)
  return answer
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await exited
  clearTimeout(timer)
}
