// What every service exports to Prometheus in the same way.

import { Gauge, type Metric, type Registry } from 'prom-client'
import type { App } from './http.ts'

/** A metric of several processes of one service, as one: their sum, or what holds for all of them. */
export type Aggregator = 'sum' | 'min' | 'max'

/** A value that is read when Prometheus asks. */
export function addGauge(registry: Registry, name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): void {
  new Gauge({
    name,
    help,
    aggregator,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/** The version that runs, as Prometheus has it by custom: a label of a constant. */
export function addVersion(registry: Registry, name: string, version: string): void {
  const help = 'Constant 1, labelled with the version.'
  new Gauge({ name, help, labelNames: ['version'], aggregator: 'first', registers: [registry] }).set({ version }, 1)
}

/** Times every request of the app by its route template. */
export function timeRequests(app: App, registry: Registry, bucketsS: readonly number[]): void {
  const requests = requestDurations('http_request_duration_seconds', bucketsS)
  registry.registerMetric(requests as unknown as Metric)
  app.addHook('onResponse', (request, reply, done) => {
    requests.observe(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
}

type Counted = {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number }
  /** By the bucket each falls into; the last is for those beyond all bounds. */
  readonly countOfBucket: number[]
  sumS: number
}

/**
 * A histogram that a registry takes like one of prom-client, which spends about two microseconds on each observation to look up labels
 * that it was given before.
 */
export function requestDurations(name: string, bucketsS: readonly number[]) {
  const countedOfRoute = new Map<string, Counted[]>()
  const countedOf = (method: string, route: string, status: number): Counted => {
    const ofRoute = countedOfRoute.get(route) ?? []
    const known = ofRoute.find(({ labels }) => labels.status === status && labels.method === method)
    if (known !== undefined) return known
    const one = { labels: { method, route, status }, countOfBucket: Array<number>(bucketsS.length + 1).fill(0), sumS: 0 }
    countedOfRoute.set(route, [...ofRoute, one])
    return one
  }
  const observe = (method: string, route: string, status: number, durationS: number): void => {
    const one = countedOf(method, route, status)
    let bucket = 0
    while (bucket < bucketsS.length && durationS > (bucketsS[bucket] ?? 0)) bucket++
    one.countOfBucket[bucket] = (one.countOfBucket[bucket] ?? 0) + 1
    one.sumS += durationS
  }
  const samplesOf = ({ labels, countOfBucket, sumS }: Counted) => {
    let count = 0
    const buckets = countOfBucket.map((inBucket, bucket) => {
      count += inBucket
      return { metricName: `${name}_bucket`, labels: { le: bucketsS[bucket] ?? '+Inf', ...labels }, value: count }
    })
    return [...buckets, { metricName: `${name}_sum`, labels, value: sumS }, { metricName: `${name}_count`, labels, value: count }]
  }
  const help = 'Time from request to answer, by route template.'
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...countedOfRoute.values()].flat().flatMap(samplesOf),
  })
  return { name, help, observe, get, reset: () => countedOfRoute.clear() }
}
