// What every service tells Prometheus in the same way.

import { Gauge, Histogram, type Registry } from 'prom-client'
import type { App } from './http.ts'

/** A value that is read when Prometheus asks. */
export function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/** The version that runs, as Prometheus has it by custom: a label of a constant. */
export function addVersion(registry: Registry, name: string, version: string): void {
  const help = 'Constant 1, labelled with the version.'
  new Gauge({ name, help, labelNames: ['version'], registers: [registry] }).set({ version }, 1)
}

/** Times every request of the app by its route template. */
export function timeRequests(app: App, registry: Registry, bucketsS: readonly number[]): void {
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: [...bucketsS],
    registers: [registry],
  })
  // Naming the labels anew each time costs more than the rest of the measurement.
  const children = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const { url: route = 'unknown' } = request.routeOptions
    const key = `${method} ${reply.statusCode} ${route}`
    let child = children.get(key)
    if (child === undefined) {
      child = requests.labels({ method, route, status: reply.statusCode })
      children.set(key, child)
    }
    child.observe(reply.elapsedTime / 1000)
    done()
  })
}
