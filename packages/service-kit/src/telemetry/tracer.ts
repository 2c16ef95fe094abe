// What makes and sends spans, as those see it who make them.

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
/** By the names of OpenTelemetry's semantic conventions. Never a secret, a name of a person, or a reading. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A span that is kept. */
export type TraceSpan = {
  /** W3C `traceparent`, for the next service or for what waits. */
  readonly traceparent: string
  /** W3C `tracestate` of the caller, for the next service; not for what waits. */
  readonly tracestate: string | undefined
  set(attributes: SpanAttributes): void
  addEvent(name: string): void
  /** It ends as failed, with a short word for why: a code or a status, no message. */
  fail(errorType: string): void
  end(): void
}

export type SpanStart = {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: SpanAttributes
}

export type SpanOrigin = {
  readonly isCaller: boolean
  readonly links: readonly string[]
  /** That came with the parent. */
  readonly tracestate?: string | undefined
}

/** What the packages of OpenTelemetry do. */
export type Tracer = {
  /** `parent`: of a trace of ours, which goes on; of a caller's, where `isCaller`; undefined: a trace begins. Undefined when it is not kept. */
  start(span: SpanStart, parent: string | undefined, options: SpanOrigin): TraceSpan | undefined
  readonly counts: TraceCounts
  /** Sends what is left, within a bound. */
  stop(): Promise<void>
}

export type TraceCounts = { readonly exported: number; readonly dropped: number }

export type TraceLog = { info(details: object, message: string): void; warn(details: object, message: string): void }
