// What every service exports to Prometheus in the same way.

import { Counter, Gauge, type Metric, type Registry } from 'prom-client'
import type { App } from '../http/http.ts'
import { readBuildCommit } from '../process/build-commit.ts'

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

/** A number that something else counts, and that only grows. */
export function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

/** What runs, as Prometheus has it by custom: labels of a constant. */
export function addVersion(registry: Registry, name: string, version: string): void {
  const help = 'Constant 1, labelled with the version and the commit that it was made from.'
  const labels = { version, commit: readBuildCommit() }
  new Gauge({ name, help, labelNames: Object.keys(labels), aggregator: 'first', registers: [registry] }).set(labels, 1)
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

type Labels = Readonly<Record<string, string | number>>

/** What one histogram has observed under one set of labels. */
class Buckets {
  readonly #bounds: readonly number[]
  /** By the bucket each falls into; the last is for those beyond all bounds. */
  readonly #countOfBucket: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#countOfBucket = Array<number>(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    let bucket = 0
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket++
    this.#countOfBucket[bucket] = (this.#countOfBucket[bucket] ?? 0) + 1
    this.#sum += value
  }

  samples(name: string, labels: Labels) {
    let count = 0
    const buckets = this.#countOfBucket.map((inBucket, bucket) => {
      count += inBucket
      return { metricName: `${name}_bucket`, labels: { le: this.#bounds[bucket] ?? '+Inf', ...labels }, value: count }
    })
    return [...buckets, { metricName: `${name}_sum`, labels, value: this.#sum }, { metricName: `${name}_count`, labels, value: count }]
  }
}

/** A histogram without labels. Answers what observes a value: some nanoseconds, where that of prom-client takes half a microsecond. */
export function addHistogram(registry: Registry, name: string, help: string, bounds: readonly number[]): (value: number) => void {
  let buckets = new Buckets(bounds)
  const get = async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: buckets.samples(name, {}) })
  const reset = () => {
    buckets = new Buckets(bounds)
  }
  registry.registerMetric({ name, help, get, reset } as unknown as Metric)
  return (value) => buckets.observe(value)
}

type Counted = {
  readonly labels: { readonly method: string; readonly route: string; readonly status: number }
  readonly buckets: Buckets
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
    const one = { labels: { method, route, status }, buckets: new Buckets(bucketsS) }
    countedOfRoute.set(route, [...ofRoute, one])
    return one
  }
  const observe = (method: string, route: string, status: number, durationS: number): void => {
    countedOf(method, route, status).buckets.observe(durationS)
  }
  const help = 'Time from request to answer, by route template.'
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...countedOfRoute.values()].flat().flatMap(({ labels, buckets }) => buckets.samples(name, labels)),
  })
  return { name, help, observe, get, reset: () => countedOfRoute.clear() }
}
