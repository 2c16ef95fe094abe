// W3C Trace Context, the header `traceparent` (https://www.w3.org/TR/trace-context/): what of a trace crosses from one process to another. `tracestate` is
// neither read nor sent: it may have any length, and nothing here needs it.

import { randomBytes } from 'node:crypto'

export type TraceContext = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean }

/** Every one has this many characters; what is longer is not read. */
const TRACEPARENT_LENGTH = 55
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const SAMPLED_FLAG = 1

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
