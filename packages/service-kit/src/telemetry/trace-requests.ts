// A span for each request of an API. Its attributes name the route, and never what a caller has put into the address or the body.

import type { App } from '../http/http.ts'
import type { TraceSpan } from './tracer.ts'
import { activeSpan, isTracing, startEntrySpan, withinSpan } from './tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traceSpan: TraceSpan | undefined
  }
}

/** Ids that the service gave out: they identify no person. */
const OWN_ID = /^[a-z]{3}-[a-z0-9]{8,40}$/

/** Call before any route is registered. `isTraced`: by the route's template. Does nothing where there are no traces. */
export function traceRequests(app: App, isTraced: (route: string) => boolean): void {
  if (!isTracing()) return
  app.decorateRequest('traceSpan', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions
    if (route === undefined || !isTraced(route)) return done()
    const { method, id, headers } = request
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.path': shownPath(route, request.params),
      'url.scheme': request.protocol,
      'fleet.request.id': id,
    }
    const span = startEntrySpan({ name: `${method} ${route}`, kind: 'server', attributes }, [headers['traceparent']], headers['tracestate'])
    request.traceSpan = span
    withinSpan(span, done)
  })
  // The body comes in by events of the socket, which are part of no request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.traceSpan === undefined || activeSpan() === request.traceSpan) return done()
    withinSpan(request.traceSpan, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.traceSpan?.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) request.traceSpan?.fail(String(reply.statusCode))
    request.traceSpan?.end()
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    request.traceSpan?.fail('aborted')
    request.traceSpan?.end()
    done()
  })
}

/** With the ids of our own; what else a caller has put into an address may be a token, a name or a plate, and is shown as its place. */
function shownPath(route: string, params: unknown): string {
  const given = (params ?? {}) as Readonly<Record<string, unknown>>
  return route.replace(/:(\w+)/g, (place, name: string) => {
    const value = given[name]
    return typeof value === 'string' && OWN_ID.test(value) ? value : place
  })
}
