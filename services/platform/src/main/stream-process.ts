// The stream receiver as the platform sees it: a process that is there while a connection is to be read or tested, is watched, and is started again
// when it dies. Its death is nobody else's.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamConnectionTest } from '@roadworthy/contracts/platform-v1/stream-connection'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import { ChildProgram } from '@roadworthy/service-kit/process/child-program'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { IngestCounts } from './http/metrics.ts'
import type { FromReceiver, ReceiverConfiguration, ToReceiver } from './stream-channel.ts'

const RECEIVER_MAIN = join(import.meta.dirname, 'stream-receiver.ts')
/** A change is notified at once; where that was missed, it is found after this. */
const LOOK_EVERY_MS = 15_000
const WATCH_EVERY_MS = 1_000
/** A process that nobody needs any more is not ended between two tests of somebody who sets up a connection. */
const IDLE_MS = 30_000
/** Of its own heap: what is read is worked on in bytes, and each thread has a heap of its own. */
const MAX_HEAP_MB = 384
/**
 * V8 lets heaps with limits so small, this one and those of the threads, grow by little before it marks all of them again: a third of a stream's
 * processor time went into that (`bench/scenarios/stream.ts`). The limits hold all the same.
 */
const HEAP_GROWING_PCT = 100
/** The process itself, and one thread that takes all it may (`watched-thread.ts`), on top of which each thread has some room. */
const BASE_RESIDENT_BYTES = (512 + 640) * 1024 * 1024
const RESIDENT_BYTES_PER_THREAD = 128 * 1024 * 1024
/** Looks in a row without a word from it. Starting takes seconds on a machine that is busy. */
const MAX_SILENT_LOOKS = 30
const MAX_TESTS = 4
const TEST_BOUND_MS = 75_000
const STOP_BOUND_MS = 2_700

export type StreamProcessDeps = {
  readonly configuration: ReceiverConfiguration
  readonly env: NodeJS.ProcessEnv
  readonly log: Logger
  /** Whether a connection is to be read. */
  readonly isNeeded: () => Promise<boolean>
  readonly onConnectionChanged: (listener: () => void) => () => void
  readonly addIngested: (counts: IngestCounts) => void
  readonly countDeadLetter: (code: string) => void
  readonly script?: string
}

type Status = Pick<Extract<FromReceiver, { kind: 'status' }>, 'lagMessageCount' | 'connectedCount' | 'threadCount' | 'residentBytes'>
type PendingTest = { readonly resellerId: string; readonly settle: (result: StreamConnectionTest | undefined) => void }

export class StreamProcess {
  readonly #deps: StreamProcessDeps
  readonly #tests = new Map<number, PendingTest>()
  #rounds: Rounds | undefined
  readonly #watch: NodeJS.Timeout
  readonly #stopListening: () => void
  #wake = new AbortController()
  #isStopping = false
  #isNeeded = false
  #neededAtMs = 0
  #program: ChildProgram | undefined
  #status: Status | undefined
  #silentLooks = 0
  #lastTest = 0

  constructor(deps: StreamProcessDeps) {
    this.#deps = deps
    this.#stopListening = deps.onConnectionChanged(() => this.#wake.abort())
    this.#watch = setInterval(() => this.#watchProgram(), WATCH_EVERY_MS).unref()
  }

  /** Begins to look at connections. Tests of them need no start. */
  start(): void {
    this.#rounds = startRounds(
      () => this.#look(),
      LOOK_EVERY_MS,
      (err) => this.#deps.log.error({ err }, 'connections of streams could not be looked at; it is tried again'),
    )
  }

  get lagMessageCount(): number {
    return this.#status?.lagMessageCount ?? 0
  }

  get connectedCount(): number {
    return this.#status?.connectedCount ?? 0
  }

  /** Never fails: without it REST and MQTT go on, and what is in topics waits there. */
  async checkReadiness(): Promise<{ ok: boolean; detail: string }> {
    if (!this.#isNeeded) return { ok: true, detail: 'no stream is to be read' }
    if (this.#status === undefined)
      return { ok: true, detail: 'degraded: the stream receiver is being started; streams wait at their brokers' }
    return { ok: true, detail: `${this.#status.connectedCount} streams are connected` }
  }

  /** Never rejects for what a broker does. */
  async test(resellerId: string): Promise<StreamConnectionTest> {
    if ([...this.#tests.values()].some((pending) => pending.resellerId === resellerId))
      throw new Problem('conflict', 'This connection is being tested already. Wait for the answer to that test.')
    if (this.#tests.size >= MAX_TESTS)
      throw new Problem('unavailable', `${MAX_TESTS} connections are being tested already. Try again in a moment.`, { retryAfterS: 10 })
    const { promise, resolve } = Promise.withResolvers<StreamConnectionTest | undefined>()
    const id = ++this.#lastTest
    this.#tests.set(id, { resellerId, settle: resolve })
    const late = setTimeout(() => resolve(undefined), TEST_BOUND_MS)
    try {
      if (this.#program === undefined) await this.#startProgram()
      else this.#send({ kind: 'test', id, resellerId })
      const result = await promise
      if (result !== undefined) return result
    } finally {
      clearTimeout(late)
      this.#tests.delete(id)
      this.#neededAtMs = performance.now()
    }
    throw new Problem('unavailable', 'The test did not come to an end. Try it again.', { retryAfterS: 5 })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#watch)
    this.#stopListening()
    this.#wake.abort()
    await this.#rounds?.stop()
    for (const { settle } of this.#tests.values()) settle(undefined)
    await this.#program?.stop(STOP_BOUND_MS)
  }

  async #look(): Promise<number> {
    this.#wake = new AbortController()
    this.#isNeeded = await this.#deps.isNeeded()
    if (this.#isNeeded || this.#tests.size > 0) this.#neededAtMs = performance.now()
    if (this.#isNeeded && this.#program === undefined) await this.#startProgram()
    else if (this.#program !== undefined && performance.now() - this.#neededAtMs > IDLE_MS) await this.#end(this.#program)
    await sleep(LOOK_EVERY_MS, undefined, { signal: this.#wake.signal }).catch(() => undefined)
    return 0
  }

  async #startProgram(): Promise<void> {
    if (this.#isStopping) return
    const { env, log, script = RECEIVER_MAIN } = this.#deps
    const program = new ChildProgram({
      name: 'stream receiver',
      nodeFlags: [`--max-old-space-size=${MAX_HEAP_MB}`, `--heap-growing-percent=${HEAP_GROWING_PCT}`],
      script,
      env,
      log,
      channel: {
        onStart: () => this.#configure(program),
        onMessage: (message) => this.#take(message as FromReceiver),
        onEnd: () => {
          this.#status = undefined
        },
      },
    })
    this.#program = program
    try {
      await program.start()
    } catch (error) {
      // The next look starts another.
      if (this.#program === program) this.#program = undefined
      throw error
    }
  }

  async #end(program: ChildProgram): Promise<void> {
    this.#program = undefined
    await program.stop(STOP_BOUND_MS)
  }

  /** Tests that the one before did not come to an end with are begun again: a test ends its own thread, and rarely the process. */
  #configure(program: ChildProgram): void {
    this.#silentLooks = 0
    program.send({ kind: 'configure', configuration: this.#deps.configuration } satisfies ToReceiver)
    for (const [id, { resellerId }] of this.#tests) program.send({ kind: 'test', id, resellerId } satisfies ToReceiver)
  }

  #send(message: ToReceiver): void {
    this.#program?.send(message)
  }

  #take(message: FromReceiver): void {
    this.#silentLooks = 0
    if (message.kind === 'tested') return void this.#tests.get(message.id)?.settle(message.result)
    const { ingested, deadLetterCodes, ...status } = message
    this.#status = status
    this.#deps.addIngested(ingested)
    for (const code of deadLetterCodes) this.#deps.countDeadLetter(code)
  }

  #watchProgram(): void {
    const program = this.#program
    if (program?.pid === undefined) return
    const allowedBytes = BASE_RESIDENT_BYTES + RESIDENT_BYTES_PER_THREAD * (this.#status?.threadCount ?? 0)
    const isTooLarge = (residentBytesOf(program.pid) ?? this.#status?.residentBytes ?? 0) > allowedBytes
    const isSilent = ++this.#silentLooks > MAX_SILENT_LOOKS
    if (!isTooLarge && !isSilent) return
    this.#deps.log.error({ allowedBytes }, isTooLarge ? 'the stream receiver takes too much memory' : 'the stream receiver does not answer')
    this.#silentLooks = 0
    program.killToRestart()
  }
}

const PAGE_BYTES = 4_096

/** As the kernel counts it; undefined where there is no such file. */
function residentBytesOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    // Not Linux, or the process has just ended.
    return undefined
  }
}
