// W3C Trace Context (https://www.w3.org/TR/trace-context/), the headers `traceparent` and `tracestate`: what of a trace crosses from one process to another.

import { randomBytes } from 'node:crypto'

export type TraceContext = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean }

/** Every one has this many characters; what is longer is not read. */
const TRACEPARENT_LENGTH = 55
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const SAMPLED_FLAG = 1

/** What a receiver of `tracestate` is asked to pass on at least (W3C Trace Context §3.3.1.5). What is longer is left out whole. */
const MAX_TRACESTATE_CHARACTERS = 512

/** Undefined for everything that is none: a caller who sends nonsense begins no trace by it, and is refused nothing. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string' || text.length !== TRACEPARENT_LENGTH) return undefined
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED_FLAG) === SAMPLED_FLAG }
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** Of a trace that is not sampled: a service that receives it begins none of its own. */
export function unsampledTraceparent(): string {
  return formatTraceparent({ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex'), isSampled: false })
}

/** What the systems of a caller keep beside a trace, handed on as it is. Undefined where there is none, or more of it than is handed on. */
export function takeTracestate(text: unknown): string | undefined {
  return typeof text === 'string' && text !== '' && text.length <= MAX_TRACESTATE_CHARACTERS ? text : undefined
}
