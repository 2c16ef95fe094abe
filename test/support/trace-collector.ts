// A collector of traces at the edge of the world: takes OTLP over HTTP as JSON, as the specification has it, and keeps what it is sent.

import http, { type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { wholeText } from './whole-text.ts'

export type CollectedSpan = {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly string[]
  readonly linkedSpanIds: readonly string[]
  readonly hasFailed: boolean
}

export type TraceCollector = {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Of the last export. */
  readonly headers: () => IncomingHttpHeaders
  readonly exportCount: () => number
  /** Resolves with all spans once they are as asked. */
  until(isSo: (spans: readonly CollectedSpan[]) => boolean, what: string): Promise<readonly CollectedSpan[]>
}

type Value = { stringValue?: string; intValue?: string | number; doubleValue?: number; boolValue?: boolean }
type Pair = { key: string; value: Value }
type SentSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes?: Pair[]
  events?: { name: string }[]
  links?: { spanId: string }[]
  status?: { code?: number }
}
type Sent = { resourceSpans: { resource: { attributes: Pair[] }; scopeSpans: { spans: SentSpan[] }[] }[] }

const WITHIN_MS = 120_000
const FAILED = 2

/** `status`: what it answers an export with. Closed after the test. */
export async function startCollector(t: CleanUp, { status = 200 }: { status?: number } = {}): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  let headers: IncomingHttpHeaders = {}
  let exportCount = 0
  const server = http.createServer(async (request, response) => {
    const text = await wholeText(request)
    // Of a service that ended within it.
    if (text === undefined) return
    headers = request.headers
    exportCount++
    if (status === 200 && request.url === '/v1/traces') spans.push(...read(JSON.parse(text) as Sent))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    exportCount: () => exportCount,
    until: async (isSo, what) => {
      for (const startedMs = performance.now(); !isSo(spans); await sleep(20)) {
        if (performance.now() - startedMs < WITHIN_MS) continue
        throw new Error(`${what} did not come; there are ${spans.map(({ service, name }) => `${service}: ${name}`).join(', ')}`)
      }
      return spans
    },
  }
}

function read({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readPairs(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, kind, attributes, events, links, status }) => ({
        ...{ service, name, traceId, spanId, kind },
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        attributes: readPairs(attributes ?? []),
        events: (events ?? []).map((event) => event.name),
        linkedSpanIds: (links ?? []).map((link) => link.spanId),
        hasFailed: status?.code === FAILED,
      })),
    )
  })
}

function readPairs(pairs: readonly Pair[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))
}
