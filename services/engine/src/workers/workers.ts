// The engine on several cores: processes that share one address, each an engine of its own that keeps nothing. This one starts them, replaces
// one that dies, hands on signals, and adds up what they have counted; it answers no request itself.

import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { retryDelayMs } from '@roadworthy/service-kit/pacing/retry-delay'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { Counted, ToPrimary, ToWorker } from './messages.ts'

const FIRST_RESTART_DELAY_MS = 250
/** One that lived this long was well; after its death the next is there at once. */
const WELL_AFTER_MS = 60_000

/** A question to all workers, until each has answered or ended. */
type Round = { readonly asker: Worker; readonly id: number; readonly waiting: Set<Worker>; readonly all: Counted[] }

export type WorkersOptions = {
  readonly count: number
  readonly script: string
  readonly args: readonly string[]
  readonly log: Logger
  readonly monotonicMs: () => number
  readonly random: () => number
}

export class Workers {
  readonly #options: WorkersOptions
  readonly #workers = new Set<Worker>()
  /** Those of them that take requests. */
  readonly #listening = new Set<Worker>()
  readonly #rounds = new Map<number, Round>()
  readonly #restarts = new Set<NodeJS.Timeout>()
  #roundCount = 0
  #failureCount = 0
  /** One that ends is replaced between a start that went well and the stop. */
  #stage: 'starting' | 'kept' | 'stopping' = 'starting'

  constructor(options: WorkersOptions) {
    this.#options = options
    cluster.setupPrimary({ exec: options.script, args: [...options.args] })
  }

  /**
   * Resolves with the address once requests are taken, by the first of them: it goes ahead, so that what is wrong with a port or a folder is
   * reported once. Rejects with `WorkerEnded` when it ended instead. The others follow, and from then on one that ends is replaced.
   */
  async start(): Promise<string> {
    const url = await this.#startOne()
    if (this.#stage === 'stopping') return url
    this.#stage = 'kept'
    for (let nth = 1; nth < this.#options.count; nth++) this.#startAnother()
    return url
  }

  /** `force` reads all of them again; without, those that have changed. */
  readModels({ force }: { force: boolean }): void {
    for (const worker of this.#workers) send(worker, { kind: 'read_models', force })
  }

  /** Resolves when each has answered what it had begun, and ended. */
  async stop(): Promise<void> {
    this.#replaceNoMore()
    const ended = [...this.#workers].map((worker) => once(worker, 'exit'))
    for (const worker of this.#workers) send(worker, { kind: 'stop' })
    await Promise.all(ended)
  }

  kill(): void {
    this.#replaceNoMore()
    for (const worker of this.#workers) worker.process.kill('SIGKILL')
  }

  #replaceNoMore(): void {
    this.#stage = 'stopping'
    for (const timer of this.#restarts) clearTimeout(timer)
  }

  /** One that ends before it takes requests has ended like any other, and is replaced for that. */
  #startAnother(): void {
    this.#startOne().catch(() => {})
  }

  #startOne(): Promise<string> {
    const worker = cluster.fork()
    const startedAtMs = this.#options.monotonicMs()
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#workers.add(worker)
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'collect') this.#ask(worker, message.id)
      else if (message.kind === 'counted') this.#hear(message.round, worker, message.counted)
      else {
        this.#listening.add(worker)
        resolve(message.url)
      }
    })
    worker.on('exit', (code, signal) => {
      this.#workers.delete(worker)
      this.#listening.delete(worker)
      for (const [round, { waiting }] of this.#rounds) if (waiting.has(worker)) this.#hear(round, worker, undefined)
      reject(new WorkerEnded(code ?? 1))
      if (this.#stage === 'kept') this.#replace({ pid: worker.process.pid, code, signal }, this.#options.monotonicMs() - startedAtMs)
    })
    return promise
  }

  #replace(ended: object, livedMs: number): void {
    this.#failureCount = livedMs > WELL_AFTER_MS ? 1 : this.#failureCount + 1
    const delayMs = retryDelayMs(this.#failureCount, this.#options.random, FIRST_RESTART_DELAY_MS)
    this.#options.log.error({ ...ended, delayMs }, 'a worker ended; another takes its place')
    const timer = setTimeout(() => {
      this.#restarts.delete(timer)
      this.#startAnother()
    }, delayMs)
    this.#restarts.add(timer)
  }

  #ask(asker: Worker, id: number): void {
    const round = this.#roundCount++
    this.#rounds.set(round, { asker, id, waiting: new Set(this.#listening), all: [] })
    for (const worker of this.#listening) send(worker, { kind: 'count', round })
  }

  #hear(number: number, worker: Worker, counted: Counted | undefined): void {
    const round = this.#rounds.get(number)
    if (round === undefined) return
    if (counted !== undefined) round.all.push(counted)
    round.waiting.delete(worker)
    if (round.waiting.size > 0) return
    this.#rounds.delete(number)
    send(round.asker, { kind: 'collected', id: round.id, all: round.all })
  }
}

/** A worker that ended before it took requests. It has reported why. */
export class WorkerEnded extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`a worker ended with code ${exitCode} before it took requests`)
    this.exitCode = exitCode
  }
}

/** What cannot be sent to a worker that is ending need not be sent. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
