// The one file that makes spans with the packages of OpenTelemetry and sends them. Loaded by `tracing.ts`, where an endpoint is set.

import { randomUUID } from 'node:crypto'
import { createTraceState, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { formatTraceparent, parseTraceparent } from './trace-context.ts'
import { BoundedSampler } from './trace-sampler.ts'
import type { TraceOptions } from './trace-settings.ts'
import type { SpanKind as KindName, TraceCounts, TraceLog, Tracer, TraceSpan } from './tracer.ts'

/** What waits for the collector, here and on its way: about a kilobyte each. Beyond it spans are dropped. */
const MAX_WAITING_SPANS = 4_096
const MAX_BATCH_SPANS = 512
const EXPORT_EVERY_MS = 1_000
/** Repeats included. A collector that takes longer gets the next batch. */
const EXPORT_TIMEOUT_MS = 10_000
const CONCURRENT_EXPORTS = 2
/** Of collectors, unless it was changed. */
const GRPC_PORT = '4317'
const GRPC_HINT = 'port 4317 usually takes gRPC; traces are sent over HTTP, which usually is port 4318'
/** Of what is left when the process stops. */
const STOP_BOUND_MS = 400
const LIMITS = { attributeCountLimit: 32, attributeValueLengthLimit: 256, eventCountLimit: 32, linkCountLimit: 32 }

const KINDS: Readonly<Record<KindName, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

export function openTelemetry(options: TraceOptions, log: TraceLog): Tracer {
  const { url, headers, serviceName, serviceVersion, resourceAttributes, isProtobufAsked } = options
  if (isProtobufAsked) log.info({ asked: 'http/protobuf' }, 'traces are sent as JSON over HTTP; collectors take both at the same address')
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: CONCURRENT_EXPORTS,
  })
  const counter = new CountedExport(exporter, new URL(url).port === GRPC_PORT ? GRPC_HINT : undefined, log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      ...resourceAttributes,
      'service.name': serviceName,
      'service.version': serviceVersion,
      'service.instance.id': randomUUID(),
    }),
    sampler: new BoundedSampler(options, () => performance.now()),
    spanLimits: LIMITS,
    spanProcessors: [counter.processor],
  })
  const tracer = provider.getTracer('roadworthy', serviceVersion)
  return {
    start: ({ name, kind, attributes }, parent, { isCaller, links, tracestate }) => {
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], ...(attributes === undefined ? {} : { attributes }), links: links.flatMap((link) => toLink(link)) },
        contextOf(parent, isCaller, tracestate),
      )
      return span.isRecording() ? new KeptSpan(span) : undefined
    },
    get counts() {
      return counter.counts
    },
    stop: () => counter.stop(),
  }
}

function contextOf(parent: string | undefined, isRemote: boolean, tracestate: string | undefined) {
  const spanContext = toSpanContext(parent, isRemote)
  if (spanContext === undefined) return ROOT_CONTEXT
  const kept = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }
  return trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, ...kept })
}

function toSpanContext(traceparent: string | undefined, isRemote: boolean) {
  const context = parseTraceparent(traceparent)
  if (context === undefined) return undefined
  const { traceId, spanId, isSampled } = context
  return { traceId, spanId, isRemote, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE }
}

function toLink(traceparent: string) {
  const context = toSpanContext(traceparent, true)
  return context === undefined ? [] : [{ context }]
}

class KeptSpan implements TraceSpan {
  readonly traceparent: string
  readonly tracestate: string | undefined
  readonly #span: Span

  constructor(span: Span) {
    const { traceId, spanId, traceState } = span.spanContext()
    this.traceparent = formatTraceparent({ traceId, spanId, isSampled: true })
    // Members that are none have been left out of it.
    this.tracestate = traceState?.serialize() || undefined
    this.#span = span
  }

  set(attributes: Readonly<Record<string, string | number | boolean>>): void {
    this.#span.setAttributes(attributes)
  }

  addEvent(name: string): void {
    this.#span.addEvent(name)
  }

  fail(errorType: string): void {
    this.#span.setAttribute('error.type', errorType)
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}

/** Sends in batches, holds no more than it may, and counts what became of each span. Who made the span waits for nothing of it. */
class CountedExport {
  readonly processor: SpanProcessor
  readonly #batches: BatchSpanProcessor
  readonly #hint: string | undefined
  readonly #log: TraceLog
  #waiting = 0
  #exported = 0
  #dropped = 0
  #isFailing = false

  constructor(exporter: SpanExporter, hint: string | undefined, log: TraceLog) {
    this.#hint = hint
    this.#log = log
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) =>
          exporter.export(spans, (result) => {
            this.#settle(spans.length, result.code === 0 ? undefined : (result.error ?? new Error('refused')))
            done(result)
          }),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: MAX_WAITING_SPANS,
      maxExportBatchSize: MAX_BATCH_SPANS,
      scheduledDelayMillis: EXPORT_EVERY_MS,
      exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS,
    })
    this.processor = {
      onStart: () => undefined,
      onEnd: (span: ReadableSpan) => this.#add(span),
      forceFlush: () => this.#batches.forceFlush(),
      shutdown: () => this.stop(),
    }
  }

  get counts(): TraceCounts {
    return { exported: this.#exported, dropped: this.#dropped }
  }

  async stop(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, STOP_BOUND_MS)
    // What cannot be sent is counted and reported by `#settle`.
    await Promise.race([this.#batches.shutdown().catch(() => undefined), late])
    clearTimeout(timer)
  }

  #add(span: ReadableSpan): void {
    if (this.#waiting >= MAX_WAITING_SPANS) {
      this.#dropped++
      return
    }
    this.#waiting++
    this.#batches.onEnd(span)
  }

  #settle(count: number, error: Error | undefined): void {
    this.#waiting -= count
    if (error === undefined) this.#exported += count
    else this.#dropped += count
    if (error !== undefined && !this.#isFailing) {
      const { code, message } = error as Error & { code?: unknown }
      const hint = this.#hint === undefined ? {} : { hint: this.#hint }
      this.#log.warn(
        { reason: String(code ?? message), ...hint },
        'traces cannot be sent, and are dropped until they can; nothing else is affected',
      )
    }
    if (error === undefined && this.#isFailing) this.#log.info({}, 'traces are sent again')
    this.#isFailing = error !== undefined
  }
}
