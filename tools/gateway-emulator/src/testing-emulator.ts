// The emulator as a child process of a test or of the demo, and how one talks with it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Account, Dispute, DisputeState, EmulatorState, Fault, Payment } from './state.ts'
import type { PayOutcome } from './transitions.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const READY_WITHIN_MS = 120_000

export type EmulatorClient = {
  readonly url: string
  state(): Promise<EmulatorState>
  setState(part: Partial<EmulatorState>): Promise<EmulatorState>
  /** Adds it, or puts it in the place of the one with the same key. `rolledFrom`: the key that it had until now. */
  setAccount(account: Account & { rolledFrom?: string }): Promise<void>
  /** Strikes `count` times, once unless set otherwise. */
  addFault(fault: Omit<Fault, 'count'> & { count?: number }): Promise<void>
  clearFaults(): Promise<void>
  /** As the customer. `checkout`: its id, or the merchant's reference. Resolves once its webhooks have been tried. */
  pay(checkout: string, outcome?: PayOutcome): Promise<{ isTaken: boolean; payment: Payment | null }>
  /** As the bank, of a payment that is processing. */
  settle(payment: string, isPaid: boolean): Promise<void>
  openDispute(payment: string, more?: { amount?: number; status?: DisputeState }): Promise<Dispute>
  moveDispute(dispute: string, status: DisputeState): Promise<void>
  /** Lets time pass, with everything that happens in it. Resolves once the webhooks of that have been tried. */
  advance(ms: number): Promise<void>
  /** Resolves once whatever is due has been delivered, or tried. */
  deliver(): Promise<void>
}

export type EmulatorChild = EmulatorClient & {
  /** By SIGTERM, or at once by SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export type ChildOptions = { port?: number; stateFile?: string | undefined; retryDelaysMs?: readonly number[] }

/** Resolves when it listens. It ends with this process, however that ends. */
export async function startEmulatorChild({ port = 0, stateFile, retryDelaysMs }: ChildOptions = {}): Promise<EmulatorChild> {
  const args = [MAIN, '--port', String(port), '--exit-with-parent']
  if (stateFile !== undefined) args.push('--state-file', stateFile)
  if (retryDelaysMs !== undefined) args.push('--retry-delays-ms', retryDelaysMs.join(','))
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  // Writing to it is never tried; a broken pipe only means that it is gone.
  child.stdin?.on('error', () => undefined)
  const url = await readyUrl(child, exited)
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    child.kill(signal)
    await exited
  }
  return { ...createEmulatorClient(url), stop }
}

async function readyUrl(child: ChildProcess, exited: Promise<unknown>): Promise<string> {
  if (child.stdout === null) throw new Error('the emulator has no standard output')
  const lines = createInterface({ input: child.stdout })
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS)
  const isGone = exited.then(() => {
    throw new Error('the gateway emulator ended before it was ready')
  })
  isGone.catch(() => undefined)
  try {
    const [line] = (await Promise.race([once(lines, 'line'), isGone])) as [string]
    const [, url] = /^ready (http:\S+)$/.exec(line) ?? []
    if (url === undefined) throw new Error(`the gateway emulator printed ${line}`)
    return url
  } finally {
    clearTimeout(timer)
  }
}

function createEmulatorClient(url: string): EmulatorClient {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const value: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value as T
  }
  return {
    url,
    state: () => call('GET', '/_state'),
    setState: (part) => call('PUT', '/_state', part),
    setAccount: async (account) => void (await call('POST', '/_accounts', account)),
    addFault: async (fault) => void (await call('POST', '/_faults', fault)),
    clearFaults: async () => void (await call('DELETE', '/_faults')),
    pay: (checkout, outcome = 'paid') => call('POST', '/_pay', { checkout, outcome }),
    settle: async (payment, isPaid) => void (await call('POST', '/_settle', { payment, isPaid })),
    openDispute: async (payment, more = {}) => (await call<{ dispute: Dispute }>('POST', '/_disputes', { payment, ...more })).dispute,
    moveDispute: async (dispute, status) => void (await call('POST', `/_disputes/${dispute}`, { status })),
    advance: async (ms) => void (await call('POST', '/_advance', { ms })),
    deliver: async () => void (await call('POST', '/_deliver', {})),
  }
}
