// Spans, for the code that makes them. Nothing of OpenTelemetry is imported here: its packages are loaded by `startTracing`, which is called where an endpoint
// is set. Without it every function returns at once. As in OpenTelemetry itself, whether there are traces is a matter of the process.

import { AsyncLocalStorage } from 'node:async_hooks'
import { parseTraceparent, takeTracestate, unsampledTraceparent } from './trace-context.ts'
import type { TraceOptions } from './trace-settings.ts'
import type { SpanStart, TraceLog, Tracer, TraceSpan } from './tracer.ts'

/** What goes on at this moment. */
type Scope = {
  readonly span: TraceSpan
  /** Spans of other traces that share the work. */
  readonly links: readonly string[]
  /** Of shared work: the span of each subject. */
  readonly bySubject: ReadonlyMap<string, TraceSpan> | undefined
}

const MAX_LINKS = 32
const scopes = new AsyncLocalStorage<Scope | undefined>()
let tracer: Tracer | undefined

/** From here on spans are made in this process. Rejects where the packages are not installed. */
export async function startTracing(options: TraceOptions, log: TraceLog): Promise<Tracer> {
  const { openTelemetry } = await import('./open-telemetry.ts')
  const opened = openTelemetry(options, log)
  tracer = opened
  const stop = async () => {
    if (tracer === opened) tracer = undefined
    await opened.stop()
  }
  return {
    start: opened.start,
    get counts() {
      return opened.counts
    },
    stop,
  }
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/**
 * A span with which work comes in. `callers`: what each sender of it gave as `traceparent`. The first trace that is kept there goes on, the others are
 * linked. Callers are strangers: how many of their traces are kept here is bounded. `tracestate`: what a lone caller gave as that.
 */
export function startEntrySpan(span: SpanStart, callers: readonly unknown[], tracestate?: unknown): TraceSpan | undefined {
  if (tracer === undefined) return undefined
  const [first, ...links] = callers.filter((each): each is string => parseTraceparent(each)?.isSampled === true).slice(0, MAX_LINKS + 1)
  // What a lone caller marks as not sampled is not kept; one of many decides for none of the others.
  const parent = first ?? (callers.length === 1 && typeof callers[0] === 'string' ? callers[0] : undefined)
  return tracer.start(span, parent, { isCaller: true, links, tracestate: takeTracestate(tracestate) })
}

/** A span of the trace that goes on at this moment. Undefined where none does. */
export function startChildSpan(span: SpanStart): TraceSpan | undefined {
  const scope = tracer === undefined ? undefined : scopes.getStore()
  if (scope === undefined) return undefined
  const { traceparent, tracestate } = scope.span
  return tracer?.start(span, traceparent, { isCaller: false, links: scope.links, tracestate })
}

/** A span of a trace that waited with its work, by what was stored of it. Undefined where nothing was. */
export function resumeSpan(span: SpanStart, stored: string | undefined): TraceSpan | undefined {
  if (tracer === undefined || parseTraceparent(stored)?.isSampled !== true) return undefined
  return tracer.start(span, stored, { isCaller: false, links: [] })
}

/** One span for the work of several traces: a child of the first, linked to the others. */
export function startSharedSpan(span: SpanStart, [first, ...others]: readonly TraceSpan[]): TraceSpan | undefined {
  if (tracer === undefined || first === undefined) return undefined
  const links = others.slice(0, MAX_LINKS).map(({ traceparent }) => traceparent)
  return tracer.start(span, first.traceparent, { isCaller: false, links, tracestate: first.tracestate })
}

/** Runs something as part of a span. Without one, it is part of none. */
export function withinSpan<T>(span: TraceSpan | undefined, run: () => T): T {
  if (tracer === undefined) return run()
  return scopes.run(span && { span, links: [], bySubject: undefined }, run)
}

/** Runs something that is done for several subjects together, each with its span. */
export function withinSpans<T>(bySubject: ReadonlyMap<string, TraceSpan>, run: () => T): T {
  const [span, ...others] = bySubject.values()
  if (tracer === undefined || span === undefined) return run()
  return scopes.run({ span, links: others.slice(0, MAX_LINKS).map(({ traceparent }) => traceparent), bySubject }, run)
}

/** Runs something as a span of its own, of the trace that goes on, and ends it with what came of it. */
export async function traced<T>(span: SpanStart, run: () => Promise<T>): Promise<T> {
  const own = startChildSpan(span)
  if (own === undefined) return await run()
  // Subjects keep their spans: this one is of all of them.
  return await endAfter([own], () => scopes.run({ span: own, links: [], bySubject: scopes.getStore()?.bySubject }, run))
}

/** Runs something as part of a span, if there is one, and ends it with what came of it. */
export async function tracedAs<T>(span: TraceSpan | undefined, run: () => Promise<T>): Promise<T> {
  return span === undefined ? await run() : await endAfter([span], () => withinSpan(span, run))
}

/** Ends spans with what comes of something. */
export async function endAfter<T>(spans: readonly TraceSpan[], run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    for (const span of spans) span.fail(errorTypeOf(error))
    throw error
  } finally {
    for (const span of spans) span.end()
  }
}

/** The span that goes on at this moment. */
export function activeSpan(): TraceSpan | undefined {
  return tracer === undefined ? undefined : scopes.getStore()?.span
}

/** The span that goes on at this moment for a subject; of work for several subjects that of this one alone. */
export function activeSpanOf(subject: string): TraceSpan | undefined {
  if (tracer === undefined) return undefined
  const scope = scopes.getStore()
  return scope?.bySubject === undefined ? scope?.span : scope.bySubject.get(subject)
}

/** What a service of ours is sent with a request: without a span that no trace is to be begun there; nothing where there are no traces. */
export function traceHeaders(span: TraceSpan | undefined): Readonly<Record<string, string>> {
  if (tracer === undefined) return {}
  if (span === undefined) return { traceparent: unsampledTraceparent() }
  const { traceparent, tracestate } = span
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate }
}

/** A code where there is one, which is a word of ours or of Node; never a message, which may hold what somebody sent. */
function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : '_OTHER'
}
