// How often one credential may be used, and when it is given a rest: calls a second, calls at once, the platform's own `Retry-After`, and a
// circuit breaker. The turns are counted for all processes together (`CallTurns`); who waits for one in this process, in which order, and whether
// the platform answers at all, is kept in its memory.

import { type Exchange, type ExchangeAnswer, ExchangeError } from './exchange.ts'

/**
 * Failures in a row, and how long nothing is sent after them (reference figures of the adapters' design; an assumption). Each try that fails
 * doubles it up to the longest, so that an operator that is away for hours is asked little, and one that is back is noticed within minutes.
 */
const BREAKER_FAILURES = 5
const BREAKER_OPEN_MS = 30_000
const BREAKER_LONGEST_MS = 300_000
/** Callers who wait for a turn. More are turned away: at five calls a second the last of these waits 40 s. */
const MAX_WAITING = 200
/** Of a 429 that names no time; an assumption. Control Center asks for a minute between polls. */
export const DEFAULT_RETRY_AFTER_MS = 60_000
const MAX_CREDENTIALS = 10_000

export type CallLimits = { readonly maxPerSecond: number; readonly maxConcurrent: number }

/** Leave to make one call. */
export type CallTurn = {
  /** Aborts when another call may have begun, because the lease of this one is over. */
  readonly lost: AbortSignal
  /** The call is over. Never rejects. */
  end(): Promise<void>
}

/** The turns of all credentials. */
export type CallTurns = {
  /** Resolves when a call may begin. Rejects with `ExchangeError` of which `hasLeft` is false. */
  take(credential: string, limits: CallLimits, signal: AbortSignal): Promise<CallTurn>
}

export type GateDeps = {
  readonly turns: CallTurns
  /** Milliseconds that only grow. */
  readonly nowMs: () => number
}

/** What one credential may do. */
export class CallGate {
  readonly #deps: GateDeps
  readonly #credential: string
  readonly #limits: CallLimits
  /** First come, first served. */
  readonly #waiting: (() => void)[] = []
  #underWay = 0
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #failures = 0
  #openUntilMs = Number.NEGATIVE_INFINITY
  #isProbing = false

  constructor(deps: GateDeps, credential: string, limits: CallLimits) {
    this.#deps = deps
    this.#credential = credential
    this.#limits = limits
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0 && this.#deps.nowMs() >= Math.max(this.#pausedUntilMs, this.#openUntilMs)
  }

  /**
   * Runs a call when it is its turn. Rejects without running it, as `ExchangeError` with `hasLeft` false, while the platform wants to be left
   * alone, while the breaker is open, and when too many wait. A call that ends without an answer, or with 5xx, is a failure.
   */
  async run(call: (signal: AbortSignal) => Promise<ExchangeAnswer>, signal: AbortSignal): Promise<ExchangeAnswer> {
    this.#requireOpen()
    await this.#takeSlot(signal)
    try {
      const turn = await this.#deps.turns.take(this.#credential, this.#limits, signal)
      try {
        return await this.#call(call, AbortSignal.any([signal, turn.lost]))
      } finally {
        await turn.end()
      }
    } finally {
      this.#underWay--
      this.#waiting.shift()?.()
    }
  }

  async #call(call: (signal: AbortSignal) => Promise<ExchangeAnswer>, signal: AbortSignal): Promise<ExchangeAnswer> {
    // Whoever was let in before may have found out that nobody is there.
    const isProbe = this.#requireOpen()
    if (isProbe) this.#isProbing = true
    try {
      const answer = await call(signal)
      this.#note(answer)
      return answer
    } catch (error) {
      // A caller that stopped waiting shows nothing of the platform.
      if (error instanceof ExchangeError && error.kind === 'unreachable' && !signal.aborted) this.#noteFailure()
      throw error
    } finally {
      if (isProbe) this.#isProbing = false
    }
  }

  /** Whether the call is the one that tries, after the breaker was open. */
  #requireOpen(): boolean {
    const nowMs = this.#deps.nowMs()
    if (nowMs < this.#pausedUntilMs) throw busy('the platform asked for fewer calls', this.#pausedUntilMs - nowMs)
    if (this.#failures < BREAKER_FAILURES) return false
    const leftMs = this.#openUntilMs - nowMs
    if (leftMs > 0 || this.#isProbing) {
      const message = `the platform did not answer ${this.#failures} times in a row; it is left alone for a while`
      throw new ExchangeError(message, { hasLeft: false, kind: 'unsent', retryAfterMs: leftMs > 0 ? Math.ceil(leftMs) : BREAKER_OPEN_MS })
    }
    return true
  }

  async #takeSlot(signal: AbortSignal): Promise<void> {
    if (this.#underWay < this.#limits.maxConcurrent) {
      this.#underWay++
      return
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw busy(`${MAX_WAITING} calls wait for their turn already`, (MAX_WAITING * 1000) / this.#limits.maxPerSecond)
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const enter = () => {
      signal.removeEventListener('abort', onAbort)
      this.#underWay++
      resolve()
    }
    const onAbort = () => {
      const at = this.#waiting.indexOf(enter)
      if (at !== -1) this.#waiting.splice(at, 1)
      reject(stopped())
    }
    if (signal.aborted) throw stopped()
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.push(enter)
    await promise
  }

  #note({ status, retryAfterMs }: ExchangeAnswer): void {
    if (status >= 500) this.#noteFailure()
    else this.#failures = 0
    if (status === 429) this.#pauseFor(retryAfterMs ?? DEFAULT_RETRY_AFTER_MS)
    else if (status === 503 && retryAfterMs !== undefined) this.#pauseFor(retryAfterMs)
  }

  #pauseFor(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#deps.nowMs() + ms)
  }

  #noteFailure(): void {
    this.#failures++
    if (this.#failures < BREAKER_FAILURES) return
    const doublings = Math.min(this.#failures - BREAKER_FAILURES, 10)
    this.#openUntilMs = this.#deps.nowMs() + Math.min(BREAKER_LONGEST_MS, BREAKER_OPEN_MS * 2 ** doublings)
  }
}

function busy(message: string, waitMs: number): ExchangeError {
  return new ExchangeError(message, { hasLeft: false, kind: 'busy', retryAfterMs: Math.ceil(waitMs) })
}

export function stopped(): ExchangeError {
  return new ExchangeError('stopped before it was sent', { hasLeft: false, kind: 'unsent' })
}

/** The gates of this process, one per credential, however many connections use it. */
export class CallGates {
  readonly #deps: GateDeps
  readonly #gates = new Map<string, CallGate>()

  constructor(deps: GateDeps) {
    this.#deps = deps
  }

  /** `credential` names platform, host and account; not a secret. The first to ask decides the limits. */
  gateOf(credential: string, limits: CallLimits): CallGate {
    const known = this.#gates.get(credential)
    if (known !== undefined) return known
    if (this.#gates.size >= MAX_CREDENTIALS) this.#forgetIdle()
    const gate = new CallGate(this.#deps, credential, limits)
    this.#gates.set(credential, gate)
    return gate
  }

  #forgetIdle(): void {
    for (const [credential, gate] of this.#gates) if (gate.isIdle) this.#gates.delete(credential)
  }
}

/** The exchange that adapters are given: each request of it waits for its turn at the credential's gate. */
export function limitedExchange(exchange: Exchange, gate: CallGate): Exchange {
  return (request, signal) => gate.run((ending) => exchange(request, ending), signal)
}
