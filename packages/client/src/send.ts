// One call: its attempts, the pauses between them, and what its end is. Everything that is sent goes through here.

import type { Clock } from './clock.ts'
import { errorFromAnswer } from './error-from-answer.ts'
import { ConnectionError, RoadworthyError, TimeoutError, UnexpectedAnswerError } from './errors.ts'
import { pauseBeforeRetry, type RetryPolicy } from './retry-policy.ts'
import { startTimeLimit, type TimeLimit } from './time-limit.ts'

export type Outgoing = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | Blob | Uint8Array | ReadableStream<Uint8Array> | undefined
  /** For errors: the method and the path with its parameters in braces. */
  readonly operation: string
  readonly isRepeatable: boolean
}

export type Sending = {
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly policy: RetryPolicy
  readonly signal: AbortSignal | undefined
  /** Takes the key out of a text that is not ours. */
  readonly redact: (text: string) => string
}

/** Reads a 2xx. The limit is running; what reads for longer than an attempt may take keeps it and stops it. */
export type ReadAnswer<Answer> = (response: Response, limit: TimeLimit) => Promise<Answer>

/** Sends until there is an answer or the policy has no further attempt. Rejects with a `RoadworthyError`, or with the reason of the signal. */
export async function send<Answer>(outgoing: Outgoing, sending: Sending, read: ReadAnswer<Answer>): Promise<Answer> {
  const { clock, policy, signal } = sending
  const startedAtMs = clock.now()
  for (let count = 1; ; count++) {
    signal?.throwIfAborted()
    const limitMs = Math.min(policy.timeoutMs, policy.totalTimeoutMs - (clock.now() - startedAtMs))
    try {
      return await attempt(outgoing, sending, limitMs, read)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof RoadworthyError)) throw error
      const pauseMs = pauseBeforeRetry(policy, {
        ...{ error, count, isRepeatable: outgoing.isRepeatable },
        elapsedMs: clock.now() - startedAtMs,
        canSendAgain: !(outgoing.body instanceof ReadableStream),
      })
      if (pauseMs === undefined) throw error
      await clock.sleep(pauseMs, signal)
      // A pause can last longer than it was to: what was refused says more than that there is no time left to ask again.
      if (clock.now() - startedAtMs >= policy.totalTimeoutMs) throw error
    }
  }
}

async function attempt<Answer>(outgoing: Outgoing, sending: Sending, limitMs: number, read: ReadAnswer<Answer>): Promise<Answer> {
  const limit = startTimeLimit(sending.clock, limitMs, sending.signal)
  let isHandedOn = false
  try {
    const response = await sending.fetch(outgoing.url, fetchOptions(outgoing, limit.signal))
    if (!response.ok) throw await refusalOf(response, outgoing, sending)
    const answer = await read(response, limit)
    isHandedOn = isIterable(answer)
    return answer
  } catch (error) {
    throw connectionErrorOf(error, limit, limitMs, outgoing, sending)
  } finally {
    if (!isHandedOn) limit.stop()
  }
}

/** Lines and events are read later, when the caller iterates over them. */
const isIterable = (answer: unknown) => typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

function fetchOptions({ method, headers, body }: Outgoing, signal: AbortSignal): RequestInit {
  return {
    ...{ method, headers, signal },
    // A redirect would take the key to another host. The API has none.
    redirect: 'manual',
    // The key says who calls; a cookie of the page would say it a second time.
    credentials: 'omit',
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  }
}

async function refusalOf(response: Response, { operation }: Outgoing, { redact, clock }: Sending): Promise<RoadworthyError> {
  const { status, headers, type } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const target = headers.get('location')
    const to = target === null ? 'elsewhere' : `to ${redact(target)}`
    await response.body?.cancel()
    return new UnexpectedAnswerError(`The server redirects ${to} (${operation}). Redirects are not followed: give the final address.`, {
      ...{ code: 'redirected', status: status === 0 ? undefined : status },
    })
  }
  return errorFromAnswer({ status, headers, operation, nowMs: clock.now(), text: redact(await response.text()) })
}

/** What `fetch`, or reading its answer, rejected with, in our words. An abort of the caller's has the reason that it was given. */
export function connectionErrorOf(
  error: unknown,
  limit: TimeLimit,
  limitMs: number,
  { operation }: Pick<Outgoing, 'operation'>,
  { redact }: Pick<Sending, 'redact'>,
): unknown {
  if (error instanceof RoadworthyError) return error
  if (limit.isOver()) return new TimeoutError(`No answer within ${limitMs} ms (${operation}).`, { code: 'timeout' })
  if (limit.signal.aborted) return limit.signal.reason
  const text = error instanceof Error ? error.message : String(error)
  const reason = error instanceof Error && error.cause instanceof Error ? `${text}: ${error.cause.message}` : text
  const isClean = redact(reason) === reason
  return new ConnectionError(`The connection failed: ${redact(reason)} (${operation}).`, {
    code: 'connection_failed',
    ...(isClean ? { cause: error } : {}),
  })
}
