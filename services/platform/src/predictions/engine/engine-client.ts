// The platform's one way to the engine: HTTP, always (DESIGN §3). The engine is a pure function, so asking again is always safe.

import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isTracing, startChildSpan, traceHeaders } from '@roadworthy/service-kit/telemetry/tracing'
import { type EngineAnswer, EngineFault, EngineKeyRefused, toEngineAnswer } from './engine-answer.ts'
import type { EngineInput } from './engine-input.ts'
import { type EngineModels, toEngineModels } from './engine-models.ts'

export type EngineClient = {
  /** Rejects with `Problem('unavailable')` when the engine is away or busy, with `EngineFault` when it answers nonsense, or a proxy refuses the key. */
  predict(input: EngineInput, signal?: AbortSignal): Promise<EngineAnswer>
  /** One answer per input, in order. At most `MAX_ENGINE_BATCH` inputs. Rejects as `predict` does. */
  predictBatch(inputs: readonly EngineInput[], signal?: AbortSignal): Promise<EngineAnswer[]>
  /** What the engine reports of the models that answer. Rejects as `predict` does. */
  models(signal?: AbortSignal): Promise<EngineModels>
  /** Whether the engine reports itself healthy, now. Never rejects. */
  isHealthy(): Promise<boolean>
}

/** Spec §8. */
const MAX_ENGINE_BATCH = 1000

export type EngineClientOptions = {
  readonly engineUrl: string
  /** Of a proxy in front of the engine. */
  readonly engineKey?: string | undefined
  /** In [0, 1): spreads the retries of several processes. */
  readonly random: () => number
  readonly singleTimeoutMs?: number
  readonly batchTimeoutMs?: number
  readonly retryDelayMs?: number
}

/** Ten times what the spec expects (§8: 500 ms single, 5 s for 100 vehicles), less for a person who waits. */
const SINGLE_TIMEOUT_MS = 3_000
const BATCH_TIMEOUT_MS = 20_000
const HEALTH_TIMEOUT_MS = 1_000
const MAX_ATTEMPTS = 3
/** Of the first retry; the second waits twice as long. Each is stretched by up to as much again. */
const RETRY_DELAY_MS = 100
/** The engine, or something in front of it, answers: not now. */
const BUSY_STATUSES = new Set([429, 502, 503, 504])
/** A proxy in front of the engine wants a key; the engine asks for none. */
const KEY_STATUSES = new Set([401, 403])

/** An answer that never ends is not to fill the memory. Assumption: ten times what an answer about a vehicle with many components takes. */
const MAX_ANSWER_BYTES_EACH = 65_536
const LEAST_MAX_ANSWER_BYTES = 1_048_576

export function createEngineClient(options: EngineClientOptions): EngineClient {
  const { random, singleTimeoutMs = SINGLE_TIMEOUT_MS, batchTimeoutMs = BATCH_TIMEOUT_MS, retryDelayMs = RETRY_DELAY_MS } = options
  const base = options.engineUrl.replace(/\/+$/, '')
  const headers = options.engineKey === undefined ? {} : { authorization: `Bearer ${options.engineKey}` }

  /** A GET without a body. `vehicleCount`: that it is asked about. */
  async function ask(
    path: string,
    { body, vehicleCount = 1 }: { readonly body?: unknown; readonly vehicleCount?: number },
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Answered> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const maxAnswerBytes = Math.max(LEAST_MAX_ANSWER_BYTES, vehicleCount * MAX_ANSWER_BYTES_EACH)
    for (let attempt = 1; ; attempt++) {
      const answered = await askTraced({ url: `${base}${path}`, headers, text, maxAnswerBytes }, attempt, timeoutMs, signal)
      signal?.throwIfAborted()
      if (answered.status !== undefined && KEY_STATUSES.has(answered.status)) throw keyRefused(answered.status)
      if (answered.status !== undefined && !BUSY_STATUSES.has(answered.status)) return answered
      if (attempt === MAX_ATTEMPTS) throw engineAway(`${base}${path}`, answered)
      await sleep(retryDelayMs * 2 ** (attempt - 1) * (1 + random()), undefined, { signal })
    }
  }

  return {
    predict: async (input, signal) => {
      const { status, body } = await ask('/v1/predict', { body: input }, singleTimeoutMs, signal)
      if (status === 200 || status === 400) return requireSame(input, toEngineAnswer(body))
      throw new EngineFault(`the engine answered ${status} to a prediction`)
    },
    predictBatch: async (inputs, signal) => {
      if (inputs.length > MAX_ENGINE_BATCH) throw new RangeError(`a batch of ${inputs.length} is more than the engine takes`)
      const { status, body } = await ask(
        '/v1/predict/batch',
        { body: { vehicles: inputs }, vehicleCount: inputs.length },
        batchTimeoutMs,
        signal,
      )
      if (status !== 200) throw new EngineFault(`the engine answered ${status} to a batch of ${inputs.length}`)
      const list = (body as { predictions?: unknown } | null)?.predictions
      if (!Array.isArray(list) || list.length !== inputs.length) {
        throw new EngineFault(`the engine did not answer each of ${inputs.length} vehicles`)
      }
      return inputs.map((input, index) => requireSame(input, toEngineAnswer(list[index])))
    },
    models: async (signal) => {
      const { status, body } = await ask('/v1/models', {}, singleTimeoutMs, signal)
      if (status !== 200) throw new EngineFault(`the engine answered ${status} when asked for its models`)
      return toEngineModels(body)
    },
    isHealthy: async () => {
      try {
        const response = await fetch(`${base}/v1/health`, { headers, signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
        const body = (await readJson(response, LEAST_MAX_ANSWER_BYTES)) as { status?: unknown } | null
        return response.ok && body?.status === 'healthy'
      } catch {
        // Refused, reset, late or not JSON: all of them mean no.
        return false
      }
    },
  }
}

type Answered = { readonly status: number; readonly body: unknown }
/** Nothing usable came back in time. */
type Unanswered = { readonly status: undefined; readonly cause: unknown }

type Question = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | undefined
  readonly maxAnswerBytes: number
}

/** As a span of the trace that goes on, where there is one. */
async function askTraced(
  question: Question,
  attempt: number,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answered | Unanswered> {
  if (!isTracing()) return await askOnce(question, timeoutMs, signal)
  const { url, headers, text } = question
  const { hostname, pathname } = new URL(url)
  const method = text === undefined ? 'GET' : 'POST'
  const attributes = { 'http.request.method': method, 'url.path': pathname, 'server.address': hostname }
  const again = attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 }
  const span = startChildSpan({ name: `${method} ${pathname}`, kind: 'client', attributes: { ...attributes, ...again } })
  const answered = await askOnce({ ...question, headers: { ...headers, ...traceHeaders(span) } }, timeoutMs, signal)
  const { status } = answered
  if (status !== undefined) span?.set({ 'http.response.status_code': status })
  if (status === undefined || status >= 400) span?.fail(status === undefined ? 'unavailable' : String(status))
  span?.end()
  return answered
}

async function askOnce(
  { url, headers, text, maxAnswerBytes }: Question,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answered | Unanswered> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...(text === undefined ? { headers } : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: text }),
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (BUSY_STATUSES.has(response.status) || KEY_STATUSES.has(response.status)) {
      await response.body?.cancel()
      return { status: response.status, body: undefined }
    }
    return { status: response.status, body: await readJson(response, maxAnswerBytes) }
  } catch (error) {
    if (error instanceof EngineFault) throw error
    if (error instanceof SyntaxError) throw new EngineFault('the engine’s answer is not JSON')
    return { status: undefined, cause: error }
  }
}

/** The rest of an answer that is too long is not read. */
async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > maxBytes) throw new EngineFault(`the engine’s answer has more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString())
}

/** An answer about another vehicle must never be stored under this one. */
function requireSame(input: EngineInput, answer: EngineAnswer): EngineAnswer {
  if (answer.kind === 'prediction' && answer.prediction.vehicleId !== input.vehicleId) {
    throw new EngineFault(`the engine was asked about ${input.vehicleId} and answered about another vehicle`)
  }
  return answer
}

function keyRefused(status: number): EngineKeyRefused {
  return new EngineKeyRefused(`the proxy in front of the engine answered ${status}: ENGINE_KEY must be the key that it asks for`)
}

/** The cause, with the address, is for the log: callers get the message. */
function engineAway(url: string, answered: Answered | Unanswered): Problem {
  const cause =
    answered.status === undefined
      ? new Error(`${url} does not answer`, { cause: answered.cause })
      : new Error(`${url} answered with HTTP ${answered.status}`)
  return new Problem('unavailable', 'The prediction engine is away or busy. Try again.', { retryAfterS: 2 }, { cause })
}
