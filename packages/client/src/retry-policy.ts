import { ConnectionError, RoadworthyError } from './errors.ts'

export type RetryPolicy = {
  /** Of one attempt. Spec §7.3: 60 s. */
  readonly timeoutMs: number
  /** After the first attempt. Spec §7.3: 3. */
  readonly maxRetries: number
  /** Between attempts, unless the service asks for more by `Retry-After`. Spec §7.3: 1.0 s. */
  readonly retryDelayMs: number
  /** A longer `Retry-After` is not waited for: the error is thrown at once and names it. */
  readonly maxRetryAfterMs: number
  /** Of all attempts and the pauses between them. */
  readonly totalTimeoutMs: number
}

export const defaultPolicy: RetryPolicy = {
  timeoutMs: 60_000,
  maxRetries: 3,
  retryDelayMs: 1_000,
  // The default limit of a key is 60 calls in any 60 s: a refused caller gets another call within a minute.
  maxRetryAfterMs: 60_000,
  totalTimeoutMs: 300_000,
}

/** The service did not carry out what was asked. */
const REFUSED_FOR_NOW = [429, 503]
/** It is unknown whether it did. */
const UNCLEAR = [408, 502, 504]
/** There is no service, for now. */
const CUT = [502, 503, 504]

export type Attempt = {
  readonly error: RoadworthyError
  /** How many there were, this one included. */
  readonly count: number
  readonly elapsedMs: number
  /** Whether doing it twice does no harm. */
  readonly isRepeatable: boolean
  /** False once the body was a stream: it is used up. */
  readonly canSendAgain: boolean
}

/** How long to wait before the next attempt; undefined when there is none. */
export function pauseBeforeRetry(policy: RetryPolicy, attempt: Attempt): number | undefined {
  if (attempt.count > policy.maxRetries || !attempt.canSendAgain || !mayRetry(attempt)) return undefined
  const retryAfterMs = (attempt.error.retryAfterS ?? 0) * 1000
  if (retryAfterMs > policy.maxRetryAfterMs) return undefined
  const pauseMs = Math.max(policy.retryDelayMs, retryAfterMs)
  return attempt.elapsedMs + pauseMs < policy.totalTimeoutMs ? pauseMs : undefined
}

/** Of a stream: whether it is worth to connect again. A proxy answers so in place of a service that is being started anew. */
export function isCut(error: unknown): error is RoadworthyError {
  return error instanceof ConnectionError || (error instanceof RoadworthyError && CUT.includes(error.status ?? 0))
}

function mayRetry({ error, isRepeatable }: Attempt): boolean {
  const { status, code } = error
  if (status !== undefined && REFUSED_FOR_NOW.includes(status)) return true
  // The first attempt, whose answer was lost here, is still being carried out there; its answer is what the repeat gets.
  if (code === 'idempotency_in_progress') return true
  return isRepeatable && (error instanceof ConnectionError || (status !== undefined && UNCLEAR.includes(status)))
}
